"""Parts of chapters that compute: a control, and behind it the package's own kernel as WebAssembly.

The scripts stand in ``book/_static/wasm``; `live.js` loads the others when a part comes near the view. A
downloaded notebook has no page around it: there, and where scripts are off, the part is a sentence.
"""

from html import escape

from treelib.ledger.page.place import address, in_book


def price_of_a_leaf(data, instead):
    """HTML of the part that shows every optimal tree of a data set by its price of a leaf.

    Parameters
    ----------
    data : str, the data set shown first, one of `treelib.wasm.tables.OFFERED`
    instead : str, what is said where the part cannot run

    Returns
    -------
    str
    """
    if not in_book():
        return f"<p>{escape(instead)}</p>"
    folder = address("_static/wasm")
    return (
        f'<link rel="stylesheet" href="{folder}/page.css">'
        f'<div class="live" data-live="price" data-table="{escape(data)}"><p>{escape(instead)}</p></div>'
        f'<script src="{folder}/live.js" defer></script>'
    )
