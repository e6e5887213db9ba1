"""Random problems by the thousand: tests against naive twins and relations, beyond their examples.

``python tests/suites/random_problems/differential.py --problems 1000 --seed 3 --json FILE [name ...]`` draws
from one seed; runs with other seeds draw others, so they can be shared out to any number of processes. A
problem is a random string of bytes that hypothesis reads as the choices of its strategies; the bytes of a
failure are printed.
"""

import argparse
import importlib
import json
import random
import sys
import time
import warnings
from importlib.util import find_spec
from pathlib import Path

MOST_BYTES = 4096

# method -> tests, as module:function. Each compares with a naive twin, with a changed copy of the problem, or
# with another program.
SUITES = {
    "exact search": ("tests.sparse.test_exact:test_equals_brute_force",),
    "exact search, deep": ("tests.sparse.test_exact:test_equals_brute_force_on_deep_trees",),
    "exact search and imodels": ("tests.sparse.test_peers:test_optimum_is_that_of_imodels",),
    "exact search and STreeD": ("tests.sparse.test_peers:test_optimum_is_that_of_streed",),
    "exact search and licketysplit": ("tests.sparse.test_peers:test_optimum_is_that_of_licketysplit",),
    "optimal sparse trees": (
        "tests.sparse.test_estimator:test_objective_is_the_naive_optimum",
        "tests.sparse.test_estimator:test_leaf_limit_is_the_naive_optimum",
    ),
    "costs and weights": (
        "tests.sparse.test_estimator:test_costs_and_weights_are_the_naive_optimum",
        "tests.sparse.test_estimator:test_weights_are_repeated_rows",
        "tests.sparse.continuous.test_estimator:test_costs_of_errors_are_weights_of_rows",
    ),
    "numbers": ("tests.sparse.continuous.test_search:test_equals_brute_force",),
    "numbers, real weights and stopped": (
        "tests.sparse.continuous.test_search:test_real_weights_equal_brute_force",
        "tests.sparse.continuous.test_search:test_bound_holds_after_a_limit",
    ),
    "numbers, step by step": (
        "tests.sparse.continuous.test_search:test_steps_of_a_moment_have_the_same_optimum",
    ),
    "numbers, lanes": ("tests.sparse.continuous.test_lanes:test_every_lane_is_that_of_the_twin",),
    "numbers and ConTree": ("tests.sparse.continuous.test_peers:test_no_tree_of_contree_is_better",),
    "leaf limit": ("tests.sparse.test_leaf_limit:test_equals_brute_force",),
    "leaf limit, binding": ("tests.sparse.test_leaf_limit:test_equals_brute_force_where_the_limit_binds",),
    "row sets": ("tests.sparse.test_row_sets:test_optimum_equals_brute_force",),
    "row sets, below a target": ("tests.sparse.test_row_sets:test_optimum_below_a_target_is_exact",),
    "constraints, least leaf": ("tests.sparse.constrained.test_search:test_least_leaf_equals_brute_force",),
    "constraints, order": ("tests.sparse.constrained.test_search:test_order_equals_brute_force",),
    "constraints, required features": (
        "tests.sparse.constrained.test_search:test_required_equals_brute_force",
    ),
    "constraints, all at once": ("tests.sparse.constrained.test_search:test_all_at_once_equal_brute_force",),
    "constraints, everywhere": (
        "tests.sparse.constrained.test_estimator:test_predictions_keep_the_order_everywhere",
        "tests.sparse.constrained.test_estimator:test_allowed_columns_are_those_of_a_smaller_table",
    ),
    "constraints, numbers": (
        "tests.sparse.constrained.test_numbers:test_numbers_have_the_optimum_of_all_columns",
    ),
    "regularization path": ("tests.sparse.test_regularization_path:test_path_is_the_brute_force_envelope",),
    "regularization path, limits and costs": (
        "tests.sparse.test_regularization_path:test_path_with_a_leaf_limit_is_the_brute_force_envelope",
        "tests.sparse.test_regularization_path:test_real_costs_give_the_envelope_on_a_grid",
    ),
    "Rashomon set": ("tests.sparse.test_rashomon:test_equals_brute_force",),
    "Rashomon set, limits": (
        "tests.sparse.test_rashomon:test_too_many_trees_leave_the_best",
        "tests.sparse.test_rashomon:test_leaf_limit_gives_the_set_within_it",
    ),
    "branch and bound": ("tests.sparse.test_branch_and_bound:test_every_switch_combination_is_optimal",),
    "branch and bound, larger and stopped": (
        "tests.sparse.test_branch_and_bound:test_default_bounds_and_more_are_optimal",
        "tests.sparse.test_branch_and_bound:test_lower_bound_holds_after_a_limit",
    ),
    "BinOCT": (
        "tests.sparse.test_binoct:test_best_complete_tree",
        "tests.sparse.test_binoct:test_best_regularised_tree",
    ),
    "BinOCT, solutions": ("tests.sparse.test_binoct:test_a_tree_and_its_solution_of_the_program",),
    "born-again, exact": ("tests.bornagain.test_exact:test_printed_order_equals_algorithm_3",),
    "born-again, all objectives": (
        "tests.bornagain.test_exact:test_equals_the_recursion",
        "tests.bornagain.test_recursion:test_same_tree_and_same_calls_as_the_plain_recursion",
        "tests.bornagain.test_ensemble:test_fewest_leaves_at_least_depth",
    ),
    "born-again, stopped": ("tests.bornagain.test_exact:test_stopped_search_is_faithful_and_bounded",),
    "born-again, thresholds": (
        "tests.bornagain.test_regions:test_needed_thresholds_against_all_pairs_of_cells",
    ),
    "born-again, votes": ("tests.bornagain.test_ensemble:test_cells_have_the_class_of_most_votes",),
    "born-again, heuristic": (
        "tests.bornagain.test_heuristic:test_tree_is_faithful_everywhere",
        "tests.bornagain.test_heuristic:test_post_pruning_against_recursion",
    ),
    "born-again, proofs": (
        "tests.bornagain.test_regions:test_proof_of_a_region",
        "tests.bornagain.test_regions:test_certificate_against_all_cells",
    ),
    "compressed ensembles": ("tests.bornagain.test_compress:test_no_set_of_trees_is_smaller",),
    "compressed ensembles, parts": (
        "tests.bornagain.test_compress:test_separation_finds_a_difference_iff_there_is_one",
        "tests.bornagain.test_compress:test_cover_is_the_smallest",
    ),
    "dyadic path": ("tests.dyadic.test_all_prices:test_path_is_that_of_brute_force",),
    "dyadic path, real losses": (
        "tests.dyadic.test_all_prices:test_losses_that_are_not_whole",
        "tests.dyadic.test_all_prices:test_prices_within_two_ends",
    ),
    "dyadic recursion": ("tests.dyadic.test_recursion:test_recursion_is_procedure_1",),
    "dyadic lambda searches": ("tests.dyadic.test_recursion:test_searches_find_the_solution_sequence",),
    "dyadic grid": (
        "tests.dyadic.test_boxes:test_codes_follow_the_splits_of_trees",
        "tests.dyadic.test_boxes:test_choice_of_k_is_section_5",
        "tests.dyadic.test_boxes:test_compression_keeps_the_loss_of_every_labelling",
    ),
    "dyadic trees": (
        "tests.dyadic.test_estimator:test_objective_is_the_naive_optimum",
        "tests.dyadic.test_estimator:test_trees_of_the_path_have_its_values",
        "tests.dyadic.test_recursion:test_risk_is_least_of_all_trees",
    ),
    "top-down splits": ("tests.topdown.grow.test_learner:test_every_split_is_the_best_one",),
    "top-down regression": ("tests.topdown.grow.test_learner:test_every_regression_split_is_the_best_one",),
    "top-down splits and scikit-learn": (
        "tests.topdown.grow.test_peers:test_no_split_of_scikit_learn_is_better",
        "tests.topdown.grow.test_peers:test_no_split_of_scikit_learn_has_less_squared_error",
    ),
    "criteria": (
        "tests.topdown.test_criteria:test_named_criteria_are_their_formulas",
        "tests.topdown.test_criteria:test_tsallis_is_its_formula",
        "tests.topdown.test_criteria:test_gamma_is_its_formula",
    ),
    "subsets, two classes": ("tests.topdown.categories.test_subsets:test_two_classes_have_the_best_subset",),
    "subsets, more classes": (
        "tests.topdown.categories.test_subsets:test_few_categories_have_the_best_subset",
    ),
    "subsets, regression": ("tests.topdown.categories.test_subsets:test_regression_has_the_best_subset",),
    "grid of criteria": ("tests.topdown.test_grid:test_first_split_is_the_best_of_all",),
    "grid of criteria, whole trees": (
        "tests.topdown.test_grid:test_random_problems_give_the_trees_of_single_fits",
        "tests.topdown.test_grid:test_hull_has_every_point_that_minimises_a_concave_function",
    ),
    "forests": ("tests.topdown.test_forest:test_each_tree_is_grown_on_the_rows_drawn_for_it",),
    "rows in order": (
        "tests.topdown.test_forest:test_repeated_codes_are_those_of_the_repeated_rows",
        "tests.topdown.test_forest:test_rows_put_in_order_by_ranks_are_those_that_were_sorted",
        "tests.topdown.test_forest:test_ranks_give_the_tree_of_sorted_lists",
        "tests.topdown.grow.test_radix_sort:test_any_values",
    ),
    "Bayesian trees": ("tests.topdown.test_bayes:test_every_tree_met_has_its_log_posterior",),
    "exact risk": ("tests.topdown.learn.test_splitting_risk:test_trees_over_alpha_are_those_of_the_twin",),
    "exact risk, other parameters": (
        "tests.topdown.learn.test_splitting_risk:test_trees_over_beta_are_those_of_the_twin",
        "tests.topdown.learn.test_splitting_risk:test_trees_over_gamma_are_those_of_the_twin",
        "tests.topdown.learn.test_splitting_risk:test_trees_over_the_tweedie_power_are_those_of_the_twin",
    ),
    "exact risk of pruning": (
        "tests.topdown.learn.test_pruning_risk:test_complexity_loss_is_that_of_the_pruned_trees",
        "tests.topdown.learn.test_pruning_risk:test_pessimistic_cells_hold_the_pruned_trees",
    ),
    "exact risk of growth and pruning": (
        "tests.topdown.learn.test_joint_risk:test_loss_is_that_of_the_twins_pruned_by_listing",
    ),
    "sample complexity": (
        "tests.topdown.learn.test_sample_complexity:test_size_and_excess_are_inverse",
        "tests.topdown.learn.test_sample_complexity:test_step_losses_shatter_no_more_than_the_bound",
    ),
    "pruning": (
        "tests.topdown.test_pruning:test_cost_complexity_is_the_smallest_minimiser",
        "tests.topdown.test_pruning:test_path_is_breimans_procedure",
        "tests.topdown.test_pruning:test_top_down_pessimistic_is_quinlans_rule",
        "tests.topdown.test_pruning:test_bottom_up_pessimistic_is_mansours_rule",
        "tests.topdown.test_pruning:test_critical_value_is_mingers_rule",
    ),
    "pruning, breakpoints and reduced error": (
        "tests.topdown.test_pruning:test_breakpoints_are_exact",
        "tests.topdown.test_pruning:test_reduced_error_is_the_smallest_best_pruning",
    ),
    "tree": ("tests.tree.test_stored:test_comparison_equals_brute_force_on_critical_points",),
    "tree, rows": (
        "tests.tree.test_stored:test_prediction_equals_a_naive_walk",
        "tests.tree.test_stored:test_recount_counts_what_passes_each_node",
        "tests.tree.test_stored:test_simplified_is_the_same_function_and_stays_simple",
    ),
    "rules, SQL and JSON": (
        "tests.tree.test_formats:test_rules_say_what_the_tree_predicts",
        "tests.tree.test_formats:test_sql_predicts_the_same_in_a_database",
        "tests.tree.test_formats:test_json_round_trip_is_exact",
        "tests.tree.test_formats:test_round_trip_through_scikit_learn",
    ),
    "columns of a table": (
        "tests.table.test_binarize:test_columns_split_rows_in_every_possible_way",
        "tests.table.test_binarize:test_columns_follow_thresholds",
        "tests.table.test_binarize:test_weights_place_thresholds_like_repeated_rows",
        "tests.sparse.test_column_tree:test_tree_of_thresholds_is_the_same_function",
        "tests.table.test_encode:test_every_row_is_encoded_as_one_reads_it",
    ),
    "relations": (
        "tests.suites.random_problems.test_metamorphic:test_optimal_sparse_tree",
        "tests.suites.random_problems.test_metamorphic:test_dyadic_tree",
        "tests.suites.random_problems.test_metamorphic:test_topdown_tree",
    ),
    "relations of forests and regression": (
        "tests.suites.random_problems.test_metamorphic_ensembles:test_forest",
        "tests.suites.random_problems.test_metamorphic_ensembles:test_regression",
    ),
    "relations of born-again trees": (
        "tests.suites.random_problems.test_metamorphic_ensembles:test_born_again_tree",
    ),
    "relations of Bayesian trees": (
        "tests.suites.random_problems.test_metamorphic_ensembles:test_bayesian_tree",
    ),
}
# roots in decimals: fewer problems by this factor
SLOW = {"exact risk": 2, "exact risk, other parameters": 2}
# package that a suite needs
PEERS = {
    "numbers and ConTree": "pycontree",
    "exact search and imodels": "imodels",
    "exact search and STreeD": "pystreed",
    "exact search and licketysplit": "licketysplit",
}


def draw(name, n_problems, seed):
    """Run about `n_problems` valid problems of a suite: dict of counts, failures and processor seconds."""
    rng = random.Random(f"{name} {seed}")
    tests = [_function(place) for place in SUITES[name]]
    began, n_tried, n_done, failures = time.process_time(), 0, 0, []
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
    seconds = round(time.process_time() - began, 1)
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
    sys.path.insert(0, str(Path(__file__).parents[3]))
    from treelib.ledger.store import running

    commit = running.commit()
    for name in options.names or SUITES:
        if name in PEERS and find_spec(PEERS[name]) is None:
            print(f"{name:38} not run: {PEERS[name]} is not installed", flush=True)
            continue
        found = draw(name, share(name, options.problems), options.seed) | {"commit": commit}
        n_failures = len(found["failures"])
        print(
            f"{name:38} {found['problems']:6} problems, {n_failures} failures, {found['seconds']} s",
            flush=True,
        )
        for failure in found["failures"][:3]:
            print(f"    {failure['test']}: {failure['error'][:300]}", f"    {failure['bytes']}", sep="\n")
        if options.json:
            with open(options.json, "a") as file:
                file.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
