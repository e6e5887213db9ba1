"""The one stored tree of all methods: built, walked, compared, labelled, drawn."""
