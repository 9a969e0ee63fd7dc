"""One plot a file: a result goes in, a Vega-Lite specification and its table come out."""
