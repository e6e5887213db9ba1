"""The rules by which tables are read, here and on the page "Your table, here": `rules.json`, with examples.

book/_static/wasm/reader.js follows the same rules by the same steps; tests run the examples in both.
"""

import json
import re
from pathlib import Path

RULES = json.loads(Path(__file__).with_name("rules.json").read_text(encoding="utf-8"))
LIMITS = RULES["limits"]
PATTERNS = {
    name: re.compile(RULES[name])
    for name in (
        "excel",
        "infinite",
        "code",
        "whole",
        "date",
        "identifier",
        "range",
        "open",
        "below",
        "first",
    )
}
NUMBER = re.compile(RULES["number"])
DIGITS = {decimal: re.compile(pattern) for decimal, pattern in RULES["digits"].items()}


def fits(name, text):
    """Whether a text has the pattern `name` of the rules."""
    return PATTERNS[name].search(text) is not None


def note(key, **facts):
    """(A note, how to have it otherwise by an option of the command) of the rules, both as text."""
    return RULES["notes"][key].format(**facts), RULES["advice"].get(key, "").format(**facts)


def reason(key, **facts):
    """Why a column is left out, as text."""
    return RULES["reasons"][key].format(**facts)


def counted(n, what="cell"):
    return f"{n:,} {what}" + "s" * (n != 1)


def quoted(text):
    return f"'{text[: LIMITS['letters']]}{'…' if len(text) > LIMITS['letters'] else ''}'"


def listed(words):
    """Words in quotation marks, in order, the first few of many."""
    words, most = sorted(words), LIMITS["words"]
    more = f" and {len(words) - most} more" if len(words) > most else ""
    return ", ".join(map(quoted, words[:most])) + more
