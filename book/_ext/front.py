"""What a visitor, a search engine or a shared link meets first: titles, descriptions, the picture of a link,
how to install, the entrance of the site, and the page for an address that is not there.

All addresses come from ``repository: url`` and ``html: baseurl`` of ``_config.yml``; as long as nothing
answers there (``site_is_public``) no page carries them.
The picture of a link, ``book/_static/card.png``, is ``book/release/card.svg`` as a browser shows it.
"""

import re
from html import escape
from pathlib import Path

import citing
import yaml
from docutils import nodes
from docutils.parsers.rst import Directive

ROOT = Path(__file__).resolve().parents[2]
CARD = "_static/card.png"
_OWN_ADDRESS = re.compile(r'<meta property="og:(?:url|image(?::alt)?)"[^>]*>\n?')

_ENTRANCE = """<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8" /><title>{title}</title>
<meta http-equiv="refresh" content="0; url={first}" />
{canonical}<link rel="icon" href="_static/favicon.svg" /></head>
<body><p><a href="{first}">{title}</a></p></body>
</html>
"""

# it is shown at any depth of addresses, so it loads nothing and its links are whole, or from the root
_MISSING = """<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8" /><meta name="viewport" content="width=device-width, initial-scale=1" />
<title>No such page: {title}</title><meta name="robots" content="noindex" /><link rel="icon" href="data:," />
<style>
:root {{ color-scheme: light dark; }}
html {{ background: light-dark(#fff, #121212); color: light-dark(#1f2933, #e6edf3); }}
body {{ font: 1.1rem/1.6 system-ui, sans-serif; max-width: 34rem; margin: 15vh auto; padding: 0 1rem; }}
a {{ color: light-dark(#0b4a94, #8db9f5); }}
input, button {{ font: inherit; padding: 0.2rem 0.6rem; }}
</style></head>
<body><main><h1>No such page</h1>
<p>The address leads nowhere on this site. Pages and the ids of tables, figures and claims are kept: perhaps a
letter is missing.</p>
<form action="{base}search.html" role="search"><label>Search <input type="search" name="q" /></label>
<button type="submit">Go</button></form>
<ul><li><a href="{base}">{title}</a></li>
<li><a href="{base}book/scorecard.html">The scorecard of all claims</a></li>
<li><a href="{base}book/cite.html">Citations and records</a></li></ul></main></body>
</html>
"""


def setup(app):
    app.add_directive("install", Install)
    app.connect("config-inited", describe_site)
    # after sphinxext.opengraph has written its tags
    app.connect("html-page-context", tidy_head, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


class Install(Directive):
    """The command that installs the package: from the repository, or from a checkout as long as the address
    of the repository is not one that answers (``site_is_public``)."""

    def run(self):
        config = self.state.document.settings.env.config
        url = config.html_theme_options["repository_url"]
        here = "pip install .     # from a checkout of the repository"
        text = f'pip install "treelib-companion @ git+{url}"' if config.site_is_public else here
        return [nodes.container("", nodes.literal_block(text, text, language="bash"), classes=["install"])]


def describe_site(app, config):
    """What the preview of a shared link shows; its picture needs an address that answers."""
    config.project = config.ogp_site_name = config.html_title
    if not config.site_is_public:
        config.html_baseurl = ""
        return
    config.ogp_site_url = config.html_baseurl
    config.ogp_image = config.html_baseurl + CARD
    config.ogp_image_alt = "A decision tree of three leaves beside the title of the book"
    config.ogp_custom_meta_tags = ['<meta name="twitter:card" content="summary_large_image" />']


def tidy_head(app, pagename, templatename, context, doctree):
    """No title said twice on the first page; citations in descriptions as one writes them."""
    if context.get("title") == context.get("docstitle"):
        context["title"] = "Four papers, run again"
    tags = re.sub(r"\s*\[\s*(\d{4})\s*\]", r" (\1)", context.get("metatags", ""))
    if not app.config.html_baseurl:
        tags = _OWN_ADDRESS.sub("", tags)
    context["metatags"] = tags


def write(site):
    """The entrance of the site and the page for addresses that are not there."""
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    root = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))["root"]
    base, first = f"{citing.addresses(config)[0]}/", f"{root}.html"
    words = {"title": escape(config["title"]), "base": base, "first": first}
    words["canonical"] = f'<link rel="canonical" href="{base}{first}" />' if base != "/" else ""
    (site / "index.html").write_text(_ENTRANCE.format(**words), encoding="utf-8")
    (site / "404.html").write_text(_MISSING.format(**words), encoding="utf-8")
