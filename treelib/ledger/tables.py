"""Tables that set the paper's value beside ours, as `treelib.ledger.page.Markdown`: they show themselves as
the last value of a cell, numbered in the book, plain in any other notebook.

A verdict is a word in colour (class ``verdict`` of the book's style sheet, which knows light and dark pages):
the word carries the meaning. Reasons stand below a table as numbered notes, so that columns stay narrow.
"""

import re
from fractions import Fraction
from html import escape

from treelib.ledger import claims, page
from treelib.ledger.protocol.digits import at_printed_digits, grouped, significant

_SAID = 330  # characters of a sentence of the paper; the claim's card has all of it
_QUOTED = 25  # characters in quotation marks that are a sentence; fewer are a word
_OFTEN = 3  # notes that say the same, from which on it is said once
_FOLDED = 9  # more notes than this open on demand, so that the page goes on below the table


def verdict_html(verdict, fitted=""):
    """A verdict as a coloured word. Where a choice was fitted to the claim it says so, and has the colour of
    what is not counted."""
    if verdict not in claims.VERDICTS:
        raise ValueError(f"{verdict!r} is not a verdict; there are {', '.join(claims.VERDICTS)}.")
    title = f' title="{claims.NO_EVIDENCE}"' if fitted else ""
    return f'<span class="{verdict_class(verdict, fitted)}"{title}>{claims.words(verdict, fitted)}</span>'


def verdict_link(verdict, fitted, address, title=""):
    """A verdict that leads to an address, HTML; its title, if any, also says where a choice was fitted."""
    title = "; ".join(filter(None, [title, fitted and claims.NO_EVIDENCE]))
    title = f' title="{title}"' if title else ""
    word = claims.words(verdict, fitted)
    return f'<a class="{verdict_class(verdict, fitted)}" href="{address}"{title}>{word}</a>'


def verdict_class(verdict, fitted):
    """The classes of the style sheet for a verdict, on a claim that is `fitted` or (empty) not."""
    return f"verdict {verdict}{' fitted' if fitted else ''}"


def printed_text(claim):
    """The printed value with its unit, ready for a table."""
    is_sentence = claim.rule.startswith("statement") and "\u201c" in claim.note
    if claim.value and not is_sentence:
        return _with_unit(_powers(claim.value), claim.unit)
    is_cell = claim.kind in ("statistical", "timing", "memory") and not is_sentence
    return "(blank)" if is_cell else said(claim) or "(blank)"


def said(claim):
    """What a claim without a value says, ready for a table: in quotation marks where these are the paper's
    words; long ones are cut and go on where the claim's card has all of it."""
    quotes = re.findall("\u201c[^\u201d]+\u201d", claim.note)
    text = " ".join(quotes) if sum(map(len, quotes)) > _QUOTED else claim.note
    if len(text) > _SAID:
        text = text[:_SAID].rpartition(" ")[0].rstrip(",;:(")
        end = "\u201d" * (text.count("\u201c") > text.count("\u201d"))
        address = page.address(page.place.card(claim.id))
        return f'{_plain(text)}\u00a0<a href="{address}" title="{claim.id}">\u2026</a>{end}'
    return _plain(text)


def _plain(text):
    """A text in which nothing is Markdown or HTML."""
    return re.sub(r"[\\`*_{}\[\]$~]", lambda sign: f"&#{ord(sign[0])};", escape(text, quote=False))


def ours_text(verdict):
    """Our value at the printed digits with its unit, ready for a table."""
    claim, ours = verdict.claim, verdict.ours
    if ours is None:
        return "taken over" if verdict.verdict == claims.STATED else "not checked"
    if isinstance(ours, str):
        return _powers(escape(ours, quote=False))
    if claim.unit == "h" and 0 < ours < 0.1:
        return _with_unit(number_text(3600 * ours), "s")
    if claim.number is None or claim.sign:
        return _with_unit(number_text(ours), claim.unit)
    text = at_printed_digits(ours, claim.value)
    if verdict.verdict == claims.MATCH and Fraction(text) != Fraction(claim.number):
        text = _further(ours, claim.value)  # rounded half up, or cut off: the next digits show it
    # the printed digits may say nothing of ours: much smaller, or not equal and a single digit
    too_few = (ours and float(text) == 0) or (verdict.verdict != "match" and len(text.strip("-0.")) < 2)
    return _with_unit(number_text(ours) if too_few else _powers(text), claim.unit)


def number_text(number):
    """A number for readers: integers with commas, others with four significant digits."""
    if isinstance(number, Fraction) and number.denominator == 1:
        number = number.numerator
    if isinstance(number, int):
        if abs(number) < 10**12:
            return f"{number:,}"
        return _powers(f"{number:.3e}".replace("e+", "e"))
    return significant(number)


def table(heads, rows, caption, name, align=None, notes=None, origin="", classes=""):
    """A numbered table of ready cells as `page.Markdown`, with `origin` (HTML) and `notes` below.

    classes : str, of the style sheet: `claims` are set one below the other on a phone
    """
    sides = {"l": ":--", "r": "--:", "c": ":-:"}
    align = (align or "l").ljust(len(heads), (align or "l")[-1])
    lines = [
        _line(heads),
        _line([sides[side] for side in align]),
        *(_line([str(cell) for cell in row]) for row in rows),
    ]
    options = f":name: {name}\n" + (f":class: {classes}\n" if classes else "")
    text = f":::{{table}} {caption}\n{options}\n" + "\n".join(lines) + "\n:::\n"
    text += f"\n{origin}\n" if origin else ""
    return page.Markdown(text + ("" if notes is None else notes.markdown()))


class Notes:
    """Numbered notes of one table; equal texts share a number."""

    def __init__(self):
        self._texts = []

    def mark(self, text):
        """The mark that points to `text`, empty for an empty text."""
        if not text:
            return ""
        if text not in self._texts:
            self._texts.append(text)
        return f"&nbsp;<sup>{self._texts.index(text) + 1}</sup>"

    def markdown(self):
        """All notes, one paragraph each, as they stand below the table; what several say is said once."""
        notes = apart(self._texts)
        text = "".join(
            f'\n<sup class="note">{_ranges(numbers)}</sup> {escape(text, quote=False)}\n'
            for numbers, text in notes
        )
        if len(notes) <= _FOLDED:
            return text
        many = f"{len(self._texts)} notes to this table"
        if any(len(numbers) > 1 for numbers, _ in notes):
            many += "; what several of them say stands once, with all their numbers"
        return f'\n<details class="notes"><summary>{many}</summary>\n{text}\n</details>\n'


def apart(texts):
    """Notes with what several of them say taken out: list of (numbers of the notes, text), by first number.

    A note is what a verdict rests on, several sentences with "; " between them.
    """
    parts = [text.split("; ") for text in texts]
    sayers = {}
    for number, some in enumerate(parts, start=1):
        for part in dict.fromkeys(some):
            sayers.setdefault(part, []).append(number)
    shared = {part: numbers for part, numbers in sayers.items() if len(numbers) >= _OFTEN and len(part) > 20}
    together = {}
    for part, numbers in shared.items():
        together.setdefault(tuple(numbers), []).append(part)
    own = {
        (number,): [part for part in some if part not in shared] for number, some in enumerate(parts, start=1)
    }
    lines = [(numbers, "; ".join(some)) for numbers, some in (*together.items(), *own.items()) if some]
    return sorted(lines, key=lambda line: (line[0][0], -len(line[0])))


def _ranges(numbers):
    """Numbers in words: "1 to 4, 7"."""
    runs = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]} to {run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs)


def _further(ours, printed):
    """`ours` with up to two digits more than `printed` (str) shows."""
    mantissa, mark, exponent = printed.partition("e")
    longer = f"{mantissa}{'' if '.' in mantissa else '.'}00{mark}{exponent}"
    mantissa, mark, exponent = at_printed_digits(ours, longer).partition("e")
    return f"{mantissa.rstrip('0').rstrip('.')}{mark}{exponent}"


def _powers(text):
    """Powers of ten as one writes them, 5.5e3 as 5.5 x 10^3, and other numbers with commas."""
    mantissa, power, exponent = text.partition("e")
    is_number = power and exponent.isdigit() and mantissa.replace(".", "").isdigit()
    return f"{mantissa}\u202f\u00d7\u202f10<sup>{int(exponent)}</sup>" if is_number else grouped(text)


def _with_unit(text, unit):
    if unit in ("%", "GB", "s", "h", "min", "GHz"):
        return f"{text}\u202f{unit}"
    return text


def _line(cells):
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"
