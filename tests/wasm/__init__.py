"""Kernels as WebAssembly and the pages that call them: in wasmtime, in browsers, beside Python."""
