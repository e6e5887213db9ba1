"""The tests, and what they share: naive twins, strategies, suites, the pages of the site, benchmarks."""
