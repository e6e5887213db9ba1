"""Which values anyone can compute."""

import pytest

from treelib.ledger import experiments
from treelib.ledger.page import shipping


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("monk1", True),
        ("dyadic/banana", True),
        ("tsallis/iris", True),
        ("bornagain/HTRU2", False),
        ("tsallis/HAR", False),
        ("bornagain/Seeds/forests/Seeds.RF1.txt", False),
    ],
)
def test_ships(name, expected):
    """A file that only has an address counted as ours, or the other way round."""
    assert shipping.ships(name) == expected


@pytest.mark.parametrize(
    ("id_", "experiment", "expected"),
    [
        ("osdt.f4.osdt.accuracy", "", True),
        ("osdt.t2.all-bounds.memory", "osdt.t2", True),
        ("dyadic.t7.mushroom.odt-error-min", "dyadic.t7", True),
        ("dyadic.t7.intrusion.odt-error-min", "dyadic.t7", False),
        ("dyadic.sa.table-7.claim", "dyadic.t7", False),
        ("bornagain.t2.se.d-depth", "bornagain.exact", False),
    ],
)
def test_values_on_shipped_data(id_, experiment, expected):
    """A value counted by the data of other rows of its table."""
    assert shipping.on_shipped_data({"id": id_, "experiment": experiment, "key": ""}) == expected


def test_a_key_names_the_case():
    """A verdict with a record of its own, judged by all cases of the experiment."""
    case = {"row": "thyroid"}
    entry = next(one for one in shipping._entries(experiments.get("dyadic.t4")) if one["case"] == case)
    verdict = {"id": "dyadic.t4.x", "experiment": "dyadic.t4", "key": entry["key"]}
    assert shipping.on_shipped_data(verdict) and not shipping.on_shipped_data({**verdict, "key": ""})
