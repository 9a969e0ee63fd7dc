"""Make labels.csv and expected.csv: labels drawn here, results by the authors' own function.

Usage: python make.py alt_test_example.ipynb, the notebook of https://github.com/nitaytech/AltTest.
"""

import csv
import json
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
CASES = {"same": ("accuracy", 0.1), "distance": ("neg_rmse", 0.2)}
PEOPLE, ITEMS, JUDGES = 5, 120, 3


def drawn(kind):
    """Labels of five people, the fifth of whom labelled few items, and of three judges."""
    draw = np.random.default_rng(20250120 if kind == "same" else 20250121)
    truth = draw.integers(0, 4, ITEMS)
    rows = []
    for who in range(PEOPLE + JUDGES):
        noise = (0.25, 0.25, 0.4, 0.3, 0.3, 0.15, 0.3, 0.6)[who]
        label = np.where(draw.random(ITEMS) < noise, draw.integers(0, 4, ITEMS), truth)
        share = (1.0, 0.9, 0.8, 0.7, 0.2, 1.0, 0.95, 1.0)[who]
        given = draw.random(ITEMS) < share
        name = f"p{who + 1}" if who < PEOPLE else f"j{who - PEOPLE + 1}"
        values = label if kind == "same" else label / 2 + 1
        rows += [(kind, name, i, values[i]) for i in range(ITEMS) if given[i]]
    return rows


def alt_test(notebook):
    cells = json.loads(Path(notebook).read_text(encoding="utf-8"))["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    space = {}
    exec("\n".join([code[0], code[1]]), space)
    return space["alt_test"]


def main():
    test = alt_test(sys.argv[1])
    labels = [row for kind in CASES for row in drawn(kind)]
    expected = []
    for kind, (score, epsilon) in CASES.items():
        given = {}
        for case, who, item, label in labels:
            if case == kind:
                given.setdefault(who, {})[item] = float(label)
        people = {who: rows for who, rows in given.items() if who.startswith("p")}
        for judge in sorted(set(given) - set(people)):
            rate, advantage = test(given[judge], people, score, epsilon=epsilon)
            expected.append((kind, judge, epsilon, rate, repr(advantage)))
    for name, head, rows in (
        ("labels.csv", ("case", "who", "item", "label"), labels),
        ("expected.csv", ("case", "judge", "epsilon", "winning_rate", "advantage"), expected),
    ):
        with (HERE / name).open("w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows([head, *rows])


main()
