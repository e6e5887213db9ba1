"""The package's compiled kernels as WebAssembly for the book's pages: drivers, the build, its manifest."""
