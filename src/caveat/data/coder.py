"""One growing dictionary for all chunks of the columns that share it."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

BYTE_ORDER_MARK = "\ufeff"


class Coder:
    """Codes texts as whole numbers; blank and null are -1.

    Parameters
    ----------
    normalise
        Whether texts are brought to Unicode form NFC without a leading byte-order mark, so that
        one id written in two forms is one id.
    """

    def __init__(self, *, normalise: bool) -> None:
        self._normalise = normalise
        self._values = pa.array([], pa.string())
        self._last: tuple[pa.Array, NDArray[np.int32]] | None = None
        self._changed: dict[str, str] = {}

    @property
    def values(self) -> pa.StringArray:
        """All texts seen so far; code c stands for `values[c]`."""
        return self._values

    def codes(self, texts: pa.StringArray) -> NDArray[np.int32]:
        """Return the code of each text, learning the new ones."""
        if self._last is not None and texts.equals(self._last[0]):
            return self._last[1]
        blank = pc.equal(pc.utf8_trim(texts, characters=" \t\r\n\v\f\u00a0\u3000\ufeff"), "")
        clean = pc.if_else(pc.fill_null(blank, True), None, self._clean(texts))  # noqa: FBT003 - Arrow
        known = pc.index_in(clean, value_set=self._values)
        codes = np.array(pc.fill_null(known, -1), dtype=np.int32)
        is_new = pc.and_(pc.is_null(known), pc.is_valid(clean))
        new = clean.filter(is_new).dictionary_encode()
        if len(new):
            codes[np.asarray(is_new)] = np.asarray(new.indices) + len(self._values)
            self._values = pa.concat_arrays([self._values, new.dictionary])
        self._last = (texts, codes)
        return codes

    def find(self, texts: pa.StringArray) -> NDArray[np.int32]:
        """Return the code of each text, -1 for one that is not known."""
        known = pc.index_in(self._clean(texts), value_set=self._values)
        return np.asarray(pc.fill_null(known, -1), dtype=np.int32)

    def compact(self, columns: list[list[NDArray[np.int32]]]) -> None:
        """Forget texts that no row of `columns` (all that use this coder) has; recode in place."""
        seen = np.zeros(len(self._values) + 1, dtype=bool)
        for chunks in columns:
            for codes in chunks:
                seen[codes] = True
                if seen[:-1].all():
                    return
        seen = seen[:-1]
        self._values = self._values.filter(pa.array(seen))
        self._last = None
        recoded = np.append(np.cumsum(seen, dtype=np.int32) - 1, np.int32(-1))
        for chunks in columns:
            chunks[:] = [recoded[codes] for codes in chunks]

    def notice(self) -> str | None:
        """Return what a reader should know about ids that were changed."""
        if not self._changed:
            return None
        before, after = next(iter(self._changed.items()))
        return (
            f"{len(self._changed)} ids were written in another Unicode form or with a byte-order "
            f"mark and are matched as NFC, e.g. {before!a} as {after!a}"
        )

    def _clean(self, texts: pa.StringArray) -> pa.StringArray:
        if not self._normalise or pc.all(pc.string_is_ascii(texts)).as_py() in (True, None):
            return texts
        bare = pc.utf8_ltrim(texts, characters=BYTE_ORDER_MARK)
        clean = pc.utf8_normalize(bare, form="NFC")
        differs = pc.fill_null(pc.not_equal(clean, texts), False)  # noqa: FBT003 - Arrow
        for before, after in zip(
            texts.filter(differs).to_pylist(), clean.filter(differs).to_pylist(), strict=True
        ):
            self._changed[before] = after
        return clean
