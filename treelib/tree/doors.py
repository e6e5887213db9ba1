"""What a tree can be written as, and read from: thin doors to `treelib.tree.formats` and `drawing`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from treelib.tree.stored import Tree

_MOST_LEAVES_SHOWN = 200  # by print and by notebooks; to_text and to_svg write all, down to 100 levels


class Doors:
    """Methods of a `Tree` that read and write it; each imports what it needs when it is called."""

    @classmethod
    def from_sklearn(cls, estimator: Any, **options: Any) -> Tree:
        """Tree of a fitted scikit-learn decision tree; see `treelib.tree.formats.from_sklearn`."""
        from treelib.tree.formats.sklearn import read_sklearn

        return read_sklearn(estimator, cls, **options)

    def to_sklearn(self: Any, **options: Any) -> Any:
        """Fitted scikit-learn estimator of the same tree; see `treelib.tree.formats.to_sklearn`."""
        from treelib.tree.formats.sklearn import to_sklearn

        return to_sklearn(self, **options)

    def to_text(self: Any, **options: Any) -> str:
        """The tree as indented text; see `treelib.tree.formats.to_text`."""
        from treelib.tree.formats.text import to_text

        return to_text(self, **options)

    def to_rules(self: Any, **options: Any) -> list[str]:
        """One sentence for each leaf; see `treelib.tree.formats.to_rules`."""
        from treelib.tree.formats.text import to_rules

        return to_rules(self, **options)

    def to_sql(self: Any, **options: Any) -> str:
        """SQL expression that predicts; see `treelib.tree.formats.to_sql`."""
        from treelib.tree.formats.sql import to_sql

        return to_sql(self, **options)

    def to_c(self: Any, **options: Any) -> str:
        """C source that predicts; see `treelib.tree.formats.to_c`."""
        from treelib.tree.formats.c import to_c

        return to_c(self, **options)

    def to_javascript(self: Any) -> str:
        """JavaScript module that predicts; see `treelib.tree.formats.to_javascript`."""
        from treelib.tree.formats.javascript import to_javascript

        return to_javascript(self)

    def to_onnx(self: Any, **options: Any) -> Any:
        """ONNX model that predicts; see `treelib.tree.formats.to_onnx`."""
        from treelib.tree.formats.onnx import to_onnx

        return to_onnx(self, **options)

    def to_dot(self: Any, **options: Any) -> str:
        """Graphviz source; see `treelib.tree.formats.to_dot`."""
        from treelib.tree.formats.dot import to_dot

        return to_dot(self, **options)

    def to_svg(self: Any, **options: Any) -> str:
        """Self-contained drawing; see `treelib.tree.formats.to_svg`."""
        from treelib.tree.formats.svg import to_svg

        return to_svg(self, **options)

    def to_json(self: Any, **options: Any) -> str:
        """JSON text that `from_json` reads back bit by bit; see `treelib.tree.formats.to_json`."""
        from treelib.tree.formats.json import to_json

        return to_json(self, **options)

    @classmethod
    def from_json(
        cls,
        text: str | bytes,
        max_bytes: int = 100_000_000,
        max_nodes: int = 1_000_000,
        max_depth: int = 10_000,
    ) -> Tree:
        """Tree of the text of `to_json`; see `treelib.tree.formats.from_json`."""
        from treelib.tree.formats.json import read_json

        return read_json(text, cls, max_bytes, max_nodes, max_depth)

    def plot(self: Any, ax: Any = None, **options: Any) -> Any:
        """Drawing by matplotlib; see `treelib.tree.drawing.plot_tree`."""
        from treelib.tree.drawing import plot_tree

        return plot_tree(self, ax=ax, **options)

    def _repr_html_(self):
        if self.n_leaves > _MOST_LEAVES_SHOWN:
            return None
        from treelib.tree.formats.svg import to_html

        return to_html(self)

    def __str__(self):
        return repr(self) if self.n_leaves > _MOST_LEAVES_SHOWN else self.to_text()
