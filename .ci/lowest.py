"""Print pip constraints for the lowest versions that pyproject.toml allows: for ``numpy>=1.24`` its last fix.

``python .ci/lowest.py test cluster > constraints.txt`` takes the dependencies and those of the extras named,
with the extras that these refer to. What has no lower bound is left to pip.
"""

import re
import sys
from pathlib import Path

try:
    import tomllib
except ImportError:  # Python 3.10
    from pip._vendor import tomli as tomllib

PYPROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"
REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)(?:\[([^\]]*)\])?\s*(?:>=\s*([0-9.]+))?")


def floors(project, extras):
    """{package: lowest version} of a project's table and the extras named."""
    own, found = project["name"], {}
    waiting, taken = list(extras), set()
    wanted = list(project["dependencies"])
    while waiting:
        extra = waiting.pop()
        if extra not in taken:
            taken.add(extra)
            wanted += project["optional-dependencies"][extra]
            for text in project["optional-dependencies"][extra]:
                package, inner, _ = REQUIREMENT.match(text).groups()
                if package == own:
                    waiting += [name.strip() for name in inner.split(",")]
    for text in wanted:
        package, _, version = REQUIREMENT.match(text).groups()
        if package != own and version:
            found[package] = version
    return found


def main(extras):
    project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
    for package, version in sorted(floors(project, extras).items()):
        # 1.24 means its last bug fix, as anyone would install it; a full version means itself
        parts = [*version.split("."), "0"][:2] if version.count(".") < 2 else version.split(".")
        print(f"{package}=={'.'.join(parts)}" + (".*" if len(parts) < 3 else ""))


if __name__ == "__main__":
    main(sys.argv[1:])
