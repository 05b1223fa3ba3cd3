"""Evidence is served from its folder, and nothing that lies outside it."""

from __future__ import annotations

import http.client
import os
from urllib.parse import urlsplit

import pytest
from conftest import serving_board
from hypothesis import given
from hypothesis import strategies as st

from display.evidence import proof_in

WAYS_OUT = [
    "../secret.jpg", "..%2fsecret.jpg", "%2e%2e/secret.jpg", "%2e%2e%2fsecret.jpg", "..%5csecret.jpg", "%252e%252e%252fsecret.jpg",
    "/etc/passwd", "%2fetc%2fpasswd", "....//secret.jpg", "link.jpg", "inner/deep.jpg", "inner", ".", "..", "", "%00",
    "000001-after.jpg%00.txt",
    "notes.txt", ".hidden.jpg", "000001-after.jpg/", "000001-after.JPG", "C:secret.jpg", "a" * 300 + ".jpg",
]  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder of evidence with one picture, links and other files in it, and a secret beside it."""
    root = tmp_path_factory.mktemp("served")
    folder = root / "evidence"
    (folder / "inner").mkdir(parents=True)
    (folder / "000001-after.jpg").write_bytes(b"the picture")
    for file in (root / "secret.jpg", folder / "notes.txt", folder / ".hidden.jpg", folder / "inner" / "deep.jpg"):
        file.write_bytes(b"secret")
    (folder / "link.jpg").symlink_to(root / "secret.jpg")
    return folder


@pytest.fixture(scope="module")
def port(folder):
    with serving_board("ws://127.0.0.1:9/mqtt", evidence=folder) as address:
        yield urlsplit(address).port


def asked(port, path):
    """Status and body of a path that is sent as it stands: no client tidies it up."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.putrequest("GET", path, skip_host=False)
    connection.endheaders()
    answer = connection.getresponse()
    return answer.status, answer.read()


def test_what_lies_in_the_folder_is_served(port):
    """The picture comes whole, with the headers that forbid running anything."""
    assert asked(port, "/evidence/000001-after.jpg") == (200, b"the picture")


@pytest.mark.parametrize("way", WAYS_OUT, ids=lambda way: way[:30] or "empty")
def test_no_way_leads_out_of_the_folder(port, way):
    """Dots, slashes in every spelling, links, other kinds of file and hidden ones are not there."""
    status, body = asked(port, f"/evidence/{way}")
    assert status in (307, 404, 400, 405) and b"secret" not in body and b"root:" not in body


@given(
    name=st.text(max_size=60)
    | st.lists(st.sampled_from(["..", "/", "\\", "secret.jpg", "inner", "deep.jpg", "\0", "%2f"]), max_size=6).map("".join)
)
def test_any_name_is_a_file_of_the_folder_or_nothing(folder, name):
    """What is found is the one picture there."""
    try:
        found = proof_in(folder, name)
    except ValueError:  # a NUL: the answer is an error, and no file
        assert "\0" in name
        return
    assert found is None or os.path.samefile(found, folder / "000001-after.jpg")
