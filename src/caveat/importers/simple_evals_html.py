"""Gold, answer and score out of the HTML that simple-evals writes for one example."""

import html
from dataclasses import dataclass

from caveat.importers.answer_texts import answer_text

_RESULTS = "<h3>Results</h3>"
_FIELDS = {
    "target": "<p>Correct Answer: ",
    "prediction": "<p>Extracted Answer: ",
    "score": "<p>Score: ",
}
_END = "</p>"
_WORDS = {"true": 1.0, "false": 0.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What the results of one example show.

    Attributes
    ----------
    target, prediction : str or None
    score : float or None
        None where there is none, or none that is a number.
    """

    target: str | None
    prediction: str | None
    score: float | None


def shown(page: str) -> Shown:
    """Read the part behind the last heading "Results"; nothing in the page is run or rendered.

    Texts of models are escaped in the page, so that they cannot imitate the heading; whatever
    stands before the last one is not looked at.

    Examples
    --------
    >>> shown("<h3>Results</h3><p>Correct Answer: &lt;b&gt;</p><p>Score: True</p>")
    Shown(target='<b>', prediction=None, score=1.0)
    """
    start = page.rfind(_RESULTS)
    part = page[start + len(_RESULTS) :] if start >= 0 else ""
    found = {name: _field(part, mark) for name, mark in _FIELDS.items()}
    return Shown(
        target=_answer(found["target"]),
        prediction=_answer(found["prediction"]),
        score=_number(found["score"]),
    )


def _field(part: str, mark: str) -> str | None:
    start = part.find(mark)
    if start < 0:
        return None
    end = part.find(_END, start)
    return html.unescape(part[start + len(mark) : end if end >= 0 else None]).strip()


def _answer(text: str | None) -> str | None:
    """Return an answer; Python's None is none."""
    return None if text in (None, "None") else answer_text(text)


def _number(text: str | None) -> float | None:
    if text is None:
        return None
    try:
        value = _WORDS.get(text.lower())
        value = float(text) if value is None else value
    except ValueError:
        return None
    return value if abs(value) < float("inf") else None
