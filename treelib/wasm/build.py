"""Write the WebAssembly files of the book's pages: ``python -m treelib.wasm.build``, or ``make wasm``.

numba compiles the functions that a driver exports for this machine, without optimising. That code is plain.
LLVM is told that it is meant for WebAssembly and optimises it for that. The linker of ``ziglang`` joins it to
`runtime.c` and nothing else. The same versions of numba, llvmlite and ziglang write the same bytes again.
"""

import importlib
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from treelib.wasm import manifest

HERE = Path(__file__).resolve().parent
# what all browsers have that can unpack a module; vectors of 128 bits save a fifth of the seconds (FICO .005)
FEATURES = "+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals,+simd128"
TRIPLE = "wasm32-unknown-unknown"
# bytes of the stack, which stands before everything else, so that it cannot grow into data unseen
STACK = 1 << 20
RUNTIME_EXPORTS = ("tl_alloc", "tl_free", "tl_in_use")


def main():
    """Write every module, the files that pages load them from, and the manifest.

    Each module is built in a process of its own: numba reads its settings when it is imported, and numbers
    what it compiles, so that a module's bytes would depend on those built before it.
    """
    with settings() as environment, ThreadPoolExecutor(os.cpu_count()) as pool:
        built = pool.map(lambda name: _built(name, environment), manifest.DRIVERS)
        modules = dict(zip(manifest.DRIVERS, built, strict=True))
    manifest.write(modules)
    for name, content in modules.items():
        print(f"{name}.wasm: {len(content):,} bytes")


def _built(name, environment):
    program = (
        "import sys; from treelib.wasm import build; sys.stdout.buffer.write(build.module_bytes(sys.argv[1]))"
    )
    command = [sys.executable, "-W", "ignore", "-c", program, name]
    return subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True).stdout


@contextmanager
def settings():
    """Environment of a process that builds: nothing is optimised for this machine or taken from its cache."""
    with tempfile.TemporaryDirectory() as folder:
        yield os.environ | {"NUMBA_OPT": "0", "TREELIB_CACHE_DIR": folder, "PYTHONHASHSEED": "0"}


def module_bytes(name):
    """The WebAssembly module of the driver ``treelib.wasm.<name>``."""
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    driver = importlib.import_module(f"treelib.wasm.{name}")
    exports, imports = driver.EXPORTS, getattr(driver, "IMPORTS", ())
    text = _collect(exports)
    target = llvm.Target.from_triple(TRIPLE)
    machine = target.create_target_machine(cpu="generic", features=FEATURES, opt=3, reloc="static")
    module = llvm.parse_assembly(_retarget(text, str(machine.target_data)))
    module.verify()
    _hide(module, set(exports))
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)
    tuning.loop_vectorization, tuning.slp_vectorization = True, False
    builder = llvm.create_pass_builder(machine, tuning)
    builder.getModulePassManager().run(module, builder)
    module.verify()
    return _link(machine.emit_object(module), list(exports), imports)


def _collect(exports):
    """LLVM text of all exported functions with what they call, and an entry for each that a page can call."""
    import llvmlite.binding as llvm

    linked, state = None, None
    for name, (function, arguments) in exports.items():
        signature = tuple(state if kind == "search" else kind for kind in arguments)
        function.compile(signature)
        result = function.overloads[signature]
        if state is None:
            state = result.signature.return_type
        module = llvm.parse_assembly(result.library.get_llvm_str())
        if linked is None:
            linked = module
        else:
            linked.link_in(module)
        linked.link_in(llvm.parse_assembly(_entry(name, result)))
    return str(linked)


def _entry(name, result):
    """LLVM text of ``name(arguments...)``: what the function returns, or -1 where it raised an error.

    A search is handed over by the address of its head, 0 where it could not be made.
    """
    from llvmlite import ir
    from numba.core import types

    context, signature = result.target_context, result.signature
    module = ir.Module(f"{name}_entry")
    convention = context.call_conv
    inner = convention.get_function_type(result.fndesc.restype, result.fndesc.argtypes)
    callee = ir.Function(module, inner, result.fndesc.llvm_func_name)
    values = [context.get_value_type(kind) for kind in signature.args]
    is_search = [isinstance(kind, types.StructRef) for kind in signature.args]
    plain = [value.elements[0] if head else value for value, head in zip(values, is_search, strict=True)]
    returns_search = isinstance(signature.return_type, types.StructRef)
    returned = context.get_value_type(signature.return_type)
    out = returned.elements[0] if returns_search else ir.IntType(32)
    entry = ir.Function(module, ir.FunctionType(out, plain), name)
    builder = ir.IRBuilder(entry.append_basic_block())
    arguments = [
        builder.insert_value(ir.Constant(value, ir.Undefined), argument, 0) if head else argument
        for value, argument, head in zip(values, entry.args, is_search, strict=True)
    ]
    status, value = convention.call_function(
        builder, callee, signature.return_type, signature.args, arguments
    )
    if returns_search:
        found = builder.extract_value(value, 0)
        builder.ret(builder.select(status.is_error, ir.Constant(out, None), found))
    else:
        code = ir.Constant(out, -1)
        builder.ret(builder.select(status.is_error, code, builder.trunc(value, out)))
    return str(module)


def _retarget(text, layout):
    """The text for WebAssembly, without what only this machine has: its triple, features and file names."""
    text = re.sub(r"^target (triple|datalayout) = .*\n", "", text, flags=re.M)
    text = re.sub(r'"(target-cpu|target-features|tune-cpu)"="[^"]*"', "", text)
    # errors hold a pickle of where they were raised, whose length follows that of the folder of the sources,
    # or name a function with the number that numba gave it, which depends on what was compiled before; a page
    # sees only that there was one
    text = _zeroed(text, r"@\S*pickledata\S*", "[1 x i8]")
    text = re.sub(r"^(@\S*picklebuf\S* = .*\{ ptr \S+, i32) \d+,", r"\1 1,", text, flags=re.M)
    text = _zeroed(text, r'@\S*\.bytes\.\S*|@"\.const\.missing Environment[^"]*"')
    return f'target datalayout = "{layout}"\ntarget triple = "{TRIPLE}"\n{text}'


def _zeroed(text, names, kind=r"\3"):
    """The text with zeros in the constants whose names match, of their own type or of another `kind`."""
    pattern = rf'^({names}) = (.*?) (\[\d+ x i8\]) c".*?"(,.*)?$'
    return re.sub(pattern, rf"\1 = \2 {kind} zeroinitializer\4", text, flags=re.M)


def _hide(module, names):
    """Make everything but the entries internal, so that the optimiser drops what no entry reaches."""
    for function in module.functions:
        if not function.is_declaration:
            function.linkage = "external" if function.name in names else "internal"
    for variable in module.global_variables:
        if variable.name.startswith("_ZN08NumbaEnv") or variable.linkage.name == "common":
            variable.linkage = "internal"


def _link(code, names, imports):
    """The module of object `code` with the runtime; `names` and the allocator can be called from outside.

    `imports` are the functions that may be missing: whoever runs the module gives them.
    """
    with tempfile.TemporaryDirectory() as folder:
        kernels, runtime, out = (Path(folder) / name for name in ("kernels.o", "runtime.o", "out.wasm"))
        missing = Path(folder) / "imports.txt"
        kernels.write_bytes(code)
        missing.write_text("".join(f"{name}\n" for name in imports), encoding="utf-8")
        zig = [sys.executable, "-m", "ziglang"]
        compiler = [*zig, "cc", "-target", "wasm32-freestanding", "-O2", "-ffreestanding", "-mbulk-memory"]
        subprocess.run(
            [*compiler, "-fno-sanitize=all", "-g0", "-c", HERE / "runtime.c", "-o", runtime], check=True
        )
        options = [
            "--no-entry",
            "--gc-sections",
            "-O2",
            "--strip-all",
            "--stack-first",
            "-z",
            f"stack-size={STACK}",
            f"--allow-undefined-file={missing}",
        ]
        options += [f"--export={name}" for name in (*names, *RUNTIME_EXPORTS)]
        subprocess.run([*zig, "wasm-ld", *options, kernels, runtime, "-o", out], check=True)
        return out.read_bytes()


if __name__ == "__main__":
    main()
