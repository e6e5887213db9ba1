"""The exact search on numbers for tables of two classes; those of more would be another module."""

from treelib.wasm.numbers import driver, rows, words

# what numba is taught there, it finds by no name
TAUGHT = driver, rows, words
EXPORTS = driver.exports(driver.searches("Two", is_two=True))
