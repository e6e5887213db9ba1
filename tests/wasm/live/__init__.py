"""The live parts of chapters in browsers, against the package; one module a part."""
