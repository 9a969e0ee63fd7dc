r"""Reads the chosen letter out of a model's free text on MMLU-Pro questions.

What counts as stating an answer: "answer is (X)", "answer is X", "Answer: X" (with optional bold,
quotes, brackets, dollar signs), `\boxed{X}`, `\boxed{\text{X}}`; and, only where none of these is
there, "option is (X)" as in "the closest option is (X)". Nothing is guessed:

- a letter somewhere in the text is no answer;
- a bare "I" or "A" before another word is a pronoun or an article, and "(Cannot be determined)"
  is no C: the letter has to stand alone;
- two letters ("DE", "(D) and (E)") are no answer;
- a letter that is none of the options is refused, not replaced by another one.

Where a text states several answers, the conclusion counts: the first one that reasoning leads up
to, because what follows it answers other questions (models go on with a question of their own, or
sum up the examples of the prompt). A text that opens with a statement has not reasoned yet: there
the last one counts. In the 4,045 texts of 29 models (files of TIGER-AI-Lab/MMLU-Pro at
f418b116db00) that state different answers, this reading is right in 2,350, "always the first" in
2,104 and "always the last" in 1,649. What comes after a new line "Question:" is never read.

All patterns have bounded gaps and a fixed start, so time grows with the length of the text.
"""

import re

_OPEN = r"[\s*_`\"'$(\[{\\]{0,12}"
_TEXT = r"(?:\\?(?:text|textbf|mathrm|mathbf|boxed|rm|bf)\{)?"
_LETTER = r"(?P<open>" + _OPEN + _TEXT + _OPEN + r")(?P<letter>[A-P])"
_NO_WORD = r"(?![A-Za-z0-9_'\u2019&/^=+-])(?=(?P<after>.{0,16}))"
_ANSWER = re.compile(
    r"(?:\banswer\s{1,3}is:?|\banswer\s{0,2}[*_]{0,3}:)" + _LETTER + _NO_WORD,
    re.IGNORECASE | re.DOTALL,
)
_BOXED = re.compile(r"\\boxed\s{0,2}\{" + _LETTER + _NO_WORD, re.DOTALL)
_OPTION = re.compile(
    r"\b(?:option|choice)\s{1,3}is:?\s{1,3}(?P<open>\()(?P<letter>[A-P])\)(?=(?P<after>.{0,16}))",
    re.IGNORECASE | re.DOTALL,
)
_TIERS = ((_ANSWER, _BOXED), (_OPTION,))
_ANOTHER = re.compile(r"[)\]}*\s]{0,4}(?:,|/|&|and\b|or\b)\s{0,2}\(?[A-P](?:\)|\b)")
_NEXT_QUESTION = re.compile(r"\n\s{0,4}Question\s{0,2}:")
_WORDS = frozenset("AI")
_OPENING = 40


def parse_answer(text: str, *, n_options: int) -> str | None:
    r"""Return the letter that a text states as its answer, or None.

    Parameters
    ----------
    text
        What the model wrote.
    n_options
        Number of options of the question; the letters are the first so many of the alphabet.

    Examples
    --------
    >>> parse_answer("So the answer is (C).", n_options=10)
    'C'
    >>> parse_answer(r"Hence \boxed{\text{D}}", n_options=4)
    'D'
    >>> parse_answer("The answer is A matter of taste", n_options=4) is None
    True
    """
    own = _NEXT_QUESTION.split(text, maxsplit=1)[0].lstrip()
    letters = (_conclusion(own, patterns) for patterns in _TIERS)
    letter = next((found for found in letters if found is not None), None)
    if letter is None or ord(letter) - ord("A") >= n_options:
        return None
    return letter


def _conclusion(text: str, patterns: tuple[re.Pattern[str], ...]) -> str | None:
    stated = [
        (found.start(), found["letter"])
        for pattern in patterns
        for found in pattern.finditer(text)
        if _is_choice(found)
    ]
    if not stated:
        return None
    stated.sort()
    start, letter = stated[0]
    return stated[-1][1] if start < _OPENING else letter


def _is_choice(found: re.Match[str]) -> bool:
    letter, after = found["letter"], found["after"]
    if not letter.isupper() or _ANOTHER.match(after):
        return False
    if letter not in _WORDS or after[:1] != " " or not after.strip(" "):
        return True
    return bool(set(found["open"]) & set("([{"))
