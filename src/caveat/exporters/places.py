"""Names of models and benchmarks as names of folders that every file system takes."""

import hashlib
import re
import unicodedata

LONGEST = 120
_FORBIDDEN = frozenset('<>:"\\|?*/%')
_RESERVED = frozenset(
    {"CON", "PRN", "AUX", "NUL", "DATA"}
    | {f"{name}{number}" for name in ("COM", "LPT") for number in range(1, 10)}
)
UNKNOWN = "unknown"
_CUT_ESCAPE = re.compile("%[0-9A-F]?$")


def component(name: str) -> str:
    """Return a name as one component of a path.

    A colon becomes `_`, as Every Eval Ever has it. What a file system may not take is written
    as in web addresses (`%3C` for `<`): signs it forbids, control and other invisible
    characters, a dot or blank at either end, the first letter of a reserved name. A long name
    is cut, with the beginning of its hash behind it. So no name leaves its folder, and names
    that differ never share a folder, but for the colon and `_`; the files inside spell the name
    in full.

    Examples
    --------
    >>> component("Llama-3.1:8b"), component(".."), component("CON"), component("a<b")
    ('Llama-3.1_8b', '%2E%2E', '%43ON', 'a%3Cb')
    """
    text = name.replace(":", "_")
    if not text.strip(". \t"):
        return "".join(_escaped(c) for c in text) or UNKNOWN
    inner = "".join(_escaped(c) if _unsafe(c) else c for c in text)
    if inner.split(".", 1)[0].upper() in _RESERVED:
        inner = _escaped(inner[0]) + inner[1:]
    if inner[0] in ". ":
        inner = _escaped(inner[0]) + inner[1:]
    if inner[-1] in ". ":
        inner = inner[:-1] + _escaped(inner[-1])
    return _short(inner, name)


def model_folders(model: str, developer: str | None = None) -> tuple[str, str]:
    """Return the folders of a model's developer and of the model.

    The developer is what stands before the first slash of the model's name; of a name without
    one it is `developer`, or `unknown`. Further slashes become `_`, as the official publisher
    has it.

    Examples
    --------
    >>> model_folders("meta-llama/Llama-3.1-8B"), model_folders("gpt-4o")
    (('meta-llama', 'Llama-3.1-8B'), ('unknown', 'gpt-4o'))
    """
    first, slash, rest = model.strip().partition("/")
    if not (slash and first.strip() and rest.strip("/ ")):
        return component(developer or UNKNOWN), component(model.strip().replace("/", "_"))
    return component(first), component(rest.replace("/", "_"))


def _unsafe(char: str) -> bool:
    return char in _FORBIDDEN or (unicodedata.category(char)[0] in "CZ" and char != " ")


def _escaped(char: str) -> str:
    return "".join(f"%{byte:02X}" for byte in char.encode())


def _short(text: str, name: str) -> str:
    if len(text.encode()) <= LONGEST:
        return text
    digest = hashlib.sha256(name.encode()).hexdigest()[:16]
    head = text.encode()[: LONGEST - 17].decode(errors="ignore")
    return f"{_CUT_ESCAPE.sub('', head)}~{digest}"
