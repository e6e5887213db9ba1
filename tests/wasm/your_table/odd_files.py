"""Files of odd form that the page must read as Python does, each with what it notes of them ("": nothing)."""


def table(names, line, n=40, sides=("no", "yes")):
    """A file of n lines: `line` of a number, then the class, which changes after the twenty-first."""
    sign = ";" if ";" in names else ","
    rows = (f"{line(i)}{sign}{sides[i > 20]}\n" for i in range(n))
    return f"{names}\n{''.join(rows)}".encode()


def plain(i):
    return f"{i // 2},{i % 3}"  # a column that counts the rows would be left out


PLAIN = table("a,b,y", plain)
ODD = {
    "byte-order-mark": (b"\xef\xbb\xbf" + PLAIN, ""),
    "mark-semicolons-windows": (
        b"\xef\xbb\xbf" + table("a;b;y", lambda i: f"{i // 2};{i % 3}").replace(b"\n", b"\r\n"),
        "",
    ),
    "old-mac": (PLAIN.replace(b"\n", b"\r"), ""),
    "two-line-ends": (PLAIN.replace(b"no\n", b"no\r\n"), ""),
    "no-last-line-end": (PLAIN[:-1], ""),
    "blank-lines": (PLAIN.replace(b"\n", b"\n\n\n"), ""),
    "lines-of-blanks": (PLAIN.replace(b"no\n", b"no\n   \n"), ""),
    "all-in-marks": (table('"a","b","y"', lambda i: f'"{i // 2}","{i % 3}"'), ""),
    "blanks-after-commas": (table("a, b, y", lambda i: f"{i // 2}, {i % 3}"), ""),
    "mark-inside-a-value": (table("a,b,y", lambda i: f'{i // 2},{i % 3}" pipe'), ""),
    "name-of-two-lines": (table('"a\nb",b,y', plain), ""),
    "name-of-5000-signs": (table("x" * 5000 + ",b,y", plain), ""),
    "names-by-case": (table("a,A,y", plain), ""),
    "number-as-name": (table("1,b,y", plain), ""),
    "names-of-the-language": (table("__proto__,constructor,y", plain), ""),
    "values-of-the-language": (
        table("a,b,y", lambda i: f"{['__proto__', 'constructor', 'toString'][i % 3]},{i // 2}"),
        "",
    ),
    "classes-of-the-language": (table("a,b,y", plain, sides=("__proto__", "hasOwnProperty")), ""),
    "names-as-html": (table("<img src=x onerror=alert(1)>,b,y", plain), ""),
    "values-as-html": (
        table("a,b,y", lambda i: f"{['<b>', '<script>alert(1)</script>'][i % 2]},{i // 2}"),
        "",
    ),
    "formulas": (table("a,b,y", lambda i: f"=A{i % 2},{i // 2}"), ""),
    "faces": (table("🌡,größe,y", lambda i: f"{i // 2},{'🙂🙃'[i % 2]}"), ""),
    "right-to-left": (table("עמודה,b,סוג", plain, sides=("כן", "לא")), ""),
    "dates": (table("a,b,y", lambda i: f"2024-01-{1 + i % 28:02d},{i % 3}"), 'a: read as its weekday, day.'),
    "dates-in-doubt": (
        table("a,b,y", lambda i: f"03/{1 + i % 12:02d}/2021,{i % 3}"),
        "a: read as its weekday, day. '03/01/2021' is read as month/day, and nothing in the column tells.",
    ),
    "dates-many": (
        table("a,b,y", lambda i: f"{1 + i % 28}.1.{1900 + i},{i // 2}", 90),
        'a: read as its year, weekday, day.',
    ),
    "decimal-commas": (table("a;b;y", lambda i: f"{i // 2},5;{i % 3}"), 'decimal commas'),
    "decimal-commas-many": (table("a;b;y", lambda i: f"{i // 2},5;{i % 3}", 120), 'decimal commas'),
    "thousands": (table("a,b,y", lambda i: f'"{i // 2 + 1},000",{i % 3}'), 'separate thousands'),
    "thousands-by-blanks": (table("a,b,y", lambda i: f"1 {i // 2:03d},{i % 3}"), ''),
    "underscores": (table("a,b,y", lambda i: f"1_{i // 2:03d},{i % 3}"), ''),
    "percents": (table("a,b,y", lambda i: f"{i // 2}%,{i % 3}"), 'per cent'),
    "dollars": (table("a,b,y", lambda i: f"${i // 2},{i % 3}"), 'amounts of $'),
    "single-marks": (table("a,b,y", lambda i: f"'{i // 2}',{i % 3}"), ''),
    "question-marks": (
        table("a,b,y", lambda i: f"{i if i % 9 else '?'},{i // 2}"),
        "a: counted as missing: '?' (5 cells).",
    ),
    "two-tables-in-one": (PLAIN + b"a,b,no\n", "a: not a number, so counted as missing: 'a' (1 cell)."),
    "sum-below": (PLAIN + b"Sum,40,\n", "'Sum' (1 cell)"),
    "leading-zeros": (
        table("a,b,y", lambda i: f"{i // 2:05d},{i % 3}"),
        "read as text, since '00000' begins with 0",
    ),
    "plus-signs": (table("a,b,y", lambda i: f"+{i // 2}.,{i % 3}"), ""),
    "minus-zero": (table("a,b,y", lambda i: f"{'-0.0' if i % 2 else '0'},{i // 2}"), 'it is constant'),
    "near-the-largest": (table("a,b,y", lambda i: f"{i // 2}e306,{i % 3}"), ""),
    "near-the-least": (table("a,b,y", lambda i: f"{i // 2}e-320,{i % 3}"), ""),
    "numbers-of-16-digits": (table("a,b,y", lambda i: f"{2**53 + i // 2},{i % 3}"), 'float64 distinguishes'),
    "hexadecimal": (table("a,b,y", lambda i: f"{i // 2:#x},{i % 3}"), ""),
    "other-digits": (table("a,b,y", lambda i: f"{chr(0xFF10 + i % 10)},{i // 2}"), ""),
    "truths": (table("a,b,y", lambda i: f"{['True', 'false', 'TRUE'][i % 3]},{i // 2}"), ""),
    "infinite-among-words": (table("a,b,y", lambda i: f"{['inf', 'word'][i % 2]},{i // 2}"), ""),
    "missing-in-words": (
        table("a,b,y", lambda i: f"{['NA', 'null', '#N/A', '1'][i % 4]},{i // 2}"),
        "counted as missing: '#N/A', 'NA', 'null' (30 cells)",
    ),
    "classes-missing": (PLAIN.replace(b"yes", b"NA", 5), "5 rows without a value"),
    "class-called-nan": (PLAIN.replace(b"yes", b"nan", 5), "5 rows without a value"),
    "true-and-false": (table("a,b,y", plain, sides=(False, True)), ""),
    "a-class-in-two-ways": (table("a,b,y", plain, sides=(1, 2)).replace(b",2\n", b",2.0\n", 9), ""),
    "classes-by-powers": (table("a,b,y", plain, sides=("1e0", "2e0")), ""),
    "fifty-classes": (b"a,y\n" + b"".join(b"%d,%d\n" % (i // 2, i % 50) for i in range(200)), ""),
    "classes-with-decimals": (b"a,y\n1,0.5\n2,1.5\n", ""),
    "utf-16": (PLAIN.decode().encode("utf-16"), ""),
    "utf-16-big-end": (b"\xfe\xff" + PLAIN.decode().encode("utf-16-be"), ""),
    "latin-1": ("größe,y\n1,no\n2,yes\n".encode("latin-1"), "Windows-1252"),
    "windows-1252": ("größe,y\n1,no\n2,“yes”\n".encode("cp1252"), "Windows-1252"),
    "overlong-sign": (b"a,b,y\n\xc0\x80,2,no\n2,1,yes\n", "Windows-1252"),
    "half-a-sign": (b"a,b,y\n\xed\xa0\x80,2,no\n2,1,yes\n", "Windows-1252"),
    "word-to-excel": (b"sep=;\n" + table("a;b;y", lambda i: f"{i // 2};{i % 3}"), ""),
    "word-to-excel-comma": (b'"SEP=,"\r\n' + PLAIN, ""),
    "index-column": (table(",b,y", lambda i: f"{i},{i % 3}"), "column 1: left out, it numbers the rows"),
    "names-again": (PLAIN + PLAIN, "left out 1 row repeating the column names"),
    "comma-at-the-end-of-rows": (PLAIN.replace(b"no\n", b"no,\n"), ""),
    "two-rows": (b"a,b,y\n1,2,no\n2,2,yes\n", 'b: left out, it is constant'),
    "nothing-to-learn": (b"a,b,y\n" + b"0,1,no\n1,0,no\n0,1,yes\n1,0,yes\n" * 9, ""),
    "two-thousand-columns": (
        b",".join(b"c%d" % j for j in range(1999)) + b",y\n"
        + b"".join(b"%d," % (i % 2) * 1999 + b"%d\n" % (i % 2) for i in range(9)),
        "",
    ),
    "a-long-value": (b"a,b,y\n1,2,no\n" + b"x" * 10**5 + b",1,yes\n", ""),
    "a-million-rows": (
        b"a,b,y\n" + b"".join(b"%d,%d,%d\n" % (i % 1000, i % 7, i % 1000 > 500) for i in range(10**6)),
        "",
    ),
}  # fmt: skip
