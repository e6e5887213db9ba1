"""The learners without a proof, measured: seconds of fits, errors of trees."""
