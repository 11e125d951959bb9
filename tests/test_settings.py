from pathlib import Path

import pytest

from app.settings import Settings, SettingsError, describe, load_settings
from app.settings.model import secrets


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


class TestLoading:
    def test_the_defaults_are_one_local_user_on_loopback(self, tmp_path: Path) -> None:
        settings = load_settings()
        assert (settings.host, settings.port, settings.mode) == ("127.0.0.1", 8000, "local")
        assert settings.effective_database_url == f"sqlite:///{tmp_path}/data/ridgeway.sqlite3"
        assert settings.public_url == "http://127.0.0.1:8000"
        assert not settings.secure_cookies

    def test_the_environment_wins_over_the_file(self, monkeypatch: pytest.MonkeyPatch) -> None:
        Path(".env").write_text("RIDGEWAY_PORT=9001\nRIDGEWAY_HOST=localhost\nOTHER=1\n")
        monkeypatch.setenv("RIDGEWAY_PORT", "9002")
        settings = load_settings()
        assert (settings.port, settings.host) == (9002, "localhost")

    def test_an_empty_variable_is_an_unset_one(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("RIDGEWAY_PORT", "")
        assert load_settings().port == 8000

    @pytest.mark.parametrize("separator", [":", ",", " , "])
    def test_folders_of_questions(self, separator: str, monkeypatch: pytest.MonkeyPatch) -> None:
        Path("one").mkdir()
        Path("two").mkdir()
        monkeypatch.setenv("RIDGEWAY_BANK_PATHS", separator.join(["one", "two"]))
        assert load_settings().bank_paths == (Path("one"), Path("two"))

    def test_a_settings_object_reads_nothing_around_it(self, monkeypatch: pytest.MonkeyPatch) -> None:
        Path(".env").write_text("RIDGEWAY_PORT=9001\n")
        monkeypatch.setenv("RIDGEWAY_HOST", "::1")
        assert (Settings().port, Settings().host) == (8000, "127.0.0.1")


BAD = [
    ("PORT", "eight", "RIDGEWAY_PORT is 'eight': allowed is a whole number from 0 to 65535"),
    ("PORT", "65536", "a whole number from 0 to 65535"),
    ("PORT", "-1", "a whole number from 0 to 65535"),
    ("HOST", "a b", "RIDGEWAY_HOST is 'a b': allowed is an IP address or a host name"),
    ("HOST", "127.0.0.1:80", "without a port"),
    ("MODE", "teams", "RIDGEWAY_MODE is 'teams': allowed is local or team"),
    ("PUBLIC", "all", "RIDGEWAY_PUBLIC is 'all': allowed is nothing, calculators or questions"),
    ("MODE", "cloud", "RIDGEWAY_MODE is 'cloud': allowed is local"),
    ("ALLOW_REMOTE", "perhaps", "RIDGEWAY_ALLOW_REMOTE is 'perhaps': allowed is 1 or 0"),
    ("BANK_PATHS", "nowhere", "RIDGEWAY_BANK_PATHS is 'nowhere': allowed is folders that exist"),
    ("DATA_DIR", "a-file", "RIDGEWAY_DATA_DIR is 'a-file': allowed is a folder"),
    ("DATABASE_URL", "mysql://u:secret@h/d", "RIDGEWAY_DATABASE_URL is not an address"),
    ("REPORT_TO", "me@example.com", "RIDGEWAY_REPORT_TO is 'me@example.com': allowed is mailto:ADDRESS"),
    ("REPORT_TO", "mailto:me@example.com?cc=x", "allowed is mailto:ADDRESS"),
    ("REPORT_TO", "http://example.com/new", "or the https address of a form"),
    (
        "BASE_URL",
        "ftp://example.com",
        "RIDGEWAY_BASE_URL is 'ftp://example.com': allowed is an http",
    ),
    ("BASE_URL", "https://example.com/deep", "without a path"),
    ("BASE_URL", "https://example.com:x", "an http or https address"),
    ("EMBED_ORIGINS", "https://a.example/deep", "*, none, or addresses without a path"),
    ("EMBED_ORIGINS", "* https://a.example", "*, none, or addresses without a path"),
    ("EMBED_ORIGINS", "https://a.example; script-src *", "*, none, or addresses without a path"),
    ("TRUSTED_PROXIES", "10.0.0.1/8", "allowed is addresses such as 127.0.0.1 and networks such as"),
    ("WORKERS", "0", "RIDGEWAY_WORKERS is '0': allowed is a whole number from 1 to 64"),
    ("LOG_FORMAT", "xml", "RIDGEWAY_LOG_FORMAT is 'xml': allowed is text or json"),
    ("LOG_LEVEL", "loud", "allowed is error, warning, info or debug"),
    ("METRICS_TOKEN", "short", "RIDGEWAY_METRICS_TOKEN is not one that can be used: allowed is 16 printable"),
    ("OIDC_ISSUER", "http://id.example.com", "allowed is an https address; http only on this machine"),
    (
        "OIDC_ISSUER",
        "https://id.example.com",
        "RIDGEWAY_OIDC_ISSUER and RIDGEWAY_OIDC_CLIENT_ID belong together",
    ),
    ("OIDC_SCOPES", "email", "scopes with openid among them"),
    ("OIDC_ALLOWED_DOMAINS", "ada@example.com", "domains such as example.com"),
    ("OIDC_ROLES", "leads", "pairs such as ml-leads=owner"),
    ("OIDC_ROLES", "leads=boss", "a role is owner, editor or member"),
    ("SMTP_URL", "mail.example.com:25", "RIDGEWAY_SMTP_URL is not one that can be used: allowed is smtp://"),
    (
        "SMTP_URL",
        "smtp://me:secret@mail.example.com",
        "RIDGEWAY_SMTP_URL and RIDGEWAY_MAIL_FROM belong together",
    ),
    ("MAIL_FROM", "Ridgeway", "allowed is an e-mail address"),
    ("PROT", "1", "RIDGEWAY_PROT is not a setting: did you mean RIDGEWAY_PORT?"),
    ("ZZZZ", "1", "RIDGEWAY_ZZZZ is not a setting: known are RIDGEWAY_HOST, RIDGEWAY_PORT"),
]


class TestBadSettings:
    @pytest.mark.parametrize(("name", "value", "message"), BAD)
    @pytest.mark.parametrize("place", ["environment", "file"])
    def test_stop_with_one_line(
        self, name: str, value: str, message: str, place: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        Path("a-file").touch()
        if place == "environment":
            monkeypatch.setenv(f"RIDGEWAY_{name}", value)
        else:
            Path(".env").write_text(f"RIDGEWAY_{name}='{value}'\n")
        with pytest.raises(SettingsError) as caught:
            load_settings()
        assert message in str(caught.value)
        assert "\n" not in str(caught.value)
        assert "secret" not in str(caught.value)

    def test_a_sign_in_provider_as_its_variables_say_it(self, monkeypatch: pytest.MonkeyPatch) -> None:
        given = {
            "OIDC_ISSUER": "https://id.example.com/realms/ml/.well-known/openid-configuration",
            "OIDC_CLIENT_ID": "ridgeway",
            "OIDC_ALLOWED_DOMAINS": "Example.com, @example.org",
            "OIDC_ALLOWED_GROUPS": "ML Platform,Research",
            "OIDC_ROLES": "ML Leads=ml/owner, staff=member",
        }
        for name, value in given.items():
            monkeypatch.setenv(f"RIDGEWAY_{name}", value)
        settings = load_settings()
        assert settings.oidc_issuer == "https://id.example.com/realms/ml"
        assert settings.oidc_scopes == ("openid", "email", "profile")
        assert settings.oidc_allowed_domains == ("example.com", "example.org")
        assert settings.oidc_allowed_groups == ("ML Platform", "Research")
        assert settings.oidc_roles == {"ML Leads": "ml/owner", "staff": "member"}

    def test_a_file_that_is_no_text(self) -> None:
        Path(".env").write_bytes(b"\xff\xfe\x00")
        with pytest.raises(SettingsError, match=r"\.env cannot be read"):
            load_settings()


class TestRemote:
    @pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "example.com"])
    def test_another_address_needs_to_be_allowed(self, host: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("RIDGEWAY_HOST", host)
        with pytest.raises(SettingsError, match=r"no password .* RIDGEWAY_ALLOW_REMOTE=1"):
            load_settings()
        monkeypatch.setenv("RIDGEWAY_ALLOW_REMOTE", "1")
        assert load_settings().host == host

    @pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "::1", "[::1]", "localhost", "LOCALHOST"])
    def test_this_machine_needs_no_leave(self, host: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("RIDGEWAY_HOST", host)
        settings = load_settings()
        assert settings.allows_host(settings.public_url.removeprefix("http://"))


class TestHosts:
    @pytest.mark.parametrize(
        "header", ["localhost", "localhost:8000", "LocalHost", "127.0.0.1:1", "[::1]:8000", "localhost."]
    )
    def test_loopback_is_answered(self, header: str) -> None:
        assert Settings().allows_host(header)

    @pytest.mark.parametrize(
        "header",
        ["evil.example", "localhost.evil.example", "", "192.168.1.5", "[::1", "evil@localhost", "a b"],
    )
    def test_others_are_not(self, header: str) -> None:
        assert not Settings().allows_host(header)

    def test_the_base_url_names_one_more(self) -> None:
        settings = Settings(base_url="https://Ridgeway.Example.com:8443/", host="0.0.0.0", allow_remote=True)
        assert settings.base_url == "https://ridgeway.example.com:8443"
        assert settings.secure_cookies
        assert settings.allows_host("ridgeway.example.com")
        assert not settings.allows_host("192.168.1.5")

    def test_without_a_base_url_remote_means_addresses_and_no_foreign_names(self) -> None:
        settings = Settings(host="0.0.0.0", allow_remote=True)
        assert settings.allows_host("192.168.1.5:8000")
        assert settings.allows_host("[fe80::1]:8000")
        assert not settings.allows_host("evil.example")


class TestFraming:
    @pytest.mark.parametrize(
        ("given", "ancestors"),
        [
            ("*", "*"),
            ("none", "'none'"),
            ("", "'none'"),
            ("https://a.example/, http://b.example:8080", "'self' https://a.example http://b.example:8080"),
            ("https://*.example.com", "'self' https://*.example.com"),
        ],
    )
    def test_the_origins_become_the_policy_of_an_embedding(self, given: str, ancestors: str) -> None:
        assert Settings(embed_origins=given).frame_ancestors == ancestors

    def test_anybody_may_frame_one_by_default(self) -> None:
        assert Settings().frame_ancestors == "*"


class TestDescribing:
    def test_each_setting_has_its_meaning_default_and_value(self) -> None:
        lines = {line.name: line for line in describe(Settings(port=9000))}
        assert set(lines) == {f"RIDGEWAY_{name.upper()}" for name in Settings.model_fields}
        assert (lines["RIDGEWAY_PORT"].default, lines["RIDGEWAY_PORT"].value) == ("8000", "9000")
        assert all(line.meaning and line.default and line.value for line in lines.values())

    def test_a_password_is_masked(self) -> None:
        settings = Settings(database_url="postgresql://me:s3cret@db/ridgeway")
        shown = " ".join(line.value for line in describe(settings)) + repr(settings)
        assert "s3cret" not in shown
        assert "me:***@db/ridgeway" in shown

    def test_so_is_every_secret(self) -> None:
        settings = Settings(metrics_token="0123456789abcdef")
        lines = {line.name: line.value for line in describe(settings)}
        assert lines["RIDGEWAY_METRICS_TOKEN"] == "***"
        assert "0123456789abcdef" not in repr(settings)


class TestSecretsInFiles:
    @pytest.mark.parametrize("place", ["environment", "file"])
    def test_a_secret_is_what_its_file_holds(self, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
        Path("secret").write_text("postgresql://me:s3cret@db/ridgeway\n")
        if place == "environment":
            monkeypatch.setenv("RIDGEWAY_DATABASE_URL_FILE", "secret")
        else:
            Path(".env").write_text("RIDGEWAY_DATABASE_URL_FILE=secret\n")
        assert load_settings().database_url == "postgresql://me:s3cret@db/ridgeway"

    def test_a_file_that_is_not_there(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("RIDGEWAY_METRICS_TOKEN_FILE", "nowhere")
        with pytest.raises(
            SettingsError, match="RIDGEWAY_METRICS_TOKEN_FILE is 'nowhere': allowed is a file"
        ):
            load_settings()

    def test_what_a_file_holds_is_checked_and_not_shown(self, monkeypatch: pytest.MonkeyPatch) -> None:
        Path("secret").write_text("s3cret")
        monkeypatch.setenv("RIDGEWAY_METRICS_TOKEN_FILE", "secret")
        with pytest.raises(SettingsError, match="RIDGEWAY_METRICS_TOKEN is not one that can") as caught:
            load_settings()
        assert "s3cret" not in str(caught.value)

    def test_one_that_is_given_twice_is_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        Path("secret").write_text("0123456789abcdef")
        monkeypatch.setenv("RIDGEWAY_METRICS_TOKEN_FILE", "secret")
        monkeypatch.setenv("RIDGEWAY_METRICS_TOKEN", "fedcba9876543210")
        with pytest.raises(SettingsError, match="are both set"):
            load_settings()

    def test_a_file_without_an_end_is_not_read_on(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("RIDGEWAY_METRICS_TOKEN_FILE", "/dev/zero")
        with pytest.raises(SettingsError, match="a file of up to 64 KiB"):
            load_settings()

    def test_what_is_no_secret_has_no_file(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("RIDGEWAY_HOST_FILE", "secret")
        with pytest.raises(SettingsError, match="RIDGEWAY_HOST_FILE is not a setting"):
            load_settings()


class TestDocumentation:
    def test_every_setting_stands_in_the_table_for_whoever_hosts(self) -> None:
        table = (Path(__file__).parents[1] / "docs" / "hosting.md").read_text()
        secret = {f"RIDGEWAY_{name.upper()}" for name in secrets()}
        for line in describe(Settings()):
            marked = f"`{line.name}`{'*' if line.name in secret else ''}"
            assert f"| {marked} | {line.meaning} | {line.default} |" in table
