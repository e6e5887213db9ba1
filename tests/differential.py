"""Random problems by the thousand: tests against naive twins and relations, beyond their examples.

``python tests/differential.py --problems 1000 --seed 3 --json FILE [name ...]`` draws problems from one seed;
runs with other seeds draw others, so they can be shared out to any number of processes. A problem is a random
string of bytes that hypothesis reads as the choices of its strategies; the bytes of a failure are printed.
"""

import argparse
import importlib
import json
import random
import sys
import time
import warnings
from pathlib import Path

MOST_BYTES = 4096

# method -> tests, as module:function. Each compares with a naive twin, or with a changed copy of the problem.
SUITES = {
    "exact search": ("test_exact_engine:test_equals_brute_force",),
    "exact search, deep": ("test_exact_engine:test_equals_brute_force_on_deep_trees",),
    "leaf limit": ("test_leaf_limit:test_equals_brute_force",),
    "leaf limit, binding": ("test_leaf_limit:test_equals_brute_force_where_the_limit_binds",),
    "row sets": ("test_row_sets:test_optimum_equals_brute_force",),
    "regularization path": ("test_path:test_path_is_the_brute_force_envelope",),
    "Rashomon set": ("test_rashomon:test_equals_brute_force",),
    "branch and bound": ("test_branch_and_bound:test_every_switch_combination_is_optimal",),
    "BinOCT": ("test_binoct:test_best_complete_tree", "test_binoct:test_best_regularised_tree"),
    "born-again, exact": ("test_bornagain_exact:test_printed_order_equals_algorithm_3",),
    "born-again, stopped": ("test_bornagain_exact:test_stopped_search_is_faithful_and_bounded",),
    "born-again, thresholds": ("test_bornagain_regions:test_needed_thresholds_against_all_pairs_of_cells",),
    "born-again, votes": ("test_bornagain_forest:test_cells_have_the_class_of_most_votes",),
    "dyadic path": ("test_dyadic_path:test_path_is_that_of_brute_force",),
    "dyadic recursion": ("test_dyadic_recursion:test_recursion_is_procedure_1",),
    "dyadic lambda searches": ("test_dyadic_recursion:test_searches_find_the_solution_sequence",),
    "top-down splits": ("test_topdown_learner:test_every_split_is_the_best_one",),
    "top-down regression": ("test_topdown_learner:test_every_regression_split_is_the_best_one",),
    "grid of criteria": ("test_topdown_grid:test_first_split_is_the_best_of_all",),
    "exact risk": ("test_erm:test_trees_over_alpha_are_those_of_the_twin",),
    "pruning": (
        "test_pruning:test_cost_complexity_is_the_smallest_minimiser",
        "test_pruning:test_path_is_breimans_procedure",
        "test_pruning:test_top_down_pessimistic_is_quinlans_rule",
        "test_pruning:test_bottom_up_pessimistic_is_mansours_rule",
        "test_pruning:test_critical_value_is_mingers_rule",
    ),
    "tree": ("test_tree:test_comparison_equals_brute_force_on_critical_points",),
    "relations": (
        "test_metamorphic:test_optimal_sparse_tree",
        "test_metamorphic:test_dyadic_tree",
        "test_metamorphic:test_topdown_tree",
    ),
}
SLOW = {"exact risk": 20}  # roots in decimals: fewer problems by this factor


def draw(name, n_problems, seed):
    """Run about `n_problems` valid problems of a suite: dict of counts, with the failures."""
    rng = random.Random(f"{name} {seed}")
    tests = [_function(place) for place in SUITES[name]]
    began, n_tried, n_done, failures = time.perf_counter(), 0, 0, []
    while n_done < n_problems and n_tried < 20 * n_problems:
        test = tests[n_tried % len(tests)]
        text = rng.randbytes(rng.choice((16, 64, 256, 1024, MOST_BYTES)))
        n_tried += 1
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                n_done += test.hypothesis.fuzz_one_input(text) is not None
        except Exception as error:
            n_done += 1
            failures.append({"test": test.__name__, "bytes": text.hex(), "error": str(error)[:500]})
    seconds = round(time.perf_counter() - began, 1)
    return {"suite": name, "seed": seed, "problems": n_done, "failures": failures, "seconds": seconds}


def share(name, n_problems):
    """Problems of a suite, of which slow ones get fewer."""
    return max(1, n_problems // SLOW.get(name, 1))


def _function(place):
    from hypothesis import settings

    settings.register_profile("many", deadline=None, database=None)
    settings.load_profile("many")
    module, name = place.split(":")
    return getattr(importlib.import_module(module), name)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", help="suites (default: all)")
    parser.add_argument("--problems", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", metavar="FILE", help="add the records to this file of lines")
    options = parser.parse_args()
    sys.path.insert(0, str(Path(__file__).parent))
    from treelib.ledger import store_run

    commit = store_run.commit()
    for name in options.names or SUITES:
        found = draw(name, share(name, options.problems), options.seed) | {"commit": commit}
        n_failures = len(found["failures"])
        print(
            f"{name:24} {found['problems']:6} problems, {n_failures} failures, {found['seconds']} s",
            flush=True,
        )
        for failure in found["failures"][:3]:
            print(f"    {failure['test']}: {failure['error'][:300]}", f"    {failure['bytes']}", sep="\n")
        if options.json:
            with open(options.json, "a") as file:
                file.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
