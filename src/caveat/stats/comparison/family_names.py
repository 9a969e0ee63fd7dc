"""Families that the names of models suggest: a proposal to be edited, not a fact."""

import re
from collections import Counter
from collections.abc import Sequence

_WORD = re.compile(r"[a-z]+")
_SETTING = re.compile(r"[|:@#;,+=(\[{\s].*", re.DOTALL)
"""What follows a name: how it was asked, its host, its tag."""
_FIRST = 2
"""Words at the head of a name of which one is that of the family: a maker may stand before it."""
_GENERIC = frozenset(
    (
        *("ai", "api", "assistant", "awq", "base", "beta", "chat", "coder", "code", "context"),
        *("cot", "exp", "experimental", "fast", "flash", "fp", "free", "gguf", "gptq", "hf"),
        *("high", "instruct", "int", "it", "large", "latest", "light", "lite", "long", "low"),
        *("math", "max", "medium", "mini", "model", "moe", "nano", "new", "plus", "preview"),
        *("pro", "reasoning", "rl", "sft", "small", "super", "text", "thinking", "tiny"),
        *("turbo", "ultra", "vision", "xl"),
    )
)


def proposed_families(models: Sequence[str]) -> dict[str, str]:
    """Propose a family for models whose names share a word.

    Of the first two words of a name, without its maker's path and without what follows a `|`, `:`
    or the like, that with which most other models agree. Words that tell sizes and kinds, such as
    `instruct` or `pro`, do not count, nor does a word that all models share: it tells no family
    from another. Models that share no word are left out.

    Parameters
    ----------
    models : sequence of str

    Returns
    -------
    dict of str to str
        Family by model.

    Examples
    --------
    >>> proposed_families(["Meta-Llama-3-8B", "Llama-2-13b-hf", "Yi-34B", "gpt-4", "gpt-3.5-turbo"])
    {'Meta-Llama-3-8B': 'llama', 'Llama-2-13b-hf': 'llama', 'gpt-4': 'gpt', 'gpt-3.5-turbo': 'gpt'}
    """
    words = {model: _words(model) for model in models}
    shared = Counter(word for own in words.values() for word in set(own))
    common = {word for word, number in shared.items() if number == len(words)}
    found = {}
    for model, own in words.items():
        told = [word for word in own if word not in common]
        best = max(told, key=lambda word: (shared[word], -own.index(word)), default="")
        if shared[best] > 1:
            found[model] = best
    size = Counter(found.values())  # a word may be shared with models that share a better one
    return {model: family for model, family in found.items() if size[family] > 1}


def _words(model: str) -> list[str]:
    last = _SETTING.sub("", model.casefold().strip()).rsplit("/", 1)[-1]
    found = [word for word in _WORD.findall(last) if len(word) > 1 and word not in _GENERIC]
    return list(dict.fromkeys(found))[:_FIRST]
