"""Texts that cells show: MyST on a page of the book, plain Markdown in any other notebook."""

from treelib.ledger.page import cells
from treelib.ledger.page.place import in_book
from treelib.ledger.page.plain import Plain

_GLUED = {}  # what was glued in this notebook, by name


class Markdown(str):
    """Text in MyST Markdown that shows itself as the last value of a cell, wherever the cell runs.

    It is a str: what it is put together with, and tests, see the text as it was written.
    """

    def __add__(self, other):
        return Markdown(str.__add__(self, other))

    def __radd__(self, other):
        return Markdown(str.__add__(other, self))

    def plain(self):
        """The text for a notebook program that does not know MyST."""
        return Plain(values=_GLUED).markdown(str(self))

    def _ipython_display_(self):
        # IPython would show the text of a str as well, quoted and as it was written
        from IPython.display import display

        data, metadata = self._repr_mimebundle_()
        display(data, metadata=metadata, raw=True)

    def _repr_mimebundle_(self, include=None, exclude=None):
        cells.WATCH.current.shows = True
        values = cells.WATCH.current.values
        kept = {"treelib": {"values": dict(values)}} if values and in_book() else {}
        if in_book():
            return {"text/markdown": str(self), "text/plain": "<Markdown>"}, kept
        text = self.plain()
        return {"text/markdown": text, "text/plain": text}, kept


def glue(name, value):
    """Keep a value for the prose, ``{glue:text}`name` ``: shown on the page of the book, nothing elsewhere.

    Parameters
    ----------
    name : str, begins with the key of the chapter
    value : anything with a text
    """
    _GLUED[name] = value
    if in_book():
        from myst_nb import glue as keep

        keep(name, value, display=False)


def caption(number, text, **parameters):
    """The caption of a figure; with other parameters than it was written for, it says which these are.

    Parameters
    ----------
    number : str, what the site calls the figure, or empty
    text : str, the caption on the page
    parameters : name of a parameter = (its value now, that of the page)

    Examples
    --------
    >>> from treelib.ledger.page.text import caption
    >>> print(caption("*Fig. 6*", "The tree of Monk1.", DATA=("monk1", "monk1")))
    *Fig. 6* The tree of Monk1.
    >>> print(caption("*Fig. 6*", "The tree of Monk1.", DATA=("car", "monk1"), DEPTH=(2, 2)))
    *Fig. 6* with `DATA = 'car'`. On the page, with `DATA = 'monk1'`: The tree of Monk1.
    """
    here, there = _changed(parameters)
    if not here:
        return Markdown(f"{number} {text}".strip())
    return Markdown(f"{number or 'The figure'} with {here}. On the page, with {there}: {text}")


def stays(**parameters):
    """Show, where parameters were changed, that what follows was written for those of the page.

    Parameters
    ----------
    parameters : name of a parameter = (its value now, that of the page)
    """
    from IPython.display import display

    here, there = _changed(parameters)
    if here:
        display(Markdown(f"*With {here} above, what follows up to the next heading is still for {there}.*"))


def _changed(parameters):
    """Those parameters that were changed as they are now and as they were, two texts; empty if none was."""
    changed = {name: pair for name, pair in parameters.items() if pair[0] != pair[1]}
    return [", ".join(f"`{name} = {pair[place]!r}`" for name, pair in changed.items()) for place in (0, 1)]
