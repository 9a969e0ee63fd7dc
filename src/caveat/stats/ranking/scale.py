"""The scale ratings are shown on."""

import numpy as np

POINTS = float(400.0 / np.log(10.0))
"""Elo-like points per unit of log-odds: 400 points are ten to one."""
CENTRE = 1000.0
"""Rating of the anchor."""
