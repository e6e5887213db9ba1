"""Files that the page must refuse, each with a word of the sentence that says what is wrong."""

import gzip

ROWS = b"a,b,y\n1,2,no\n2,1,yes\n"


def wide(n):
    return ",".join(f"c{i}" for i in range(n)).encode() + b",y\n" + b",".join([b"1"] * n) + b",no\n"


BAD = {
    "empty": (b"", "empty"),
    "blank": (b" \n \n\t\n", "blanks"),
    "names-only": (b"a,b,y\n", "no row below"),
    "names-without-end": (b"a,b,y", "no row below"),
    "one-column": (b"y\n1\n2\n", "single column"),
    "one-column-by-spaces": (b"a b y\n1 2 no\n2 1 yes\n", "single column"),
    "zip": (b"PK\x03\x04" + bytes(50), "zip archive or a spreadsheet"),
    "gzip": (gzip.compress(ROWS), "compressed"),
    "parquet": (b"PAR1" + bytes(20), "Parquet"),
    "pdf": (b"%PDF-1.7 and more", "PDF"),
    "utf-16-without-mark": (ROWS.decode().encode("utf-16-le"), "zero bytes"),
    "zero-late": (ROWS + b"x" * 70000 + b"\0,1,no\n", "zero bytes"),
    "binary": (bytes(range(128, 256)) * 4, "not UTF-8"),
    "html": (b"<!DOCTYPE html><html><body>404</body></html>", "web page"),
    "json": (b'[{"a": 1, "y": "no"}]', "JSON"),
    "json-table": (b'{"a": [1], "y": ["no"]}', "JSON"),
    "short-row": (b"a,b,y\n1,2,no\n2,yes\n", "Line 3 has 2 values"),
    "long-row": (b"a,b,y\n1,2,no\n2,1,yes,1\n", "Line 3 has 4 values"),
    "short-row-after-quotes": (b'a,b,y\n"x\ny",2,no\n2,yes\n', "Line 4 has 2 values"),
    "open-quote": (b'a,b,y\n"1,2,no\n2,1,yes\n', "never closed"),
    "text-after-quote": (b'a,b,y\n"1"x,2,no\n2,1,yes\n', "follows a closing quotation mark"),
    "no-names-twice": (b"0,0,1\n1,2,0\n2,1,1\n", "holds numbers only"),
    "twice": (b"a,a,y\n1,2,no\n2,1,yes\n", "more than once"),
    "no-names": (b"1,2,0\n2,1,1\n", "must name the columns"),
    "wide": (wide(2100), "2101 columns"),
    "one-class": (b"a,b,y\n1,2,no\n2,1,no\n", "one value only"),
    "no-class": (b"a,b,y\n1,2,\n2,1,NULL\n", "No row has a value"),
    "many-classes": (b"a,y\n" + b"".join(b"%d,%d.5\n" % (i, i) for i in range(60)), "a quantity"),
    "free-text": (b"a,y\n" + b"".join(b"%d,word%d\n" % (i, i) for i in range(60)), "free text"),
    "infinite": (b"a,y\n1,no\ninf,yes\n", "infinite"),
    "minus-infinite": (b"a,y\n1,no\n-Infinity,yes\n", "infinite"),
    "beyond-float": (b"a,y\n1,no\n1e999,yes\n", "beyond 1.8e308"),
    "constant": (b"a,b,y\n1,2,no\n1,2,yes\n", "No column is left"),
    "all-missing": (b"a,b,y\n,NULL,no\n,nan,yes\n", "No column is left"),
    "names-of-people": (
        b"who,y\n" + b"".join(b"p%d,%d\n" % (i, i % 2) for i in range(60)),
        "No column is left",
    ),
}

LONE, ABOVE = "must be separated by", "Delete what stands above"
# more of what is no table, or a table of another form
BAD |= {
    "utf-16-big-end": (ROWS.decode().encode("utf-16-be"), "zero bytes"),
    "utf-32": (ROWS.decode().encode("utf-32"), "UTF-32"),
    "shift-jis": ("大きさ,y\n1,no\n2,yes\n".encode("shift-jis"), "not UTF-8"),
    "cut-in-a-sign": ("a,b,y\n1,2,no\n2,1,größ".encode()[:-1], "not UTF-8"),
    "xml": (b'<?xml version="1.0"?><table><row a="1"/></table>\n', "XML"),
    "svg": (b'<svg xmlns="http://www.w3.org/2000/svg"/>', "XML"),
    "html-of-a-table": (b"<table><tr><td>a</td><td>b</td></tr></table>", "web page"),
    "html-after-a-remark": (b"<!-- saved --><!DOCTYPE html><html></html>", "web page"),
    "rtf": (b"{\\rtf1\\ansi a,b,y\\par 1,2,no}", "text document"),
    "json-lines": (b'{"a": 1, "y": "no"}\n{"a": 2, "y": "yes"}\n', "JSON"),
    "json-numbers": (b"[1, 2, 3]\n", "JSON"),
    "json-nothing": (b"[]\n", "JSON"),
    "yaml": (b"- a: 1\n  y: no\n- a: 2\n  y: yes\n", LONE),
    "libsvm": (b"+1 1:0.5 2:1\n-1 1:0.2 3:1\n", LONE),
    "latex": (b"a & b & y \\\\\n1 & 2 & no \\\\\n", LONE),
    "colons": (b"a:b:y\n1:2:no\n2:1:yes\n", LONE),
    "marks-alone": (b'""""""\n""""""\n', LONE),
    "arff": (b"@relation r\n@attribute a numeric\n@data\n1,no\n2,yes\n", ABOVE),
    "program": (b"import os\nprint('a', 'b')\n", ABOVE),
    "letter": (b"From: a@b.c\nSubject: table\n\n" + ROWS, ABOVE),
    "title": (b"Sales of 2024\n\n" + ROWS, ABOVE),
    "remark": (b"# made by hand\n" + ROWS, ABOVE),
    "markdown": (b"| a | b | y |\n|---|---|---|\n| 1 | 2 | no |\n| 2 | 1 | yes |\n", "Markdown"),
    "commas-alone": (b",,,\n,,,\n,,,\n", "No row has a value"),
    "same-name-but-for-blanks": (b"a,a ,y\n1,2,no\n2,1,yes\n", "more than once"),
    "conflict": (b"a,b,y\n<<<<<<< HEAD\n1,2,no\n=======\n2,1,yes\n>>>>>>> x\n", "Line 2 has 1 value,"),
    "other-separator-below": (b"a,b,y\n1;2;no\n2;1;yes\n", "Line 2 has 1 value,"),
    "end-of-dos": (ROWS + b"\x1a", "Line 4 has 1 value,"),
    "mark-by-backslash": (b'a,b,y\n"x\\"y",2,no\n"z",1,yes\n', "follows a closing quotation mark"),
    "open-quote-in-the-last-line": (ROWS + b'3,1,"yes\n', "opens in line 4"),
    "one-row": (b"a,b,y\n1,2,no\n", "one value only"),
    "one-number-in-two-ways": (b"a,b,y\n1,2,1\n2,1,1.0\n", "one value only"),
    "ten-thousand-words": (b"a,y\n" + b"".join(b"%d,w%d\n" % (i, i) for i in range(10000)), "free text"),
    "ten-thousand-numbers": (b"a,y\n" + b"".join(b"%d,%d\n" % (i, i) for i in range(10000)), "a quantity"),
    "infinite-classes": (b"a,y\n1,inf\n2,-inf\n", "infinite values"),
    "one-line-without-end": (b"a," * 3_000_000, "3000001 columns"),
}

# mistakes that a file of any separator can have
ANYWHERE = """names-only names-without-end short-row long-row short-row-after-quotes open-quote
text-after-quote twice no-names one-class no-class many-classes free-text infinite
beyond-float constant all-missing""".split()
SEPARATORS = {"semicolon": b";", "tab": b"\t", "bar": b"|"}
BAD |= {
    f"{name}-{called}": (BAD[name][0].replace(b",", sign), BAD[name][1])
    for called, sign in SEPARATORS.items()
    for name in ANYWHERE
}
# what people drop that is no table: the first bytes of each kind of file
OTHERS = {
    "elf": b"\x7fELF\2\1\1\0",
    "tar": b"table.csv" + bytes(91) + b"0000644\0",
    "wasm": b"\0asm\1\0\0\0",
    "png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    "jpeg": b"\xff\xd8\xff\xe0\0\x10JFIF",
    "gif": b"GIF89a\x10\0\x10\0",
    "old-excel": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16),
    "sqlite": b"SQLite format 3\0\x10\0",
    "pickle": b"\x80\x04\x95\x10\0\0\0",
    "numpy": b"\x93NUMPY\x01\0v\0{'descr'",
    "feather": b"ARROW1\0\0" + bytes(16),
    "hdf5": b"\x89HDF\r\n\x1a\n" + bytes(8),
    "bzip2": b"BZh91AY&SY\xff\xd6",
    "xz": b"\xfd7zXZ\0",
    "zstd": b"\x28\xb5\x2f\xfd\x04\0",
}
NO_TEXT = ("zero bytes", "not UTF-8", "compressed")
BAD |= {name: (content, NO_TEXT) for name, content in OTHERS.items()}
# mistakes of different kinds, a separator apart
assert len(BAD) - len(SEPARATORS) * len(ANYWHERE) >= 75
