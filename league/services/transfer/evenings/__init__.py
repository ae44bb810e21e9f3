"""Results of an evening, entered together."""
