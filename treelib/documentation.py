"""Where the documentation stands on the web, for the links that notebooks show beside an estimator."""

import os
from functools import cache
from importlib.metadata import PackageNotFoundError, metadata

VARIABLE = "TREELIB_DOCUMENTATION"


def address():
    """Address of the site, ending with a slash, or "" where none is configured.

    The environment variable `VARIABLE` comes first, then the URL called Documentation of the installed
    package. There is no address of our own to fall back on: a site that does not exist must not be linked.
    """
    found = os.environ.get(VARIABLE) or _of_package()
    return found.rstrip("/") + "/" if found.startswith(("https://", "http://")) else ""


def link_template(_estimator=None):
    """Template of the link to an estimator's entry, as scikit-learn's HTML repr fills it in; "" for none."""
    return f"{address()}api.html#treelib.{{estimator_name}}" if address() else ""


@cache
def _of_package():
    try:
        urls = metadata("treelib-companion").get_all("Project-URL") or []
    except PackageNotFoundError:  # run from a folder that was never installed
        return ""
    pairs = [url.partition(",") for url in urls]
    return next((where.strip() for name, _, where in pairs if name.strip() == "Documentation"), "")
