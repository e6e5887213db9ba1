"""Where a chapter runs: in the build of the book, or anywhere else; and what the site calls its parts."""

import os

BOOK_VARIABLE = "TREELIB_BOOK"  # set by the build of the book for the kernels of its chapters
# Address of the published site, no slash at the end; empty until one answers: until then notebooks outside of
# the book lead nowhere. A test compares it with _config.yml.
SITE = ""

_NUMBERS = {}  # label of a table or figure to what the site calls it, "Table 2.1"


def in_book():
    """Whether this process executes a chapter for the book."""
    return os.environ.get(BOOK_VARIABLE) == "1"


def address(path):
    """Address of a page or file of the site (``records/osdt.t2.html``) as seen from a chapter."""
    return f"../{path}" if in_book() or not SITE else f"{SITE}/{path}"


def card_page(claim):
    """Page of the site, without suffix, that holds the card of a claim: those of one table are together.

    Examples
    --------
    >>> from treelib.ledger.page.place import card_page
    >>> card_page("osdt.f4.osdt.accuracy")
    'claims/osdt.f4'
    """
    return f"claims/{'.'.join(claim.split('.')[:2])}"


def card(claim):
    """Address of the card of a claim within the site, ``claims/osdt.f4.html#osdt.f4.osdt.accuracy``."""
    return f"{card_page(claim)}.html#{claim}"


def set_numbers(numbers):
    """Say what the site calls its tables and figures, dict of label to "Table 2.1"; downloads do this."""
    _NUMBERS.update(numbers)


def number(label):
    """What the site calls a table or figure, empty where that is not known."""
    return _NUMBERS.get(label, "")
