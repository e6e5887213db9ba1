"""Files as people have them, drawn at random: marks, encodings, words, identifiers, dates, ranges."""

import numpy as np

WORDS = ["red", "green", "dark blue", "it's", "größer", "naïve", "x;y", "a,b", 'so-called "best"', "Ärger"]
MISSING = ["", "NA", "n/a", "NaN", "None", "?", "-", "#N/A", "null", "NULL", "."]
ODD = ["unknown", ">40", "40 years", "#REF!", "lost", "n.a."]
TRUTHS = [
    ("yes", "no"),
    ("True", "False"),
    ("TRUE", "FALSE"),
    ("y", "n"),
    ("T", "F"),
    ("Yes", "No"),
    ("1", "0"),
]


def number(value, digits, decimal, groups):
    """A number as text, with a decimal mark and a sign between thousands."""
    text = f"{value:,.{digits}f}"
    return text.replace(",", "\0").replace(".", decimal).replace("\0", groups)


def _numbers(rng, n, decimal):
    digits, scale = int(rng.integers(0, 4)), 10.0 ** rng.integers(0, 6)
    other = "," if decimal == "." else "."
    groups = rng.choice(["", other, " ", "'"]) if scale > 1000 else ""
    values = np.round(rng.lognormal(size=n) * scale, digits)
    if rng.random() < 0.4:  # few different ones
        values = rng.choice(values, int(rng.integers(2, 12)))[rng.integers(0, 2, n)]
    before, after = [("", ""), ("$", ""), ("", " €"), ("", " %"), ("", "")][rng.integers(0, 5)]
    return values, [before + number(value, digits, decimal, groups) + after for value in values]


def _column(rng, n, decimal):
    """(a name, numbers that the class may follow, texts) of a column of any kind."""
    kind = rng.choice("number number count word truth date range town id code key constant text".split())
    place = rng.integers(0, int(rng.integers(2, 7)), n)
    if kind == "number":
        return kind, *_numbers(rng, n, decimal)
    if kind == "count":
        return kind, place, [f"{one}{'.0' * int(rng.random() < 0.02)}" for one in place]
    if kind == "word":
        return kind, place, [WORDS[one] for one in place]
    if kind == "truth":
        words = TRUTHS[rng.integers(0, len(TRUTHS))]
        return kind, place % 2, [words[one] for one in place % 2]
    if kind == "date":
        form = [
            lambda a, b: f"2024-{a:02d}-{b:02d}",
            lambda a, b: f"{b}.{a}.2023",
            lambda a, b: f"{a}/{b}/99 10:30",
            lambda a, b: f"{a:02d}:{2 * b:02d}",
            lambda a, b: f"{b} days",
        ]
        chosen = form[rng.integers(0, len(form))]
        return (
            kind,
            place,
            [chosen(1 + one, int(day)) for one, day in zip(place, rng.integers(1, 29, n), strict=True)],
        )
    if kind == "range":
        named = [["<18", "18-30", "31-50", "51+"], ["1-9 km", "10-24 km", "25-39 km", "40+ km"]][
            rng.integers(0, 2)
        ]
        return kind, place % 4, [named[one] for one in place % 4]
    if kind == "town":  # many of few rows, one of many
        towns = np.where(place > 0, 0, rng.integers(0, 90, n))
        return kind, place, [f"town {one:02d}" for one in towns]
    if kind == "id":
        start, step = rng.integers(0, 10**6), rng.integers(1, 3)
        return rng.choice(["nr", "case_id", "row"]), place, [str(start + step * i) for i in range(n)]
    if kind == "code":
        return kind, place, [f"0{one}{one + 1}" for one in place]
    if kind == "key":
        return kind, place, [f"p{i:04d}" for i in rng.permutation(n)]
    if kind == "constant":
        return kind, place, ["same"] * n
    return (
        kind,
        place,
        [f"{WORDS[int(one)]} {two}" for one, two in zip(place, rng.integers(0, 30, n), strict=True)],
    )


def _spoiled(rng, texts):
    """Texts with missing values and odd words among them, in some columns."""
    texts = list(texts)
    for words, chance, share in ((MISSING, 0.4, 0.15), (ODD, 0.3, 0.04)):
        if rng.random() < chance:
            word = words[rng.integers(0, len(words))]
            for i in np.flatnonzero(rng.random(len(texts)) < share):
                texts[i] = word
    return texts


def _line(cells, sign, rng):
    pad = " " if rng.random() < 0.02 else ""
    return sign.join(
        '"' + cell.replace('"', '""') + '"' if any(mark in cell for mark in (sign, '"')) else pad + cell
        for cell in cells
    )


def drawn(seed):
    """Bytes of a CSV file whose last column, "class", follows two of the others in part."""
    rng = np.random.default_rng(seed)
    n, decimal = int(rng.integers(30, 400)), ".,"[rng.integers(0, 2)]
    sign = ",;\t|"[rng.integers(0, 4)]
    columns = [_column(rng, n, decimal) for _ in range(int(rng.integers(3, 9)))]
    columns.append(("count", place := rng.integers(0, 4, n), [str(one) for one in place]))  # one that stays
    score = sum((values > np.median(values)).astype(int) for _, values, _ in (columns[0], columns[-1]))
    score = np.where(rng.random(n) < 0.1, rng.integers(0, 3, n), score)
    classes = [["no", "may be", "yes"], ["0", "1", "2"], ["False", "TRUE", "true"], ["a", "b", "NA"]][
        rng.integers(0, 4)
    ]
    names = [
        f"{name} {j}" if name not in ("case_id",) else f"{j}_case_id"
        for j, (name, _, _) in enumerate(columns)
    ]
    cells = [_spoiled(rng, texts) for _, _, texts in columns[:-1]] + [columns[-1][2]]
    cells.append([classes[one] for one in score])
    lines = [_line(row, sign, rng) for row in ([*names, "class"], *zip(*cells, strict=True))]
    head = f"sep={sign}\n" if rng.random() < 0.15 else ""
    end = ["\n", "\r\n"][rng.integers(0, 2)]
    text = (head + "\n".join(lines) + "\n").replace("\n", end)
    encoding = ["utf-8", "utf-8-sig", "utf-16", "cp1252"][rng.integers(0, 4)]
    return text.encode(encoding)
