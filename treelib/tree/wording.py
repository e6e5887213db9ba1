"""`Labels` for people: large numbers are written out, since rounded ones name other rows."""

from treelib.tree.labels import Labels

# numbers from the first on are written to their first decimal; from the second on with an exponent
_WRITTEN_OUT = 1e3, 1e12


class Wording(Labels):
    """`Labels` whose numbers from 1,000 on keep their first decimal: 150972.5 is no 1.51e+05.

    Thresholds of whole numbers stand half-way between two of them, so these are exact.
    """

    def __init__(self, tree, digits=4, **wording):
        super().__init__(tree, digits, **wording)
        nodes = zip(self.tree.threshold, self.threshold, strict=True)
        self.threshold = [self._written_out(float(x), text) for x, text in nodes]

    def answer(self, node):
        """What a node predicts: class name, or the mean."""
        text = super().answer(node)
        return self._written_out(float(self.tree.value[node, 0]), text) if self.tree.is_regression else text

    def _written_out(self, x, text):
        least, most = _WRITTEN_OUT
        if self.digits is None or not text or not least <= abs(x) < most:
            return text
        exact = format(x, f".{len(str(int(abs(x)))) + 1}g")
        return exact if abs(float(exact) - x) < abs(float(text) - x) else text
