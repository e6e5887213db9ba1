"""The ledger: experiments and their stored results, the claims of the papers, and the verdicts on them."""
