"""Random problems by the thousand, against naive twins, other programs and changed copies of themselves."""
