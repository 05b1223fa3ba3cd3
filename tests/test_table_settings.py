"""Settings of a table: which layer counts, where a value came from, and what is said of a wrong one."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from test_scripts_commands import assert_bad_input, miron

from rules.errors import BadInput
from rules.seats import Seat
from table.settings import MASK
from table.settings_layers import SECRETS, example, fields, ignored_variables, is_table, load_settings, variable

ROOT = Path(__file__).parent.parent
KEYS = [key for key, field in fields() if not is_table(field)]


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def origins(**told):
    return {row.key: (row.value, row.origin) for row in load_settings(**told).rows()}


def test_options_count_before_the_environment_the_file_and_the_defaults(place, monkeypatch):
    """Each layer covers the ones below it, key by key, and each value tells its own layer."""
    (place / "table.toml").write_text('event = "finals"\ntable = "t07"\n[mqtt]\nhost = "hall"\nport = 1884\nuser = "t07"\n')
    monkeypatch.setenv("MIRON_TABLE", "t08")
    monkeypatch.setenv("MIRON_MQTT_PORT", "1885")
    monkeypatch.setenv("MIRON_MQTT_HOST", "centre")
    rows = origins(options=["mqtt.port=1886", "log.level=debug"])
    assert rows["event"] == ("finals", "file")
    assert rows["table"] == ("t08", "environment")
    assert rows["mqtt.host"] == ("centre", "environment")
    assert rows["mqtt.port"] == (1886, "option")
    assert rows["mqtt.user"] == ("t07", "file")
    assert rows["log.level"] == ("debug", "option")
    assert rows["ruleset"] == ("dusa", "default")
    assert set(KEYS) <= set(rows)


def test_paths_of_the_file_count_from_its_folder(place):
    """A relative path means the same wherever the command is called; one from an option counts from where that is."""
    there = place / "etc"
    there.mkdir()
    (there / "t07.toml").write_text('data = "kept"\n[camera]\ncalibration = "plane.json"\n')
    settings = load_settings(there / "t07.toml", ["mqtt.password_file=secret"]).settings
    assert (settings.data, settings.camera.calibration) == (there / "kept", there / "plane.json")
    assert settings.mqtt.password_file == Path("secret")
    assert settings.journal == there / "kept" / "t01.journal.db"


def test_the_broker_gets_the_password_from_its_file(place, monkeypatch):
    """The first line of the file, or the environment's word; neither is shown."""
    (place / "secret").write_text("tres con tres\n# for t07\n")
    loaded = load_settings(options=["mqtt.password_file=secret", "mqtt.user=t07"])
    assert loaded.settings.broker.password == "tres con tres"
    monkeypatch.setenv("MIRON_MQTT_PASSWORD", "doble seis")
    loaded = load_settings()
    assert loaded.settings.broker.password == "doble seis"
    assert {row.key: row.value for row in loaded.rows()}[SECRETS[0]] == MASK
    assert "doble seis" not in repr(loaded.settings)
    assert origins(options=["camera.source=rtsp://ana:secret@10.0.0.9/1"])["camera.source"] == (
        f"rtsp://{MASK}@10.0.0.9/1",
        "option",
    )
    assert load_settings(options=["mqtt.enabled=false"]).settings.broker is None


def test_the_pages_get_a_screens_login(place, monkeypatch):
    """User and the first line of the file, or the environment's word; without a user none; a user without a password is refused."""
    (place / "secret").write_text("mirar es gratis\n")
    assert load_settings().settings.screen is None
    options = ["pages.user=screen", "pages.password_file=secret"]
    assert load_settings(options=options).settings.screen == ("screen", "mirar es gratis")
    with pytest.raises(BadInput, match=r"pages\.password_file"):
        _ = load_settings(options=["pages.user=screen"]).settings.screen
    monkeypatch.setenv("MIRON_PAGES_PASSWORD", "otra")
    assert load_settings(options=["pages.user=screen"]).settings.screen == ("screen", "otra")
    with pytest.raises(BadInput, match=r"pages\.password, found both"):
        load_settings(options=options)


def test_the_tables_own_login_is_given_to_no_page():
    """Who opens a page can read its login, so it must not be the one that writes the table."""
    with pytest.raises(BadInput, match=r"mqtt\.user: who opens a page"):
        load_settings(options=["mqtt.user=t07", "pages.user=t07"])


def test_switches_and_the_opener_reach_the_rules():
    """Free keys under `switches` are switches of the rule set, as numbers, truths and words."""
    settings = load_settings(
        options=["switches.target=150", "switches.play_exposed=false", "switches.pass_channel=reliable"]
    ).settings
    assert (settings.rules.target, settings.rules.play_exposed, settings.rules.pass_channel) == (150, False, "reliable")
    assert load_settings(options=["opener=W"]).settings.due_opener is Seat.W
    assert load_settings(options=["teams.a=Los Robles"]).settings.team_names == {"A": "Los Robles"}


WRONG = {
    "mqtt.prot=1": "did you mean mqtt.port",
    "mqtt.port=seven": "mqtt.port",
    "mqtt.port=70000": "65535",
    "mqtt=3": "table of keys",
    "camera.runtime=abacus": "onnxruntime",
    "opener=X": "'S', 'E', 'N' or 'W'",
    "event=Final Four": "a-z",
    "switches.house=1": "docs/rules.md",
    "log.level=loud": "'debug'",
    "camera.threads=-1": "greater than or equal to 0",
    "nonsense": "KEY=VALUE",
    "a.b.=1": "KEY=VALUE",
}


@pytest.mark.parametrize("option", WRONG)
def test_a_wrong_value_is_told_with_its_key_and_place(option):
    """One line: the key, what it should be, what was found and where it stands."""
    with pytest.raises(BadInput) as told:
        load_settings(options=[option])
    text = str(told.value)
    assert WRONG[option] in text and "expected" in text and "found" in text and "\n" not in text


def test_a_wrong_value_names_its_file_or_variable(place, monkeypatch):
    """Who reads the line knows which file or variable to correct."""
    (place / "table.toml").write_text("[mqtt]\nport = 0\n")
    with pytest.raises(BadInput, match=r"mqtt\.port .* found 0 in table\.toml"):
        load_settings()
    monkeypatch.setenv("MIRON_MQTT_PORT", "many")
    with pytest.raises(BadInput, match=r"found 'many' in MIRON_MQTT_PORT"):
        load_settings()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[mqtt", "TOML"),
        ('[mqtt]\npassword = "x"', "mqtt.password_file"),
        ('[pages]\npassword = "x"', "pages.password_file"),
        ("[camera]\nlens = 1", "camera.lens"),
        ("\xff", "TOML"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused(place, text, words):
    """No TOML, a password that would be passed on with the file, an unknown key: one line that names the file."""
    (place / "table.toml").write_bytes(text.encode("latin-1"))
    with pytest.raises(BadInput, match=words) as told:
        load_settings()
    assert "table.toml" in str(told.value) and "\n" not in str(told.value)


def test_other_refusals(place, monkeypatch):
    """A file that is not there, a password that is empty or told twice, a variable that names a whole table of keys."""
    with pytest.raises(BadInput, match="--config"):
        load_settings(place / "none.toml")
    (place / "empty").write_text("\n")
    for file in ("empty", "nowhere"):
        with pytest.raises(BadInput, match=file):
            _ = load_settings(options=[f"mqtt.password_file={file}"]).settings.broker
    with pytest.raises(BadInput, match="found both"):
        load_settings(options=["mqtt.password_file=empty", "mqtt.password=x"])
    monkeypatch.setenv("MIRON_MQTT", "{}")
    with pytest.raises(BadInput, match="MIRON_MQTT_HOST"):
        load_settings()


def test_a_variable_that_names_no_key_is_seen(monkeypatch):
    """A mistyped variable of one word is not taken for a setting, and can be told."""
    monkeypatch.setenv("MIRON_LOGLEVEL", "debug")
    monkeypatch.setenv("MIRON_LOG_LEVEL", "debug")
    assert ignored_variables() == ["MIRON_LOGLEVEL"]


def test_the_example_gives_the_defaults(place):
    """The example file loads, changes nothing, names every key, and is the one in deploy/."""
    (place / "table.toml").write_text(example())
    defaults = {key: value for key, (value, _) in origins(options=()).items()}
    (place / "table.toml").unlink()
    bare = {key: value for key, (value, _) in origins().items()}
    assert defaults | {"data": bare["data"]} == bare
    named = re.findall(r"^#? ?(\w+) =", example(), re.M)
    assert named == [key.rpartition(".")[2] for key in KEYS if key not in SECRETS] + ["target"]
    assert (ROOT / "deploy" / "table.toml").read_text() == example()


@pytest.mark.parametrize("key", KEYS)
def test_every_key_is_documented(key):
    """docs/configuration.md has a row for each key with its default, its variable and its meaning."""
    field = dict(fields())[key]
    default = field.get_default()
    shown = "" if default is None else f"`{default}`" if isinstance(default, Path) else f"`{json.dumps(default)}`"
    rows = (ROOT / "docs" / "configuration.md").read_text().splitlines()
    assert f"| `{key}` | {shown} | `{variable(key)}` | {field.description} |" in rows


def test_config_show_tells_every_value_and_its_source(place):
    """`miron config show --json`: a line for each key; the secret is masked; a wrong value is one line and exit code 2."""
    (place / "t.toml").write_text('table = "t07"\n')
    done = miron("config", "show", "--config", "t.toml", "--set", "mqtt.password=hush", "--json", cwd=place)
    assert done.returncode == 0, done.stderr
    rows = {row["key"]: row for row in map(json.loads, done.stdout.splitlines())}
    assert rows["table"] == {"key": "table", "value": "t07", "from": "file", "where": "t.toml"}
    assert rows[SECRETS[0]]["value"] == MASK and "hush" not in done.stdout
    shown = miron("config", "show", "--config", "t.toml", cwd=place)
    assert all(key in shown.stdout for key in KEYS)
    assert_bad_input(miron("config", "show", "--set", "mqtt.prot=1", cwd=place), "mqtt.port")
