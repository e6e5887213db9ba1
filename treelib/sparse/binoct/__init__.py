"""BinOCT and its regularised form: complete trees as mixed-integer programs."""
