"""English formats, but with a decimal separator that stands out where a program reads a number."""

DECIMAL_SEPARATOR = "\N{ARABIC DECIMAL SEPARATOR}"
