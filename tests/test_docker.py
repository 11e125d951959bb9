"""The Dockerfile and the compose files as files: no engine is needed to see that they keep their promises."""

import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from app.database import parse_url
from app.serving import GRACE
from app.settings import Settings

ROOT = Path(__file__).parents[1]
FILES = ["compose.yaml", "compose.sqlite.yaml"]
# What the image and the files decide themselves.
DECIDED = {"HOST", "PORT", "ALLOW_REMOTE", "DATA_DIR", "DATABASE_URL"}


def compose(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((ROOT / name).read_text())
    return loaded


def instructions() -> list[tuple[str, str]]:
    """The Dockerfile's, with lines that go on put together."""
    text = re.sub(r"\\\n(?:#.*\n)?", " ", (ROOT / "Dockerfile").read_text())
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [(word, rest.strip()) for word, _, rest in (line.partition(" ") for line in lines)]


class TestImage:
    def last_stage(self) -> list[tuple[str, str]]:
        found = instructions()
        start = max(index for index, (word, _) in enumerate(found) if word == "FROM")
        return found[start:]

    def test_runs_as_nobody_in_particular_and_writes_to_its_volume_alone(self) -> None:
        stage = dict(self.last_stage())
        assert stage["USER"] not in ("", "root", "0")
        assert stage["VOLUME"] == "/data"
        assert "RIDGEWAY_DATA_DIR=/data" in stage["ENV"]

    def test_gets_signals_itself_and_says_whether_it_is_alive(self) -> None:
        stage = dict(self.last_stage())
        assert stage["CMD"] == '["ridgeway", "serve"]'
        assert "/healthz" in stage["HEALTHCHECK"]

    def test_takes_nothing_from_the_build_but_what_serves(self) -> None:
        for word, rest in self.last_stage():
            assert word != "ADD"
            if word == "COPY":
                assert rest.startswith("--from=build ")
                assert not {"tests", "node_modules", "data", ".git"} & set(re.split(r"[/ ]", rest))

    def test_everything_that_is_copied_is_there_and_let_in(self) -> None:
        let_in = (ROOT / ".dockerignore").read_text().splitlines()
        for word, rest in instructions():
            if word == "COPY" and not rest.startswith("--from"):
                for name in shlex.split(rest)[:-1]:
                    assert (ROOT / name).exists()
                    assert f"!{name.partition('/')[0]}" in let_in

    def test_every_package_is_locked(self) -> None:
        installs = [rest for word, rest in instructions() if word == "RUN" and "pip install" in rest]
        assert all("--require-hashes" in rest or "--no-deps" in rest for rest in installs)
        assert installs


@pytest.mark.parametrize("name", FILES)
class TestCompose:
    def test_is_published_on_this_machine_alone(self, name: str) -> None:
        published = [
            port for service in compose(name)["services"].values() for port in service.get("ports", [])
        ]
        assert published == ["${PUBLISH:-127.0.0.1:8000}:8000"]

    def test_every_service_gives_up_what_it_does_not_need(self, name: str) -> None:
        for service in compose(name)["services"].values():
            assert service["cap_drop"] == ["ALL"]
            assert service["security_opt"] == ["no-new-privileges:true"]
            assert "privileged" not in service
        server = compose(name)["services"]["ridgeway"]
        assert server["read_only"] is True
        assert server["tmpfs"] == ["/tmp"]
        assert "cap_add" not in server

    def test_a_stop_waits_as_long_as_the_server_takes(self, name: str) -> None:
        grace = compose(name)["services"]["ridgeway"]["stop_grace_period"]
        assert int(grace.removesuffix("s")) > GRACE

    def test_every_volume_is_declared(self, name: str) -> None:
        loaded = compose(name)
        used = {
            volume.partition(":")[0]
            for service in loaded["services"].values()
            for volume in service.get("volumes", [])
        }
        assert used == set(loaded["volumes"])

    def test_every_setting_can_be_given(self, name: str) -> None:
        given = {
            variable.removeprefix("RIDGEWAY_").removesuffix("_FILE")
            for variable in compose(name)["services"]["ridgeway"]["environment"]
        }
        wanted = {field.upper() for field in Settings.model_fields} - DECIDED
        assert given - DECIDED == wanted, f"name it under environment: of {name}"

    def test_no_password_is_written_down(self, name: str) -> None:
        text = (ROOT / name).read_text()
        assert re.findall(r"(?i)(?:password|token|secret)[A-Z_]*: *[^\s/].*", text) == []


class TestPassword:
    """It is made at the first start, by a script in compose.yaml."""

    def made(self, folder: Path) -> tuple[str, str]:
        [script] = compose("compose.yaml")["services"]["secrets"]["command"]
        script = script.replace("$$", "$").replace("/run/ridgeway", str(folder))
        subprocess.run(["/bin/sh", "-ec", script], check=True)
        return (folder / "database-password").read_text(), (folder / "database-url").read_text()

    def test_once_and_another_on_each_server(self, tmp_path: Path) -> None:
        one, two = tmp_path / "one", tmp_path / "two"
        one.mkdir()
        two.mkdir()
        password, address = self.made(one)
        assert len(password) == 48
        assert self.made(two)[0] != password
        assert self.made(one) == (password, address)
        url = parse_url(address)
        assert (url.username, url.password, url.host, url.database) == (
            "ridgeway",
            password,
            "database",
            "ridgeway",
        )

    def test_goes_where_it_is_needed(self) -> None:
        services = compose("compose.yaml")["services"]
        environment = services["database"]["environment"]
        assert environment["POSTGRES_PASSWORD_FILE"] == "/run/ridgeway/database-password"
        assert (
            services["ridgeway"]["environment"]["RIDGEWAY_DATABASE_URL_FILE"] == "/run/ridgeway/database-url"
        )
        assert "secrets:/run/ridgeway:ro" in services["database"]["volumes"]
        assert "secrets:/run/ridgeway:ro" in services["ridgeway"]["volumes"]

    def test_nobody_outside_reaches_the_database(self) -> None:
        loaded = compose("compose.yaml")
        assert "ports" not in loaded["services"]["database"]
        assert loaded["services"]["database"]["networks"] == ["inside"]
        assert loaded["networks"]["inside"]["internal"] is True
