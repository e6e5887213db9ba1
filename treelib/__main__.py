"""``python -m treelib``: the same as the command ``treelib``."""

from treelib.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
