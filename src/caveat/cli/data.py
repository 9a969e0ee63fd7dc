"""`caveat data`: open data to try things on."""

from cyclopts import App

app = App(name="data", sort_key=99, help="Get openly licensed data, by exact version and hash.")
