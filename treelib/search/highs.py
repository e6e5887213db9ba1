"""The solver HiGHS (package `highspy`, an extra), made so that it prints nothing."""


def import_highspy(needs):
    """The module `highspy`.

    Parameters
    ----------
    needs : str, who needs it and a verb: "BinOCT is solved by"

    Raises
    ------
    ImportError
        Where it is missing; the message says how to install it.
    """
    try:
        import highspy
    except ImportError as error:
        raise ImportError(f"{needs} HiGHS: install it with `pip install treelib-companion[milp]`.") from error
    return highspy


def silent_solver(highspy, threads, seed, **options):
    """`highspy.Highs` without a word on standard output, which asks for no gap.

    Parameters
    ----------
    threads, seed : int
    options : others of HiGHS, by name
    """

    class Silent(highspy.Highs):
        def enableCallbacks(self):  # called while it is made, and HiGHS 1.16 greets with the first call
            self.setOptionValue("output_flag", False)
            super().enableCallbacks()

    solver = Silent()
    options |= {
        "output_flag": False,
        "threads": threads,
        "parallel": "on" if threads > 1 else "off",
        "random_seed": seed % 2**31,
        "mip_rel_gap": 0.0,
    }
    for name, value in options.items():
        solver.setOptionValue(name, value)
    return solver
