"""What a chapter shows, on a page of the book and in a notebook that somebody downloaded.

The same cell runs in both. While the book is built (the environment variable ``TREELIB_BOOK``), texts and
tables keep what MyST understands: numbered tables, roles, links between pages. Anywhere else they become
Markdown that every notebook program shows, with links that lead to the site.

- `Markdown`: text of a cell, in place of IPython's class of this name
- `glue`: a value for the prose, kept for the book
- `caption`: that of a figure, with the parameters that it was written for where these were changed
- `stays`: says that what follows is for the parameters of the page, where these were changed
- `address`: a page of the site, as seen from a chapter
"""

from treelib.ledger.page.place import address, in_book, set_numbers
from treelib.ledger.page.text import Markdown, caption, glue, stays

__all__ = [
    "Markdown",
    "address",
    "caption",
    "glue",
    "in_book",
    "set_numbers",
    "stays",
]
