"""Wrong and odd inputs, and what every estimator says to them."""
