"""What the pages are made with: cards, places, drawings, the answers of the first page, what is left out."""

import re
from html import unescape
from types import SimpleNamespace
from urllib.parse import quote
from xml.etree import ElementTree

import pytest

import treelib
from treelib.ledger import claims, verdicts
from treelib.ledger.page import findings
from treelib.ledger.papers import papers

# ---- cards and where the book shows a claim ---------------------------------------------------------------


def test_a_card_says_everything_of_a_claim(book):
    """A card without our value, with the rule of another claim, or whose report names no number."""
    cards, citing = book("cards"), book("citing")
    row = next(row for row in verdicts.read() if row["verdict"] == "differs" and row["experiment"])
    site = citing.Site("https://example.org/", "https://example.org/code")
    text = cards.card(row, {row["id"]: ("Table 9.9", "notebooks/x.html#y")}, site)
    ElementTree.fromstring(text.replace("<wbr>", "").replace("&nbsp;", " "))
    assert row["ours"][:6] in text and f"#rule-{row['rule'].split(':')[0].replace(' ', '-')}" in text
    assert f"records/{row['experiment']}.html" in text and "../notebooks/x.html#y" in text
    assert "https://example.org/code/issues/new?title=Discrepancy%3A%20" + row["id"] in text
    assert f"https://example.org/claims/{'.'.join(row['id'].split('.')[:2])}.html#{row['id']}" in text


def test_what_is_fitted_says_so_wherever_its_verdict_stands(book):
    """A green match that is no evidence: on a card, in a note, in the search, on the scorecard."""
    cards, card_file = book("cards"), book("ledger_scorecard")
    row = next(row for row in verdicts.read() if row["fitted"] and row["verdict"] == "match")
    free = next(row for row in verdicts.read() if not row["fitted"] and row["verdict"] == "match")
    site = book("citing").Site()
    assert 'class="verdict match fitted"' in cards.card(row, {}, site)
    head = cards.tally([row, free])
    assert '1 <span class="verdict match">match</span>; not counted' in head
    assert head.endswith(">match, fitted</span>") and f"#fitted-{row['fitted']}" in head
    assert claims.NO_EVIDENCE.capitalize() in book("hover").claims_told()[row["id"]]
    assert claims.NO_EVIDENCE.capitalize() not in book("hover").claims_told()[free["id"]]
    assert cards._found([row, free])[row["id"]][0] == "match, fitted"
    line = card_file.scorecard([row], site)
    assert 'data-verdict="match, fitted"' in line and ">match, fitted</" in line
    assert 'data-verdict="match"' in card_file.scorecard([free], site)
    link = (
        f'<a class="verdict match fitted" href="../claims/x.html#{row["id"]}" data-note="y">match, fitted</a>'
    )
    context = {"body": link}
    options = {"repository_url": "https://example.org/code"}
    config = SimpleNamespace(site_is_public=True, html_baseurl="x", html_theme_options=options)
    cards.flag_verdicts(SimpleNamespace(config=config), "page", "page.html", context, None)
    assert context["body"].startswith(f'{link}<a class="report"')


def test_differences_are_counted_in_one_way(book):
    """A report whose list is longer than the number in its table, since fitted claims are among it."""
    made, rows = book("ledger_scorecard"), verdicts.read()
    for paper in papers():
        mine = [row for row in rows if row["paper"] == paper]
        counted, fitted = made.differences(mine)
        table = made.counts_table(mine, "kind", "kind", "C.")
        last = re.findall(r"<strong>([^<]*)</strong>", table)
        assert last[1 + claims.COUNTED.index(claims.DIFFERS)] == str(len(counted))
        text = made.differing(mine, book("citing").Site())
        assert text.startswith(f"<p>{len(counted)} counted claim")
        assert text.count(">differs, fitted</span>") == len(fitted)
        assert (f" {len(fitted)} more differ" in text) == bool(fitted)
        assert f"causes of {len(counted)} differences" in made.grounds(mine)


def test_an_average_says_what_it_is_made_of(book):
    """A mean of ten folds whose card leads to the top of three hundred records."""
    cards, rows = book("cards"), {row["id"]: row for row in verdicts.read()}
    made = cards._made_of(rows["bornagain.t8.se.born-again-tree-depth-avg"])
    assert made.startswith(
        "10 of 300 cases of <code>bornagain.<wbr>exact</code>: data SE, objective DL printed, fold 1 to 10"
    )
    assert made.count("../records/bornagain.exact.html#r") == 10
    assert "60 of 300" in cards._made_of(rows["bornagain.t7.overall.born-again-tree-depth-max"])
    assert "row mushroom, partition 0 to 9" in cards._made_of(rows["dyadic.t7.mushroom.cart-leaves-mean"])
    assert cards._made_of(next(row for row in rows.values() if row["key"])) == ""


def test_a_card_leads_to_a_chapter(book):
    """A claim that no page shows itself, and no way from its card into the book."""
    place, row = book("cards")._place, {"id": "osdt.t2.a", "paper": "osdt", "item": "Table 2"}
    shown = {"osdt.f1.x": ("Section 1", "n/o.html"), "osdt.t2.b": ("Table 9", "n/o.html#b")}
    assert place(row, shown) == ("not shown itself; others of Table 2: ", "Table 9", "n/o.html#b")
    assert place(row | {"id": "osdt.t3.c"}, shown)[0] == "not shown itself; begin at "
    assert place(row, {"osdt.t2.a": ("Table 8", "a")} | shown) == ("", "Table 8", "a")
    assert place(row, {}) is None
    card = book("cards").card(
        verdicts.read()[0], {verdicts.read()[0]["id"]: ("Table 8", "a")}, book("citing").Site()
    )
    assert '<a href="../a">Table 8</a>' in card


@pytest.mark.parametrize("is_public", [True, False])
def test_nothing_names_an_address_that_does_not_answer(book, is_public):
    """A report, a citation or a tag with the address of a site that nobody has made; a public one without."""
    citing, row = book("citing"), verdicts.read()[0]
    config = {"html": {"baseurl": "https://example.org/"}, "repository": {"url": "https://example.org/code"}}
    config["sphinx"] = {"config": {"site_is_public": is_public}}
    options = {"repository_url": "https://example.org/code"}
    # front.describe_site takes the address from what Sphinx knows
    base = "https://example.org/" if is_public else ""
    seen = SimpleNamespace(site_is_public=is_public, html_baseurl=base, html_theme_options=options)
    assert citing.addresses(config) == (base.rstrip("/"), "https://example.org/code" if is_public else "")
    site, result = citing.Site.of(seen), citing.Result("osdt.t2", "osdt", "Table 2")
    page = base and f"{base}claims/osdt.t2.html"
    texts = [result.text(site.base), result.bibtex(site.base), citing.book_bibtex(site.base)]
    tags = [citing.meta_tags("T", page), citing.json_ld("T", page)]
    for text in (*texts, *tags, site.report(row)):
        assert ("example.org" in text) == is_public, text
    card = book("cards").card(row, {}, site)
    assert "mailto:" not in card + site.flag(row)  # a letter to nobody
    assert ("Copy the text" in card) != is_public and bool(site.flag(row)) == is_public
    assert ("/issues/new?title=Discrepancy" in card) == is_public
    assert all(("has no public address yet" in text) != is_public for text in texts)


def test_a_verdict_in_a_chapter_can_be_doubted(book):
    """A verdict of a table without its report, one of another number, a note torn from its verdict."""
    cards, row = book("cards"), verdicts.read()[0]
    link = f'<a class="verdict {row["verdict"]}" href="../claims/x.html#{row["id"]}" data-note="y">match</a>'
    other = '<a class="verdict match" href="../records/x.html#r1">match</a>'
    context = {"body": f"<td>{link}&nbsp;<sup>1</sup></td><td>{link}</td><td>{other}</td>"}
    options = {"repository_url": "https://example.org/code"}
    config = SimpleNamespace(site_is_public=True, html_baseurl="x", html_theme_options=options)
    cards.flag_verdicts(SimpleNamespace(config=config), "page", "page.html", context, None)
    flag = book("citing").Site("x", "https://example.org/code").flag(row)
    assert f"report a discrepancy of {row['id']}" in flag and quote(row["id"]) in flag
    assert context["body"] == f"<td>{link}&nbsp;<sup>1</sup>{flag}</td><td>{link}{flag}</td><td>{other}</td>"


def test_every_claim_is_on_one_page_of_cards(book):
    """Claims of two tables on one page, or one that is on none."""
    pages = book("cards").by_page()
    assert sorted(row["id"] for rows in pages.values() for row in rows) == sorted(
        row["id"] for row in verdicts.read()
    )
    for page, rows in pages.items():
        assert len({row["paper"] for row in rows}) == 1, page


def test_what_papers_number_is_found(book):
    """A theorem typed into the search that leads to the claim of another, or to one paper of two."""
    rows = verdicts.read()
    found = book("cards").items(rows)
    assert [one[:2] for one in found["theorem 4.1"]] == [
        (papers()["tsallis"].name, "tsallis.s4.theorem-4-1.statement")
    ]
    assert {name for name, *_ in found["table 1"]} == {paper.name for paper in papers().values()}
    assert sum(n for _, _, n, _ in found["table 2"]) == sum(row["item"] == "Table 2" for row in rows)
    assert "section 4 text" not in found and "theorem c.1" in found


def test_a_table_is_where_a_claim_is_shown(book):
    """A card that leads to a sentence although a table has the number."""
    nbformat = pytest.importorskip("nbformat", reason="the extra 'book' is not installed")
    new = nbformat.v4
    output = new.new_output("display_data", {"text/markdown": ":::{table} T\n:name: osdt-x\n\n| a |\n:::"})
    output.metadata["treelib"] = {"values": {"osdt.t1.a": True}}
    cells = [
        new.new_markdown_cell("First {verdict}`osdt.t1.a` and {verdict}`osdt.t1.b`."),
        new.new_code_cell("1", outputs=[output]),
    ]
    found = book("places").places({"notebooks/osdt": new.new_notebook(cells=cells)})
    assert found == {"osdt.t1.a": ("notebooks/osdt", "osdt-x"), "osdt.t1.b": ("notebooks/osdt", "")}


# ---- the first page ---------------------------------------------------------------------------------------


def test_the_first_page_answers_for_every_paper(book):
    """A paper without an answer; a finding that is left out of the counts, also in the picture."""
    answers = book("ledger_findings")
    text = answers.answers()
    assert text.count("<dt>") == len(papers()) == len(answers.QUESTIONS)
    assert all(paper.url in text for paper in papers().values() if paper.url)
    for key in papers():
        rows = findings.kept(key)
        assert f"{len(rows)} findings, " in text and rows[0]["sentence"] in unescape(text)
        assert sum(findings.counted(key).values()) == len(rows)
        assert f">{findings.counted(key)['partly']}</i>" in answers.picture()


def test_findings_lead_to_the_cards_of_their_claims(book):
    """A finding without a way to what it rests on; a claim's card that does not say what it is part of."""
    pages = book("ledger_findings")
    text = pages.findings_tables("osdt")
    assert text.count('<span id="osdt.finding.') == len(findings.kept("osdt"))
    assert '<a href="../claims/osdt.f4.html#osdt.f4.' in text
    assert "five leaves" in pages.of_claim("osdt.f4.osdt.accuracy")[0]["sentence"]
    assert not pages.of_claim("osdt.t2.x.y")


def test_cells_are_counted_by_table(book):
    """A table whose cells are counted twice, or with those that were fitted."""
    text = book("ledger_findings").cells_by_table()
    line = next(line for line in text.split("<tr>") if "Born-again trees, Table 2<" in line)
    assert ">42 of 42</td>" in line
    printed = [row for row in verdicts.read() if row["printed"] and re.fullmatch(r"Table \d+", row["item"])]
    assert text.count("<tr>") == 1 + len({(row["paper"], row["item"]) for row in printed})


def test_one_count_of_claims_everywhere(book):
    """A claim in two columns of the table of counts, or in none; fitted claims among the verdicts."""
    table = book("ledger_scorecard").counts_table(verdicts.read(), "paper", "paper", "Counts")
    for line in table.split("<tr>")[2:]:
        cells = [re.sub("<[^>]+>", "", cell) for cell in line.split("</td>")[:-1]]
        numbers = list(map(int, cells[1:]))
        assert sum(numbers[:4]) == numbers[4] and sum(numbers[4:9]) == numbers[9]
        mine = [row for row in verdicts.read() if cells[0] in ("all", row["paper"])]
        assert numbers[5] == sum(bool(row["fitted"]) for row in mine) and numbers[9] == len(mine)


# ---- drawings and weight ----------------------------------------------------------------------------------


def test_drawings_get_the_ink_of_their_page(book):
    """A drawing whose text keeps the tone between, or that is another size than the page shows."""
    import io

    from matplotlib import rc_context
    from matplotlib.figure import Figure

    from treelib.tree import style

    pictures, buffer = book("pictures"), io.BytesIO()
    with rc_context(style.rc_params()):
        figure = Figure(figsize=(3, 2))
        figure.subplots().set(title="A title", xlabel="x")
        figure.savefig(buffer, format="svg")
    source = buffer.getvalue().decode()
    assert style.INK in source
    for mode, ground in (("light", style.PAPER), ("dark", style.DARK_PAPER)):
        ink = pictures.INKS[mode]
        text, width, height = pictures.variant(source, ink)
        assert style.contrast(ink, ground) >= 7
        root = ElementTree.fromstring(text.partition("<!DOCTYPE")[2].partition(">")[2])
        assert style.INK not in text and ink in text and "metadata" not in text
        assert (root.get("width"), root.get("height")) == (str(width), str(height))
        assert 280 < width < 340  # three inches, and what the edge takes


def test_icons_that_no_page_has_go(book):
    """A font of two thousand icons, or one that lacks an icon of a page or of the theme itself."""
    weight = book("weight")
    css = '.fa-github:before{content:"\\f09b"}.fa-a:before,.fa-b:before{content:"\\f001"}'
    css += '.fa-c:before{content:"\\f002"}.link:after{content:"\\f35d"}'
    assert weight.signs_of(css, {"fa-github", "fa-b"}) == {0xF09B, 0xF001, 0xF35D}


def test_formulas_are_set_with_the_page(book):
    """A formula left as TeX, a number of an equation that is lost, a script that would set it again."""
    pytest.importorskip("quickjs", reason="the extra 'book' is not installed")
    formulas = book("formulas")
    number = '<span class="eqno">(1.1)</span>'
    body = f'<p>\\(x\\)</p><div class="math notranslate" id="e">{number}\\[a &lt; \\frac{{b}}{{2}}\\]</div>'
    body += '<a data-note="more than \\(\\lambda\\)">x</a>'
    context = {"body": body, "script_files": ["_static/mathjax.js", "_static/verify.js"]}
    formulas.set_formulas(None, "page", "page.html", context, None)
    text = context["body"]
    assert context["script_files"] == ["_static/verify.js"]
    assert text.startswith("<p>\\(x\\)</p>") and f'id="e">{number}<span class="formula display">' in text
    assert "<mo>&lt;</mo><mfrac>" in text and "frac{" not in text
    assert 'data-note="more than \\(\\lambda\\)" data-drawn="more than &lt;span class=&quot;formula' in text
    ElementTree.fromstring(formulas.formula(r"\sum_{i=1}^n x_i", display=True))
    for wrong in (r"\frac{a}{", r"\lamda"):
        with pytest.raises(ValueError, match="cannot be set"):
            formulas.formula(wrong)


def test_long_texts_are_folded_not_cut(book):
    """A value or a cause that a table cuts off, or that fills a screen by itself."""
    folded, text = book("rendering").folded, "read as a < b; " * 40
    assert folded("a < b", 4) == "a &lt; b"
    head, _, rest = folded(text, 100).partition(' <details class="more"><summary>the rest</summary>')
    assert 50 < len(head) < 200 and head.endswith(";")
    whole = f"{head} {rest.removesuffix('</details>')}"
    assert whole.replace("&lt;", "<").split() == text.split()


def test_tables_say_how_wide_they_are(book):
    """A table of eight columns in the size of one of five; a heading over two columns that hides the rest."""
    text = '<table class="table " id="t"><tr><th colspan="5">a</th></tr><tr>'
    text += "<td>1</td>" * 5 + '<td class="x"><p><code><span class="pre">y.z</span></code></p></td>'
    text += '</tr></table><table class="dataframe">'
    marked = book("weight").with_columns(text)
    assert marked.startswith('<table class="table w5 w6" id="t"><tr><th colspan="5">')
    assert marked.count("has-code") == 1 and '<td class="x has-code"><p><code>' in marked
    assert 'class="pre">y.<wbr>z<' in marked
    assert marked.endswith('<table class="dataframe">')
    frame = '<table border="1" class="dataframe"><tr>' + "<th>a_b</th>" * 6 + "<td>c_d</td></tr></table>"
    marked = book("weight").with_columns(frame)
    assert 'class="dataframe w5 w6 w7"' in marked and marked.count("a_<wbr>b") == 6 and "c_d" in marked


# ---- notes on words ---------------------------------------------------------------------------------------


def test_tables_say_what_an_abbreviation_is(book):
    """A code of a data set that nobody explains; each row of a table as a stop of the keyboard."""
    words = {"BC": ("term-BC", 'a "set"'), "cell": ("term-cell", "a part")}
    row = "<tr><th>BC</th><td><p>BC</p></td><td>XY</td><td>BC 3</td></tr>"
    text = book("hover").explain_cells(f"<p>BC</p><table>{row}</table><table>{row}</table>", words, "g.html")
    link = '<a class="term" href="g.html#term-BC" data-note="BC: a &quot;set&quot;">BC</a>'
    assert text.count(f"<th>{link}</th>") == text.count(link) == 2
    assert text.startswith("<p>BC</p>") and "<td>XY</td><td>BC 3</td>" in text


def test_names_of_claims_have_notes(book):
    """A claim in a report whose name says nothing; a note on each row of the scorecard, which says all."""
    hover, row = book("hover"), verdicts.read()[0]
    told = hover.claims_told()
    env = SimpleNamespace(treelib_told=told, treelib_statements={}, treelib_glossary={})
    app = SimpleNamespace(env=env, builder=SimpleNamespace(get_relative_uri=lambda page, to: f"../{to}.html"))
    body = f'<a href="../claims/x.html#{row["id"]}">x</a> <a href="#y">y</a> '
    body += '<a class="term" href="z" title="t">z</a>'

    def noted(page):
        context = {"body": body}
        hover.add_notes(app, page, "page.html", context, object())
        return context["body"]

    assert noted("book/scorecard") == body
    text = noted("book/report-osdt")
    assert text.startswith(f'<a href="../claims/x.html#{row["id"]}" data-note="{row["id"]} (')
    assert text.endswith('<a href="#y">y</a> <a class="term" href="z" data-note="t">z</a>')


def test_abbreviations_are_found_as_they_are_written(book):
    """The abbreviation SE in "se", a plural that is not found, the longer of two words that is cut."""
    hover = book("hover")
    pattern = hover.a_word_of(["SE", "tree", "dyadic tree"])
    found = [match[1] for match in pattern.finditer("se, Dyadic trees of SE, Tree")]
    assert found == ["Dyadic tree", "SE", "Tree"]
    assert [hover.as_key(word) for word in found] == ["dyadic tree", "SE", "tree"]


def test_a_page_that_names_a_paper_is_known(book):
    """A page that names a paper or judges a claim of it, and leaves the reader to search for it."""
    speaks_of, paper = book("hover").speaks_of, papers()["osdt"]
    for text in (
        "<p>of Hu,\nRudin and <em>Seltzer</em> 2019</p>",
        "Hu et al. say",
        "<i>Optimal sparse decision trees</i>",
        '<a href="../claims/osdt.t2.html">close</a>',
    ):
        assert speaks_of(paper, text), text
    assert not speaks_of(paper, "<p>optimal sparse trees of others, claims/dyadic.t1.html</p>")


def test_every_kind_of_page_links_its_papers(book):
    """A card or a listing of code that names a paper and leads nowhere, or a page that says it twice."""
    domain = SimpleNamespace(citations=[])
    app = SimpleNamespace(env=SimpleNamespace(get_domain=lambda name: domain))

    def linked(page, body):
        context = {"body": body}
        book("hover").link_papers(app, page, "page.html", context, None)
        return context["body"]

    url = papers()["osdt"].url
    card = linked("claims/bornagain.s4-1", "<h1>x</h1>chosen by Hu et al. (2019)")
    assert card.startswith("<h1>x</h1>\n") and card.count(url) == 1
    assert linked("claims/osdt.t2", card) == card.replace("</h1>\n", "</h1>\n\n", 1)
    chapter = linked("notebooks/osdt_methods", "<h1>x</h1><p>y</p>")
    assert chapter.index(url) < chapter.index("<p>y")


def test_a_paper_can_be_found(book):
    """A page that names a paper without its address, or one without a DOI by no volume and pages."""
    hover = book("hover")
    for key, paper in papers().items():
        line = hover._paper(key)
        assert paper.url in line and line.count("<a href=") == 1
        assert paper.doi or paper.arxiv or re.search(r"\d+\(\d+\):\d+", line)
        ElementTree.fromstring(f"<p>{line}</p>")


# ---- citations --------------------------------------------------------------------------------------------


def cited(book, row):
    """The citation of a line of the table of verdicts, `citing.Result`."""
    citing, claim = book("citing"), claims.find(row["id"])
    what = ", ".join(part for part in (claim.row, claim.column) if part)
    return citing.Result(row["id"], row["paper"], row["item"], what, citing.finding(row))


def test_bibtex_of_every_claim_is_latex(book):
    """An entry at which LaTeX stops (a bare #, a Greek letter), or that reads otherwise than its text."""
    read_back = pytest.importorskip("pylatexenc.latex2text").LatexNodes2Text().latex_to_text
    others = {"\u02c6": "^", "\u02d9": "\u00b7", "\u221a()": "\u221a"}  # what pylatexenc reads for these
    database = pytest.importorskip("pybtex.database")
    results = [cited(book, row) for row in verdicts.read()]
    results += [result for paper in papers() for result in book("citing").results(paper)]
    entries = [result.bibtex("https://example.org/book") for result in results]
    assert len(entries) > 1700 and all(entry.isascii() for entry in entries)
    found = database.parse_string("\n".join(entries), "bibtex").entries
    assert len(found) == len(set(found)) == len(entries)
    for result in results:
        fields = found[f"treelib.{result.id}"].fields
        for name, text in (("title", result._original()), ("note", result._note())):
            assert not re.search(r"(?<!\\)[#%&_$]|\^", re.sub(r"\\\^", "", fields[name])), result.id
            read = re.sub(
                "|".join(map(re.escape, others)), lambda one: others[one[0]], read_back(fields[name])
            )
            assert read == text, result.id


def test_signs_of_every_kind_are_escaped(book):
    """A title with another sign than those of today."""
    latex = book("citing").latex
    assert latex("50 % of #a_b & {c} ~ 2^k") == (
        r"50 \% of \#a\_b \& \{c\} {\textasciitilde} 2{\textasciicircum}k"
    )
    assert latex("\u00e9, \u03c1\u0302") == r"\'e, \ensuremath{\hat{\ensuremath{\rho}}}"
    with pytest.raises(ValueError, match="representation"):
        latex("\u4e2d")  # better no book than an entry that stops LaTeX


def test_a_citation_holds_the_number_and_the_verdict(book):
    """A citation that says where a number is, and neither the number nor what came out."""
    rows = {row["id"]: row for row in verdicts.read()}
    site = book("citing").Site()
    for claim_id, said in {
        "osdt.f4.osdt.accuracy": "Reproduced: 66.90 % (printed 66.90 %), match, ",
        "dyadic.t2.diabetes.distinct-solutions": "Not reproduced: 31 (printed 21), differs, ",
        "osdt.f6.osdt.accuracy": "Reproduced: 100 % (printed 100 %), match, fitted, ",
    }.items():
        row, where = rows[claim_id], f"treelib companion {treelib.__version__}, result {claim_id}"
        assert f"{said}{where}." in cited(book, row).text(site.base)
        assert book("citing").latex(said + where) in cited(book, row).bibtex(site.base)
    for row in rows.values():  # of every verdict something is said, of every number which
        text = cited(book, row).text("")
        assert claims.words(row["verdict"], row["fitted"]) in text
        assert (
            "(printed " in text
            or not row["printed"]
            or len(row["printed"] + row["ours"]) > 60
            or (not row["ours"] and ": printed " in text)
        )


def test_a_card_shows_our_value_at_the_printed_digits(book):
    """Twelve digits beside four, of which a reader sees not whether they agree."""
    rows = {row["id"]: row for row in verdicts.read()}
    card = book("cards").card(rows["osdt.f4.osdt.accuracy"], {}, book("citing").Site())
    assert "<dd>66.90\u202f% (66.9031417403)</dd>" in card
    assert "<dd>232,402 trees</dd>" in book("cards").card(
        rows["osdt.t2.all-bounds.trees-evaluated"], {}, book("citing").Site()
    )


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        ("bornagain.t2.fi.d-leaves", {"fico", "vidal", "schiffer"}),
        ("bornagain.t4.cp.born-again-acc", {"compas-propublica", "accuracy"}),
        ("tsallis.t1.iris.best-alpha", {"\N{GREEK SMALL LETTER ALPHA}"}),
        ("osdt.f4.caption.lambda", {"\N{GREEK SMALL LETTER LAMDA}"}),
    ],
)
def test_a_claim_is_found_by_other_names(book, claim, words):
    """A claim that only the paper's abbreviation finds, or only one spelling of a Greek letter."""
    row = next(row for row in verdicts.read() if row["id"] == claim)
    assert words <= set(book("claim_words").also(row).split())
    assert book("claim_words").greek_name("\N{GREEK CAPITAL LETTER LAMDA}") == "lambda"
    assert book("claim_words").greek_name("a") == book("claim_words").greek_letter("leaves") == ""
