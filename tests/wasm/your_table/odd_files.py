"""Files of odd form that the page must read as Python does, each with what it notes of them ("": nothing)."""


def table(names, line, n=40, sides=("no", "yes")):
    """A file of n lines: `line` of a number, then the class, which changes after the twenty-first."""
    sign = ";" if ";" in names else ","
    rows = (f"{line(i)}{sign}{sides[i > 20]}\n" for i in range(n))
    return f"{names}\n{''.join(rows)}".encode()


def plain(i):
    return f"{i},{i % 3}"


PLAIN = table("a,b,y", plain)
DECIMALS = "Write numbers like 1234.5"
ODD = {
    "byte-order-mark": (b"\xef\xbb\xbf" + PLAIN, ""),
    "mark-semicolons-windows": (
        b"\xef\xbb\xbf" + table("a;b;y", lambda i: f"{i};{i % 3}").replace(b"\n", b"\r\n"),
        "",
    ),
    "old-mac": (PLAIN.replace(b"\n", b"\r"), ""),
    "two-line-ends": (PLAIN.replace(b"no\n", b"no\r\n"), ""),
    "no-last-line-end": (PLAIN[:-1], ""),
    "blank-lines": (PLAIN.replace(b"\n", b"\n\n\n"), ""),
    "lines-of-blanks": (PLAIN.replace(b"no\n", b"no\n   \n"), ""),
    "all-in-marks": (table('"a","b","y"', lambda i: f'"{i}","{i % 3}"'), ""),
    "blanks-after-commas": (table("a, b, y", lambda i: f"{i}, {i % 3}"), ""),
    "mark-inside-a-value": (table("a,b,y", lambda i: f'{i},{i % 3}" pipe'), ""),
    "name-of-two-lines": (table('"a\nb",b,y', plain), ""),
    "name-of-5000-signs": (table("x" * 5000 + ",b,y", plain), ""),
    "names-by-case": (table("a,A,y", plain), ""),
    "number-as-name": (table("1,b,y", plain), ""),
    "names-of-the-language": (table("__proto__,constructor,y", plain), ""),
    "values-of-the-language": (
        table("a,b,y", lambda i: f"{['__proto__', 'constructor', 'toString'][i % 3]},{i}"),
        "",
    ),
    "classes-of-the-language": (table("a,b,y", plain, sides=("__proto__", "hasOwnProperty")), ""),
    "names-as-html": (table("<img src=x onerror=alert(1)>,b,y", plain), ""),
    "values-as-html": (table("a,b,y", lambda i: f"{['<b>', '<script>alert(1)</script>'][i % 2]},{i}"), ""),
    "formulas": (table("a,b,y", lambda i: f"=A{i % 2},{i}"), ""),
    "faces": (table("🌡,größe,y", lambda i: f"{i},{'🙂🙃'[i % 2]}"), ""),
    "right-to-left": (table("עמודה,b,סוג", plain, sides=("כן", "לא")), ""),
    "dates": (table("a,b,y", lambda i: f"2024-01-{1 + i % 28:02d},{i % 3}"), "a date such as “2024-01-01”"),
    "dates-many": (table("a,b,y", lambda i: f"{1 + i % 28}.1.{1900 + i},{i}", 90), "left out: it has 90"),
    "decimal-commas": (table("a;b;y", lambda i: f"{i},5;{i % 3}"), DECIMALS),
    "decimal-commas-many": (table("a;b;y", lambda i: f"{i},5;{i % 3}", 120), "left out: it has 120"),
    "thousands": (table("a,b,y", lambda i: f'"{i + 1},000",{i % 3}'), DECIMALS),
    "thousands-by-blanks": (table("a,b,y", lambda i: f"1 {i:03d},{i % 3}"), DECIMALS),
    "underscores": (table("a,b,y", lambda i: f"1_{i:03d},{i % 3}"), DECIMALS),
    "percents": (table("a,b,y", lambda i: f"{i}%,{i % 3}"), DECIMALS),
    "dollars": (table("a,b,y", lambda i: f"${i},{i % 3}"), DECIMALS),
    "single-marks": (table("a,b,y", lambda i: f"'{i}',{i % 3}"), DECIMALS),
    "question-marks": (table("a,b,y", lambda i: f"{i if i % 9 else '?'},{i}"), "“?” is none. Leave"),
    "two-tables-in-one": (PLAIN + b"a,b,no\n", "“a” is none"),
    "sum-below": (PLAIN + b"Sum,40,\n", "“Sum” is none"),
    "leading-zeros": (table("a,b,y", lambda i: f"{i:05d},{i % 3}"), ""),
    "plus-signs": (table("a,b,y", lambda i: f"+{i}.,{i % 3}"), ""),
    "minus-zero": (table("a,b,y", lambda i: f"{'-0.0' if i % 2 else '0'},{i}"), "same value everywhere"),
    "near-the-largest": (table("a,b,y", lambda i: f"{i}e306,{i % 3}"), ""),
    "near-the-least": (table("a,b,y", lambda i: f"{i}e-320,{i % 3}"), ""),
    "numbers-of-16-digits": (table("a,b,y", lambda i: f"{2**53 + i},{i % 3}"), ""),
    "hexadecimal": (table("a,b,y", lambda i: f"{i:#x},{i % 3}"), ""),
    "other-digits": (table("a,b,y", lambda i: f"{chr(0xFF10 + i % 10)},{i}"), ""),
    "truths": (table("a,b,y", lambda i: f"{['True', 'false', 'TRUE'][i % 3]},{i}"), ""),
    "infinite-among-words": (table("a,b,y", lambda i: f"{['inf', 'word'][i % 2]},{i}"), ""),
    "missing-in-words": (table("a,b,y", lambda i: f"{['NA', 'null', '#N/A', '1'][i % 4]},{i}"), ""),
    "classes-missing": (PLAIN.replace(b"yes", b"NA", 5), "5 rows without a value"),
    "class-called-nan": (PLAIN.replace(b"yes", b"nan", 5), "5 rows without a value"),
    "true-and-false": (table("a,b,y", plain, sides=(False, True)), ""),
    "a-class-in-two-ways": (table("a,b,y", plain, sides=(1, 2)).replace(b",2\n", b",2.0\n", 9), ""),
    "classes-by-powers": (table("a,b,y", plain, sides=("1e0", "2e0")), ""),
    "fifty-classes": (b"a,y\n" + b"".join(b"%d,%d\n" % (i, i % 50) for i in range(200)), ""),
    "two-rows": (b"a,b,y\n1,2,no\n2,2,yes\n", "same value everywhere"),
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
