"""Links from an estimator in a notebook to its documentation."""

import pytest

from treelib import OptimalSparseTreeClassifier, TopDownForestRegressor, documentation


@pytest.fixture
def no_metadata(monkeypatch):
    monkeypatch.setattr(documentation, "_of_package", lambda: "")
    monkeypatch.delenv(documentation.VARIABLE, raising=False)


@pytest.mark.parametrize("estimator", [OptimalSparseTreeClassifier(), TopDownForestRegressor()])
def test_repr_links_to_the_entry_of_the_estimator(estimator, monkeypatch, no_metadata):
    """A link to scikit-learn's site, to another class, or with two slashes."""
    for address in ("https://example.org/book", "https://example.org/book/"):
        monkeypatch.setenv(documentation.VARIABLE, address)
        link = f"https://example.org/book/api.html#treelib.{type(estimator).__name__}"
        assert f'href="{link}"' in estimator._repr_html_()


@pytest.mark.parametrize("address", ["", "docs", "javascript:alert(1)"])
def test_no_address_no_link(address, monkeypatch, no_metadata):
    """A link to a site that does not exist."""
    monkeypatch.setenv(documentation.VARIABLE, address)
    shown = OptimalSparseTreeClassifier()._repr_html_()
    assert "api.html" not in shown and "javascript:alert" not in shown
    assert OptimalSparseTreeClassifier()._get_doc_link() == ""


def test_address_of_the_package(monkeypatch):
    """A Documentation URL of the package's metadata that is not found."""
    fields = {"Project-URL": ["Source, https://a.org", "Documentation, https://b.org/book"]}

    class Metadata:
        get_all = staticmethod(fields.get)

    monkeypatch.delenv(documentation.VARIABLE, raising=False)
    monkeypatch.setattr(documentation, "metadata", lambda name: Metadata)
    documentation._of_package.cache_clear()
    assert documentation.address() == "https://b.org/book/"
    documentation._of_package.cache_clear()
