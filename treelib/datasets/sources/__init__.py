"""One module a source: where it comes from (``ORIGINS``), and a reader of each of its forms (``READERS``)."""
