"""Archives and folders that are taken in, and everything that refuses them whole."""

import contextlib
import io
import stat
import tarfile
import zipfile
from pathlib import Path

import pytest

from app.packs.archives import read_archive, read_folder, to_archive
from app.packs.contents import MAX_FILES, MAX_PACKED, MAX_QUESTIONS, Contents, PackRefused

QUESTION = "attention/our-window.md"
BODY = b"---\ntitle: T\n---\n"


def zipped(*files: tuple[str, bytes], mode: int = 0, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in files:
            info = zipfile.ZipInfo(name)
            info.external_attr = mode << 16
            archive.writestr(info, content, method)
    return out.getvalue()


def tarred(*files: tuple[str, bytes], kind: bytes = tarfile.REGTYPE, link: str = "") -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name, content in files:
            info = tarfile.TarInfo(name)
            info.size, info.type, info.linkname = (len(content), kind, link)
            archive.addfile(info, io.BytesIO(content))
    return out.getvalue()


def why(data: bytes) -> str:
    with pytest.raises(PackRefused) as refused:
        read_archive(data)
    return "; ".join(f"{each.path}: {each.message}" for each in refused.value.findings)


class TestTakenIn:
    @pytest.mark.parametrize("packed", [zipped, tarred])
    @pytest.mark.parametrize("prefix", ["", "our-pack/"])
    def test_a_pack_bare_or_in_one_folder(self, packed: object, prefix: str) -> None:
        files = [
            (prefix + name, BODY) for name in (QUESTION, "attention/one.svg", "README.md", ".git/config")
        ]
        contents = read_archive(packed(*files))  # type: ignore[operator]  # either of the two above
        assert list(contents.files) == ["README.md", "attention/one.svg", QUESTION]

    def test_however_it_was_packed_it_is_the_same_pack(self, tmp_path: Path) -> None:
        (tmp_path / "attention").mkdir()
        (tmp_path / QUESTION).write_bytes(BODY)
        packs = (read_archive(zipped((QUESTION, BODY))), read_archive(tarred((QUESTION, BODY))))
        assert {each.digest for each in packs} == {read_folder(tmp_path).digest}

    def test_what_is_stored_reads_as_what_was_taken_in(self) -> None:
        contents = read_archive(tarred((QUESTION, BODY), ("attention/a.svg", b"<svg/>")))
        stored = to_archive(contents)
        assert read_archive(stored).files == contents.files
        assert to_archive(read_archive(stored)) == stored


class TestNames:
    @pytest.mark.parametrize(
        ("name", "reason"),
        [
            ("../attention/x.md", "leads out of the pack"),
            ("attention/../../x.md", "leads out of the pack"),
            ("/etc/passwd", "leads out of the pack"),
            ("C:/attention/x.md", "leads out of the pack"),
            ("attention\\x.md", "leads out of the pack"),
            ("attention/\u0430ttention.md", "only plain letters"),  # a Cyrillic a
            ("attention/x\u202egnp.md", "only plain letters"),
            ("attention/x\n.md", "only plain letters"),
            ("attention//x.md", "empty in part"),
            ("attention/x.md ", "empty in part"),
            ("attention/con.md", "names a device"),
            ("attention/" + "x" * 300 + ".md", "too long"),
            ("attention/Window.md", "the file name is the slug"),
            ("attention/deep/x.md", "in the folder of its topic"),
            ("x.md", "in the folder of its topic"),
            ("our-things/x.md", "is no topic"),
            ("attention/x.py", "questions (.md) and pictures (.svg)"),
            ("attention/x", "questions (.md) and pictures (.svg)"),
        ],
    )
    def test_one_that_is_not_a_packs_refuses_all(self, name: str, reason: str) -> None:
        assert reason in why(zipped((QUESTION, BODY), (name, BODY)))

    def test_a_name_behind_a_nul_is_seen(self) -> None:
        data = zipped((QUESTION, BODY), ("attention/x.md#.py", BODY)).replace(b"x.md#.py", b"x.md\0.py")
        assert "only plain letters" in why(data)

    @pytest.mark.parametrize("other", ["attention/Our-Window.md", QUESTION])
    def test_two_that_some_systems_cannot_tell_apart(self, other: str) -> None:
        doubled = pytest.warns(UserWarning, match="Duplicate name")
        with doubled if other == QUESTION else contextlib.nullcontext():
            data = zipped((QUESTION, BODY), (other, BODY))
        assert "there twice" in why(data)

    @pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE])
    def test_what_is_no_file_in_a_tar(self, kind: bytes) -> None:
        assert "neither a file nor a folder" in why(tarred((QUESTION, b""), kind=kind, link="/etc/passwd"))

    def test_a_link_in_a_zip_or_a_folder(self, tmp_path: Path) -> None:
        link = zipped((QUESTION, b"/etc/passwd"), mode=stat.S_IFLNK | 0o777)
        assert "neither a file nor a folder" in why(link)
        (tmp_path / "attention").mkdir()
        (tmp_path / QUESTION).symlink_to("/etc/passwd")
        with pytest.raises(PackRefused, match="neither a file nor a folder"):
            read_folder(tmp_path)


class TestSizes:
    def test_bombs_are_given_up_early(self) -> None:
        for packed in (zipped, tarred):
            bomb = packed(*((f"attention/q-{number}.md", bytes(120_000)) for number in range(400)))
            assert len(bomb) < 400_000
            assert "larger than an honest archive" in why(bomb)

    def test_a_tar_of_nothing_but_zeros(self) -> None:
        assert "larger than an honest archive" in why(tarred(("attention/x.bin", bytes(60 * 1024 * 1024))))

    def test_a_zip_that_lies_about_its_sizes(self) -> None:
        data = zipped((QUESTION, bytes(1_000_000)))
        lying = data.replace((1_000_000).to_bytes(4, "little"), (10).to_bytes(4, "little"))
        assert lying != data
        assert why(lying)

    def test_more_files_and_questions_than_anybody_writes(self) -> None:
        many = [(f"attention/q-{number}.svg", b"") for number in range(MAX_FILES + 1)]
        assert "more than" in why(zipped(*many))
        questions = [(f"attention/q-{number}.md", b"x" * 100) for number in range(MAX_QUESTIONS + 1)]
        assert "at most" in why(zipped(*questions))

    def test_one_file_or_an_archive_that_is_too_large(self) -> None:
        assert "larger than" in why(zipped((QUESTION, b"x" * 200_000), method=zipfile.ZIP_STORED))
        assert "larger than" in why(b"PK\x03\x04" + bytes(MAX_PACKED))


class TestDamaged:
    @pytest.mark.parametrize("data", [b"", b"PK", b"hello", b"\x1f\x8b\x08" + bytes(40), b"PK\x03\x04" * 9])
    def test_what_is_no_archive(self, data: bytes) -> None:
        assert "archive" in why(data)

    def test_an_archive_cut_off_anywhere(self) -> None:
        for whole in (zipped((QUESTION, BODY * 50)), tarred((QUESTION, BODY * 50))):
            for length in range(5, len(whole) - 1, 7):
                with pytest.raises(PackRefused):
                    read_archive(whole[:length])

    def test_one_with_a_password_or_an_odd_packing(self) -> None:
        plain = zipped((QUESTION, BODY), method=zipfile.ZIP_STORED)
        head, entry = plain.index(b"PK\x03\x04"), plain.index(b"PK\x01\x02")
        locked = bytearray(plain)
        locked[head + 6] |= 1
        locked[entry + 8] |= 1
        assert "encrypted" in why(bytes(locked))
        assert "few can read" in why(zipped((QUESTION, BODY), method=zipfile.ZIP_LZMA))

    def test_one_without_a_question(self) -> None:
        assert "no question" in why(zipped(("README.md", BODY)))
        assert isinstance(read_archive(zipped((QUESTION, BODY))), Contents)
