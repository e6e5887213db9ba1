"""What is printed and reported stands in templates beside this file."""

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

HOME = Path(__file__).parent


def rendered(name, **facts):
    """Text of a template."""
    return _environment().get_template(name).render(facts)


def words(name, *arguments):
    """What a macro of ``words.txt`` says, in one line."""
    macro = getattr(_environment().get_template("words.txt").module, name)
    return " ".join(macro(*arguments).split())


def percent(share):
    """A share as text."""
    return words("percent", share)


@cache
def _environment():
    found = Environment(
        loader=FileSystemLoader(HOME),
        autoescape=select_autoescape(["html", "svg"]),
        undefined=StrictUndefined,
        trim_blocks=True,
    )
    found.filters["percent"] = percent
    return found
