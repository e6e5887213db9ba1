"""Tables of a run and the comparison with what was set out to be reached."""

import statistics

from treelib.papers.across.engine import SAME, problem_of, seconds_of


def show_seconds(value):
    return "-" if value is None else f"{value:.4f}" if value < 1 else f"{value:.2f}"


def show_bytes(value):
    return "-" if value is None else f"{value / 2**20:,.0f} MB"


def print_case(case, records):
    """One block: a line a solver with times, ratio to ours at the same depth limit, memory, tree."""
    print(f"\n{case.name}")
    print(
        f"  {'':24}{'fit s':>9} {'cpu s':>9} {'search s':>9} {'ours /':>8} {'peak':>10}"
        "  errors leaves  objective"
    )
    for record in records:
        own = next(
            (r for r in records if r["solver"] == "treelib" and problem_of(r) == problem_of(record)), None
        )
        ratio = ratio_of(own, record)
        name = record["solver"] + (
            "" if record["max_depth"] == case.max_depth else f" depth {record['max_depth']}"
        )
        times = " ".join(
            f"{show_seconds(seconds_of(record, kind)):>9}"
            for kind in ("seconds", "cpu_seconds", "search_seconds")
        )
        scores = (
            ""
            if record.get("errors") is None
            else (f"{record['errors']:>8} {record['leaves']:>6}  {record['objective']:.9f}")
        )
        print(
            f"  {name:24}{times} "
            f"{'' if ratio is None or record is own else f'{ratio:.2f}x':>8} "
            f"{show_bytes(record.get('peak_bytes')):>10}{scores}  {remark(own, record)}",
            flush=True,
        )


def ratio_of(own, record, kind="seconds"):
    """Time of ours divided by that of `record`; None where one of both has no answer."""
    if own is None:
        return None
    ours, theirs = seconds_of(own, kind), seconds_of(record, kind)
    return ours / theirs if ours and theirs else None


def remark(own, record):
    """What a reader must know: no proof, another optimum."""
    if record["ended"] != "ok":
        return f"{record['ended']} {record.get('error', '')}".rstrip()
    difference = record["objective"] - own["objective"] if own and own["ended"] == "ok" else 0.0
    if difference > SAME:
        return f"NOT OPTIMAL: {difference:.2g} above ours"
    if difference < -SAME:
        return f"OURS IS NOT OPTIMAL: {-difference:.2g} below ours"
    return ""


def wrong_answers(records):
    """Pairs (record, remark) of claimed optima that differ from ours."""
    found = []
    for own, record in pairs(records, None):
        text = remark(own, record)
        if "OPTIMAL" in text:
            found.append((record, text))
    return found


def pairs(records, solver):
    """(ours, theirs) of equal problems; all peers for `solver` None."""
    ours = {problem_of(r): r for r in records if r["solver"] == "treelib"}
    return [
        (ours[problem_of(r)], r)
        for r in records
        if r["solver"] != "treelib" and solver in (None, r["solver"]) and problem_of(r) in ours
    ]


def ratios(records, solver, kind="seconds"):
    """{problem: time of ours / time of theirs} of the problems both solved."""
    found = {problem_of(theirs): ratio_of(ours, theirs, kind) for ours, theirs in pairs(records, solver)}
    return {problem: ratio for problem, ratio in found.items() if ratio is not None}


def geometric_mean(values):
    values = list(values)
    return statistics.geometric_mean(values) if values else None


def summarise_pairs(targets):
    """A summary that holds the geometric means of a run against `targets` {solver: (mean, worst case)}."""

    def summarise(results):
        records = results["records"]
        results["summary"] = summary = {}
        print("\nours / theirs, over the problems both solved (whole fit; in brackets: processor time)")
        for solver in dict.fromkeys(r["solver"] for r in records if r["solver"] != "treelib"):
            wall = ratios(records, solver)
            if not wall:
                print(f"  {solver:14} solved no problem")
                continue
            cpu = geometric_mean(ratios(records, solver, "cpu_seconds").values())
            worst = max(wall, key=wall.get)
            unsolved = sum(theirs["ended"] != "ok" for _, theirs in pairs(records, solver))
            summary[solver] = {
                "geometric_mean": geometric_mean(wall.values()),
                "geometric_mean_cpu": cpu,
                "geometric_mean_search": geometric_mean(ratios(records, solver, "search_seconds").values()),
                "worst": wall[worst],
                "worst_case": list(worst),
                "n_solved_by_both": len(wall),
                "n_not_solved_by_peer": unsolved,
            }
            goal, limit = targets.get(solver, (None, None))
            print(
                f"  {solver:14} geometric mean {summary[solver]['geometric_mean']:.3f} ({cpu:.3f})"
                f"{verdict(summary[solver]['geometric_mean'], goal)}, "
                f"worst {wall[worst]:.2f}{verdict(wall[worst], limit)} at {worst[0]} {worst[1]:g}, "
                f"{len(wall)} problems, {unsolved} the peer did not solve"
            )
        fico = ratios(records, "imodels").get(("fico-binary", 0.0025, None))
        if fico is not None:
            summary["imodels_fico_0.0025"] = fico
            print(f"  imodels at fico-binary 0.0025: {fico:.2f}{verdict(fico, 0.3)}")
        wrong = wrong_answers(records)
        for record, text in wrong:
            print(f"  {record['solver']} on {problem_of(record)}: {text}")
        return not any("OURS" in text for _, text in wrong)

    return summarise


def verdict(value, goal):
    return "" if goal is None else f" (goal {goal:g}: {'reached' if value <= goal else 'NOT reached'})"


def summarise_wide(results):
    """Who proves first, and whose gap is smaller at each limit."""
    print("\nwide problems: objective [lower bound] at each limit, or seconds to the proof")
    for record in results["records"]:
        print("  " + describe_limit(record))
    return True


def describe_limit(record):
    name = f"{record['data']} {record['regularization']:g} {record['solver']}"
    if record["max_depth"] is not None:
        name += f" depth {record['max_depth']}"
    if record.get("objective") is None:
        return f"{name:55} {record['time_limit']:>3} s: no tree ({record['ended']})"
    seconds = record["seconds"][0]
    if record["proved"]:
        return f"{name:55} {record['time_limit']:>3} s: proved {record['objective']:.6f} in {seconds:.2f} s"
    bound = record.get("lower_bound")
    text = (
        "reports no bound"
        if bound is None
        else (f"bound {bound:.6f}, gap {100 * (record['objective'] - bound) / record['objective']:.1f} %")
    )
    return f"{name:55} {record['time_limit']:>3} s: {record['objective']:.6f}, {text}"


def summarise_growth(results):
    print("\ngrowth: seconds and peak memory")
    for record in results["records"]:
        print(
            f"  {record['axis']:18} {record['x']:>9g} {record['solver']:8} "
            f"{show_seconds(seconds_of(record)):>9} s {show_bytes(record.get('peak_bytes')):>10}"
            f"  {remark(record, record)}"
        )
    return True


SUMMARY = {
    "free": summarise_pairs({"imodels": (0.5, 1.3), "pystreed": (0.1, 1.3)}),
    "depth": summarise_pairs({"licketysplit": (1.0, None)}),
    "wide": summarise_wide,
    "growth": summarise_growth,
}
