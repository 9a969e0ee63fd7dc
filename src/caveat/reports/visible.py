"""Text from the data, made safe to look at: what cannot be seen is spelled out."""

import re

# C0 and C1 controls, soft hyphen, direction marks and overrides, zero-width characters (the
# joiners that scripts and emoji need are left alone), line and paragraph separators, the
# byte-order mark, lone surrogates and noncharacters.
_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
    "|[\U000e0000-\U000e007f]"
)
_SHORT = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}


def visible(text: str) -> str:
    r"""Return `text` with every unseen or direction-changing character spelled out.

    Examples
    --------
    >>> visible("gpt\n4")
    'gpt\\n4'
    """
    return _UNSEEN.sub(lambda found: _spell(found.group()), text)


def _spell(character: str) -> str:
    if character in _SHORT:
        return _SHORT[character]
    code = ord(character)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
