"""Keys of all stored results, and edits of a copy: moves leave them, a constant in a kernel does not."""

import ast
import builtins
import functools
import shutil
import time
from collections import Counter
from importlib import import_module

import pytest

from tests.twins import reach as naive_reach
from treelib.compiled import sources
from treelib.ledger import experiments, reach

EXPERIMENTS = [experiments.get(name) for name in experiments.names()]
# modules with kernels, of each method and of what lies beneath them
KERNELS = (
    "sparse.exact.depth_two",
    "bornagain.ensemble.cell_classes",
    "topdown.grow.scan",
    "dyadic.sweep.one_pass",
    "tree.walking",
    "compiled.bits",
)
MOST_SECONDS = 10  # of CPU for all keys, three times what it takes


class Copy:
    """A copy of the package that is edited as syntax trees, so that layout and comments are lost too.

    trees : dict, module -> ast.Module; `apart` and packages keep their names
    """

    def __init__(self, folder):
        self.package = folder / "treelib"
        shutil.copytree(sources.PACKAGE, self.package, ignore=shutil.ignore_patterns("__pycache__"))
        self.paths, self.trees = {}, {}
        for path in sorted(self.package.rglob("*.py")):
            parts = path.relative_to(folder).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            self.paths[name], self.trees[name] = path, ast.parse(path.read_text(encoding="utf-8"))

    def apply(self, transformer):
        for name in self.own:
            self.trees[name] = transformer.visit(self.trees[name])

    @property
    def own(self):
        """Modules that count."""
        return [name for name in self.trees if not is_apart(name)]

    def move(self, where):
        """Move modules, dict of old to new names: files and all imports of them."""
        for name, tree in self.trees.items():
            has_public_names = self.paths[name].name == "__init__.py"
            self.trees[name] = Moved(where, has_public_names).visit(tree)
        for old, new in where.items():
            self.trees[new] = self.trees.pop(old)
            self.paths.pop(old).unlink(missing_ok=True)
            self.paths[new] = self.package.parent.joinpath(*new.split(".")).with_suffix(".py")

    def split(self, name):
        """Move every second function to a file of its own; each of the two files imports the other."""
        body, part = self.trees[name].body, f"{name}_part"
        functions = [node for node in body if isinstance(node, ast.FunctionDef)][1::2]
        names = {node.name for node in functions}
        imports = [node for node in body if isinstance(node, ast.Import | ast.ImportFrom)]
        rest = sorted(bound_names(body) - names)
        if not functions or not rest:
            return
        self.trees[part] = ast.Module([*imports, import_of(name, rest), *functions], [])
        self.trees[name].body = [import_of(part, sorted(names)), *(x for x in body if x not in functions)]
        self.paths[part] = self.package.parent.joinpath(*part.split(".")).with_suffix(".py")

    def write(self):
        for name, tree in self.trees.items():
            folder = self.paths[name].parent
            while not (folder / "__init__.py").is_file():
                folder.mkdir(parents=True, exist_ok=True)
                (folder / "__init__.py").touch()
                folder = folder.parent
            self.paths[name].write_text(ast.unparse(ast.fix_missing_locations(tree)), encoding="utf-8")


class Moved(ast.NodeTransformer):
    def __init__(self, where, has_public_names):
        self.where, self.has_public_names = where, has_public_names

    def visit_ImportFrom(self, node):
        lines = []
        for alias in node.names:
            whole = self.where.get(f"{node.module}.{alias.name}", "")
            module = whole.rpartition(".")[0] or self.where.get(node.module, node.module)
            name = whole.rpartition(".")[2] or alias.name
            lines.append(ast.ImportFrom(module, [ast.alias(name, alias.asname or alias.name)], 0))
        return lines

    def visit_Constant(self, node):
        if self.has_public_names and isinstance(node.value, str):
            return ast.Constant(self.where.get(node.value, node.value))
        return node


class Renamed(ast.NodeTransformer):
    def __init__(self, new):
        self.new = new

    def visit_Name(self, node):
        return ast.Name(self.new.get(node.id, node.id), node.ctx)

    def visit_FunctionDef(self, node):
        self.generic_visit(node)
        node.name = self.new.get(node.name, node.name)
        return node

    visit_ClassDef = visit_FunctionDef

    def visit_alias(self, node):
        return ast.alias(self.new.get(node.name, node.name), self.new.get(node.asname, node.asname))


class Reworded(ast.NodeTransformer):
    """Every docstring and every text of an error said otherwise."""

    def __init__(self):
        self.n_changed = 0

    def visit_Expr(self, node):
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            self.n_changed += 1
            return ast.Expr(ast.Constant("Mended. " + node.value.value))
        return self.generic_visit(node)

    def visit_Raise(self, node):
        if isinstance(node.exc, ast.Call):
            self.reword(node.exc)
        return node

    def visit_Call(self, node):
        if isinstance(node.func, ast.Name) and node.func.id in reach.WARNS:
            self.reword(node)
            return node
        return self.generic_visit(node)

    def reword(self, call):
        for place, one in enumerate(call.args):
            if isinstance(one, ast.JoinedStr) or isinstance(getattr(one, "value", None), str):
                self.n_changed += 1
                call.args[place] = ast.Constant("Mended.")


def is_apart(module):
    return any(f"{module}.".startswith(f"{place}.") for place in experiments.APART)


def import_of(module, names):
    return ast.ImportFrom(module, [ast.alias(name) for name in names], 0)


def bound_names(body):
    """Names that the statements of a module bind, imports aside."""
    found = {node.name for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    for node in body:
        if isinstance(node, ast.Assign):
            found |= {
                one.id for target in node.targets for one in ast.walk(target) if isinstance(one, ast.Name)
            }
    return found


def names_to_change(trees):
    """Definitions whose name means nothing else anywhere in the package, set of str."""
    defined = Counter(name for tree in trees for name in bound_names(tree.body))
    taken = set()
    for tree in trees:
        inside = [node for top in tree.body for node in ast.iter_child_nodes(top)]
        inside = [node for one in inside for node in ast.walk(one)]
        for node in ast.walk(tree):
            taken |= {getattr(node, field, None) for field in ("attr", "arg")}
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                taken.add(node.value)
            if isinstance(node, ast.ImportFrom) and not node.module.startswith("treelib"):
                taken |= {alias.name for alias in node.names}
            if isinstance(node, ast.ClassDef):  # fields of a NamedTuple too: their names are part of it
                taken |= bound_names(node.body)
                taken |= {one.target.id for one in node.body if isinstance(one, ast.AnnAssign)}
        for top in tree.body:
            if isinstance(top, ast.FunctionDef | ast.ClassDef):  # variables called so
                names = [one for one in ast.walk(top) if isinstance(one, ast.Name)]
                taken |= {one.id for one in names if isinstance(one.ctx, ast.Store)}
        for node in inside:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                taken.add(node.name)
    return {name for name, count in defined.items() if name not in taken and not hasattr(builtins, name)}


@pytest.fixture(scope="module")
def before():
    return [reach.digest(entry.function, experiments.APART) for entry in EXPERIMENTS]


def test_moved_split_renamed_and_reworded_code_leaves_all_keys(tmp_path, monkeypatch, before):
    """Half an hour of results thrown away for an edit that changes nothing: in a copy, all modules are moved
    and cut in two, all definitions renamed that can be, all docstrings and messages mended."""
    copy = Copy(tmp_path)
    handed_about = {
        name.removesuffix(".*")
        for entry in EXPERIMENTS
        for name in reach.reached(entry.function, experiments.APART)
        if name.endswith(".*")
    }
    programs = {name for name in copy.own if "__main__" in ast.unparse(copy.trees[name])}
    words = Reworded()
    copy.apply(words)
    kept = set()  # what `getattr` may ask a module for
    for name in handed_about:
        kept |= bound_names(copy.trees[name].body)
        kept |= {node.name for node in ast.walk(copy.trees[name]) if isinstance(node, ast.alias)}
    kept |= reach.WARNS  # known by their names
    kept |= {part for name in copy.trees for part in name.split(".")}
    kept |= {name for tree in copy.trees if is_apart(tree) for name in bound_names(copy.trees[tree].body)}
    new = {
        name: f"other_{place}"
        for place, name in enumerate(sorted(names_to_change(copy.trees.values()) - kept))
    }
    copy.apply(Renamed(new))
    for name in sorted(set(copy.own) - programs - handed_about):
        if copy.paths[name].name != "__init__.py":
            copy.split(name)
    modules = [name for name in copy.own if copy.paths[name].name != "__init__.py"]
    where = {name: f"treelib.moved.room_{place % 7}.m{place}" for place, name in enumerate(modules)}
    copy.move(where)
    copy.write()
    assert len(where) > 300 and len(new) > 800 and words.n_changed > 1500, (
        len(where),
        len(new),
        words.n_changed,
    )
    after = []
    monkeypatch.setattr(sources, "PACKAGE", copy.package)
    for entry in EXPERIMENTS:
        module, name = entry.function.__module__, entry.function.__qualname__
        name = new.get(name, name)
        part = where.get(f"{module}_part")  # the run function may be in what was cut off
        home = part if part and name in bound_names(copy.trees[part].body) else where[module]
        after.append(reach.digest(f"{home}.{name}", experiments.APART))
    changed = [entry.name for entry, old, now in zip(EXPERIMENTS, before, after, strict=True) if old != now]
    assert not changed


def constants(function):
    """Numbers in a function that it computes with, list of ast.Constant."""
    found = [node for one in function.body for node in ast.walk(one) if isinstance(node, ast.Constant)]
    return [node for node in found if type(node.value) in (int, float)]


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    """A copy of the package, as it is."""
    package = tmp_path_factory.mktemp("copy") / "treelib"
    return shutil.copytree(sources.PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))


@pytest.mark.parametrize("module", KERNELS)
def test_one_constant_of_a_kernel_makes_exactly_those_above_it_stale(copied, monkeypatch, before, module):
    """A key that misses a kernel, or that notices one which the experiment never calls."""
    path = copied.joinpath(*module.split(".")).with_suffix(".py")
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.decorator_list]
    kernels = [one for one in functions if "kernel" in ast.unparse(one.decorator_list[0]) and constants(one)]
    constants(kernels[-1])[0].value += 1
    path.write_text(ast.unparse(tree), encoding="utf-8")
    monkeypatch.setattr(sources, "PACKAGE", copied)
    try:
        after = [reach.digest(entry.function, experiments.APART) for entry in EXPERIMENTS]
    finally:
        path.write_text(text, encoding="utf-8")
    kernel = f"treelib.{module}.{kernels[-1].name}"
    changed = {entry.name for entry, old, now in zip(EXPERIMENTS, before, after, strict=True) if old != now}
    above = {entry.name for entry in EXPERIMENTS if kernel in kernels_of(entry.name)}
    assert changed == above and 0 < len(above) < len(EXPERIMENTS)


@functools.cache
def kernels_of(name):
    return naive_reach.kernels_below(experiments.get(name).function, experiments.APART)


@pytest.mark.parametrize("entry", EXPERIMENTS, ids=lambda entry: entry.name)
def test_the_kernels_of_an_experiment_are_those_of_the_naive_twin(entry):
    """An import, a table of functions or a method that is not followed, or followed too far."""
    found = set()
    for address in reach.reached(entry.function, experiments.APART):
        module, _, name = address.rpartition(".")
        one = getattr(import_module(module), name, None)
        if hasattr(one, "py_func"):
            found.add(f"{one.py_func.__module__}.{one.py_func.__qualname__}")
    assert found == kernels_of(entry.name)


def test_public_peers_do_not_depend_on_our_search():
    """Ten minutes of other people's programs that an edit of our search makes stale."""
    found = reach.reached(experiments.get("family.peers").function, experiments.APART)
    searches = [name for name in found if name.split(".")[1] in ("sparse", "bornagain", "topdown", "dyadic")]
    assert len(found) > 50 and not searches


def test_places_apart_exist_and_nothing_else_is_loose():
    """A place that was moved, so that its code counts again; code of a module that belongs to no definition,
    such as a switch of numpy's, which no key would notice."""
    for place in experiments.APART:
        assert sources.module_path(place), place
    index = reach._index(reach._state(sources.PACKAGE), experiments.APART)
    own = [name for name in index.files if not is_apart(name)]
    assert not [name for name in own if naive_reach.loose_statements(name, experiments.APART)]


def test_all_keys_take_seconds():
    """A check for stale results that nobody waits for."""
    reach._module.cache_clear()
    reach._index.cache_clear()
    began = time.process_time()
    for entry in EXPERIMENTS:
        entry.digest()
    assert time.process_time() - began < MOST_SECONDS
