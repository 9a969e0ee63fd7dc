"""A JSON member of an archive that cannot be decompressed is told of once."""

import io
import zipfile

import pytest

from caveat._files import Limits
from caveat.errors import SourceError
from caveat.importers.json_values import json_object
from caveat.importers.opening import members


def test_a_damaged_member_is_told_of_once(tmp_path):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.json", '{"key": "' + "value " * 500 + '"}')
    data = bytearray(packed.getvalue())
    start = data.index(b"a.json") + len("a.json")
    data[start : start + 20] = bytes(20)
    path = tmp_path / "bad.zip"
    path.write_bytes(data)
    (member,) = members(path, limits=Limits())
    with pytest.raises(SourceError) as found:
        json_object(member)
    said = str(found.value)
    assert said.count("get it again") == said.count("bad.zip!a.json") == 1
