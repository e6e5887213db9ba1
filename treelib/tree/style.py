"""Colours and matplotlib settings of all figures.

Figures are transparent, and must be legible on a white page and on a dark one (#14181e). So text and axes
are a mid-tone grey with about 4.2 : 1 contrast to both, which is the best any one colour can do, and lines of
methods have at least 3 : 1 to both. Where a figure needs more, put it on a card of one colour. The colours
of a method differ for colour-blind readers too, but nine lines never rest on colour alone: each method also
has a marker and a dash.

Words inside a filled box do not depend on the page: `ink_on` picks the ink for the fill.
"""

INK = "#757b83"  # text and axes, on white and on dark pages
GRID = "#757b8340"
PAPER = "#ffffff"
DARK_PAPER = "#14181e"
DARK_INK = "#1b1f24"  # text on light fills
LIGHT_INK = "#ffffff"

# Okabe and Ito's colours for classes (2008), in an order that keeps the first three furthest apart
CLASS_COLORS = (
    "#4b94d6",
    "#e69f00",
    "#2a9d76",
    "#cc79a7",
    "#dc6a45",
    "#7fcbf0",
    "#e6d84a",
    "#9a8fd1",
    "#b3845a",
    "#8d959e",
)

LOW_COLOR, HIGH_COLOR = "#bcdcf5", "#1c5a96"  # ends of the scale of regression leaves

METHODS = {
    # method: (colour, marker, dash, name in legends)
    "exact": ("#2f76fd", "o", "-", "optimal sparse tree"),
    "cart": ("#ad480a", "s", "--", "CART"),
    "binoct": ("#868fd9", "D", "-.", "BinOCT"),
    "born-again": ("#34a779", "^", "-", "born-again tree"),
    "forest": ("#566b3e", "v", "--", "random forest"),
    "dyadic": ("#dd1fa6", "P", "-", "dyadic tree"),
    "tsallis": ("#c38900", "X", "-", "Tsallis"),
    "bayesian": ("#006c93", "d", "-.", "Bayesian tree"),
    "peers": ("#716066", "*", ":", "other programs"),
}
METHODS["osdt"] = METHODS["exact"]


def method_color(method):
    """Colour of a method.

    Parameters
    ----------
    method : str
        Such as "exact".

    Returns
    -------
    str
        The colour as ``#rrggbb``.

    Raises
    ------
    ValueError
        For a name without a colour.

    Examples
    --------
    >>> from treelib.tree.style import method_color
    >>> method_color("exact")
    '#2f76fd'
    """
    return _method(method)[0]


def method_style(method):
    """Keyword arguments of `Axes.plot` for a method.

    Parameters
    ----------
    method : str
        Such as "exact".

    Returns
    -------
    dict
        Colour, marker, dash and legend label.

    Examples
    --------
    >>> from treelib.tree.style import method_style
    >>> method_style("cart")
    {'color': '#ad480a', 'marker': 's', 'linestyle': '--', 'label': 'CART'}
    """
    color, marker, dash, name = _method(method)
    return {"color": color, "marker": marker, "linestyle": dash, "label": name}


def class_color(code):
    """Fill of a class; ten colours, then again from the first.

    Parameters
    ----------
    code : int
        Class index.

    Returns
    -------
    str
        The colour as ``#rrggbb``.

    Examples
    --------
    >>> from treelib.tree.style import class_color
    >>> class_color(0), class_color(10)
    ('#4b94d6', '#4b94d6')
    """
    return CLASS_COLORS[int(code) % len(CLASS_COLORS)]


def leaf_color(tree, node):
    """Fill of a leaf: the colour of its class, or for regression light (low mean) to dark.

    Parameters
    ----------
    tree : Tree
        The tree.
    node : int
        Its leaf.

    Returns
    -------
    str
        The colour as ``#rrggbb``.

    Examples
    --------
    >>> from treelib import Tree
    >>> from treelib.tree.style import leaf_color
    >>> leaf_color(Tree.from_nested((0, 2.5, 0, 1)), node=1)
    '#4b94d6'
    """
    if not tree.is_regression:
        return class_color(tree.label[node])
    values = tree.value[tree.is_leaf, 0]
    spread = values.max() - values.min()
    share = (tree.value[node, 0] - values.min()) / spread if spread > 0 else 0.5
    ends = [[int(color[i : i + 2], 16) for i in (1, 3, 5)] for color in (LOW_COLOR, HIGH_COLOR)]
    return "#" + "".join(f"{round(low + share * (high - low)):02x}" for low, high in zip(*ends, strict=True))


def ink_on(color):
    """The ink, light or dark, that contrasts more with a filled colour.

    Parameters
    ----------
    color : str
        The fill as ``#rrggbb``.

    Returns
    -------
    str
        The ink as ``#rrggbb``.

    Examples
    --------
    >>> from treelib.tree.style import ink_on
    >>> ink_on("#e69f00"), ink_on("#000000")
    ('#1b1f24', '#ffffff')
    """
    return max((DARK_INK, LIGHT_INK), key=lambda ink: contrast(ink, color))


def contrast(first, second):
    """Contrast ratio of two colours (WCAG 2.1, relative luminance).

    Parameters
    ----------
    first, second : str
        Colours as ``#rrggbb``.

    Returns
    -------
    float
        From 1 to 21.

    Examples
    --------
    >>> from treelib.tree.style import contrast
    >>> contrast("#000000", "#ffffff")
    21.0
    """
    dark, light = sorted((luminance(first), luminance(second)))
    return (light + 0.05) / (dark + 0.05)


def luminance(color):
    """Relative luminance of a colour (WCAG 2.1).

    Parameters
    ----------
    color : str
        The colour as ``#rrggbb``.

    Returns
    -------
    float
        0 for black to 1 for white.

    Examples
    --------
    >>> from treelib.tree.style import luminance
    >>> luminance("#000000"), luminance("#ffffff")
    (0.0, 1.0)
    """
    channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def rc_params():
    """Settings of matplotlib for the figures: transparent, for a column of 700 pixels and for a phone.

    Returns
    -------
    dict
        What `matplotlib.rcParams` takes.

    Examples
    --------
    >>> from treelib.tree.style import rc_params
    >>> rc_params()["figure.figsize"]
    (7.0, 4.0)
    """
    from cycler import cycler

    return {
        "figure.figsize": (7.0, 4.0),
        "figure.dpi": 100,
        "figure.facecolor": "none",
        "figure.constrained_layout.use": True,
        "savefig.facecolor": "none",
        "savefig.transparent": True,
        "savefig.bbox": "tight",
        "savefig.dpi": 200,
        "font.family": ["DejaVu Sans"],  # comes with matplotlib: figures are equal on all machines
        "font.size": 12,
        "axes.titlesize": 13,
        "axes.titleweight": "bold",
        "axes.titlelocation": "left",
        "axes.labelsize": 12,
        "xtick.labelsize": 11,
        "ytick.labelsize": 11,
        "legend.fontsize": 11,
        "text.color": INK,
        "axes.labelcolor": INK,
        "axes.titlecolor": INK,
        "xtick.color": INK,
        "ytick.color": INK,
        "axes.edgecolor": INK,
        "axes.facecolor": "none",
        "axes.linewidth": 1.0,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "axes.axisbelow": True,
        "grid.color": GRID,
        "grid.linewidth": 0.8,
        "legend.frameon": False,
        "lines.linewidth": 2.0,
        "lines.markersize": 6,
        "axes.prop_cycle": cycler(color=[color for color, *_ in dict.fromkeys(METHODS.values())]),
        "svg.fonttype": "path",  # letters as outlines: a page looks the same where DejaVu Sans is missing
        "svg.hashsalt": "treelib",  # the same figure gives the same bytes
    }


def use_style():
    """Give all later matplotlib figures the look of the book.

    Examples
    --------
    >>> import matplotlib
    >>> from treelib.tree.style import use_style
    >>> with matplotlib.rc_context():
    ...     use_style()
    ...     print(matplotlib.rcParams["figure.facecolor"])
    none
    """
    import matplotlib

    matplotlib.rcParams.update(rc_params())


def _method(method):
    if method not in METHODS:
        raise ValueError(f"No colour for method {method!r}; there are {', '.join(sorted(METHODS))}.")
    return METHODS[method]
