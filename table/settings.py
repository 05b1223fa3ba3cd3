"""The settings of one table's monitor: every key of `table.toml` with its default and its meaning. docs/configuration.md lists them."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from models.runtimes import RUNTIMES
from rules.errors import BadInput
from rules.ruleset import Ruleset, ruleset_named
from rules.seats import Seat
from table.envelope import checked_name
from table.mqtt_settings import MqttSettings

MASK = "********"
PREFIX = "MIRON_"  # of environment variables: MIRON_MQTT_HOST is mqtt.host
Port = Annotated[int, Field(ge=0, le=65535)]


def _literal(value: object) -> object:
    """A value that came as text (environment, option), as TOML reads it; else the text itself."""
    if not isinstance(value, str):
        return value
    try:
        return tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return value


def _runtime(value: str) -> str:
    if value not in RUNTIMES:
        raise ValueError(f"one of {', '.join(RUNTIMES)}")
    return value


class Section(BaseModel):
    """Keys that belong together; an unknown one is a mistake."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class TeamSettings(Section):
    """Names of the pairs; empty: they are called A and B."""

    a: str = Field(default="", max_length=80, description="name of the pair south and north")
    b: str = Field(default="", max_length=80, description="name of the pair east and west")


class CameraSettings(Section):
    """What is watched."""

    source: str = Field(default="v4l2:0", description="`v4l2:0`, `picamera:0`, `rtsp://…`, or a video file")
    calibration: Path | None = Field(default=None, description="file of `miron calibrate`; without it the seats stay unknown")
    runtime: Annotated[str, AfterValidator(_runtime)] = Field(
        default="onnxruntime", description="what runs the networks: `onnxruntime`, `ncnn` or `openvino`"
    )
    threads: int = Field(default=0, ge=0, le=256, description="threads of the networks; 0 for all cores")


class RecordingSettings(Section):
    """What is kept of what was seen."""

    enabled: bool = Field(default=True, description="whether every frame is recorded")


class MqttSection(Section):
    """The broker."""

    enabled: bool = Field(default=True, description="whether events are published; without, they stay in the journal")
    host: str = Field(default="127.0.0.1", min_length=1, description="the broker's name or address")
    port: int = Field(default=1883, ge=1, le=65535, description="its port")
    transport: Literal["tcp", "websockets"] = Field(default="tcp", description="`tcp` or `websockets`")
    ca: Path | None = Field(
        default=None, description="certificates (PEM) that vouch for the broker: TLS, usually at port 8883; without, in the clear"
    )
    user: str | None = Field(default=None, description="who we are to the broker")
    password_file: Path | None = Field(default=None, description="file whose first line is the password; readable by us alone")
    password: SecretStr | None = Field(
        default=None, description="the password itself, for an environment that has no files; never in `table.toml`"
    )
    home_assistant: bool = Field(default=False, description="whether Home Assistant is told of the table")


class PagesSettings(Section):
    """The pages of this table: scoreboard and referee's console."""

    enabled: bool = Field(default=True, description="whether this program serves the pages")
    host: str = Field(default="127.0.0.1", description="address to serve on; `0.0.0.0` for every screen on the network")
    port: Port = Field(default=8080, description="port of the pages; 0 takes a free one")
    mqtt_ws: str = Field(default="ws://127.0.0.1:9001/mqtt", description="the broker's WebSocket address, as screens reach it")
    user: str | None = Field(
        default=None,
        description="a screen's user at the broker, for every page to look with, where nobody may look without a name",
    )
    password_file: Path | None = Field(
        default=None, description="file whose first line is the screen's password; every page is given it"
    )
    password: SecretStr | None = Field(default=None, description="the screen's password itself; never in `table.toml`")


class MetricsSettings(Section):
    """Figures for Prometheus."""

    enabled: bool = Field(default=True, description="whether `/metrics` is served")
    host: str = Field(default="127.0.0.1", description="address to serve on")
    port: Port = Field(default=9108, description="port of `/metrics`; 0 takes a free one")


class LogSettings(Section):
    """What the program says of its own work."""

    level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="the least that is said: `debug`, `info`, `warning`, `error`"
    )
    form: Literal["auto", "human", "json"] = Field(
        default="auto", description="`human`, `json` (a line each), or `auto`: human on a terminal"
    )


class TableSettings(BaseSettings):
    """All settings of one table. Made by `table.settings_layers.load_settings`."""

    model_config = SettingsConfigDict(
        extra="forbid", frozen=True, env_prefix=PREFIX, env_nested_delimiter="_", env_nested_max_split=1
    )

    event: str = Field(default="local", description="name of the event in topics: 1 to 32 of a-z, 0-9 and -")
    table: str = Field(default="t01", description="name of the table in topics")
    ruleset: Literal["dusa", "fid"] = Field(default="dusa", description="rules of a new match: `dusa` or `fid`")
    opener: Literal["S", "E", "N", "W"] | None = Field(
        default=None, description="the seat whose opening is due; without, the first to play"
    )
    data: Path = Field(default=Path("miron-data"), description="folder of the journal, the recordings and the evidence")
    switches: dict[str, Annotated[Any, BeforeValidator(_literal)]] = Field(
        default_factory=dict, description="switches of the rule set, by name (docs/rules.md)"
    )
    teams: TeamSettings = TeamSettings()
    camera: CameraSettings = CameraSettings()
    recording: RecordingSettings = RecordingSettings()
    mqtt: MqttSection = MqttSection()
    pages: PagesSettings = PagesSettings()
    metrics: MetricsSettings = MetricsSettings()
    log: LogSettings = LogSettings()

    @property
    def journal(self) -> Path:
        """The table's journal."""
        return self.data / f"{self.table}.journal.db"

    @property
    def rules(self) -> Ruleset:
        """The rule set with its switches; BadInput names one that does not exist."""
        return ruleset_named(self.ruleset).with_switches(self.switches)

    @property
    def due_opener(self) -> Seat | None:
        """The seat whose opening is due in a new match."""
        return None if self.opener is None else Seat.parse(self.opener)

    @property
    def team_names(self) -> dict[str, str]:
        """The names of the pairs that have one."""
        return {pair: name for pair, name in (("A", self.teams.a), ("B", self.teams.b)) if name}

    @property
    def broker(self) -> MqttSettings | None:
        """Where to publish, with the password read from its file; None when nothing is published."""
        if not self.mqtt.enabled:
            return None
        mqtt = self.mqtt
        return MqttSettings(
            self.event, self.table, mqtt.host, mqtt.port, mqtt.transport, mqtt.user, _password("mqtt", mqtt), ca=mqtt.ca,
            home_assistant=mqtt.home_assistant,
        )  # fmt: skip

    @property
    def screen(self) -> tuple[str, str] | None:
        """User and password that every page is given to look with; None: pages give no name."""
        if self.pages.user is None:
            return None
        password = _password("pages", self.pages)
        if password is None:
            raise BadInput(f"expected the password of the screen {self.pages.user}, found none; name pages.password_file")
        return self.pages.user, password


def without_password(text: str) -> str:
    """A text with the user and password of every address in it masked, as in `rtsp://…@camera`."""
    return re.sub(r"://[^/\s@]*@", f"://{MASK}@", text)


def checked(settings: TableSettings) -> TableSettings:
    """The settings, when what no single key can tell is right too; else BadInput."""
    checked_name("event", settings.event)
    checked_name("table", settings.table)
    _ = settings.rules
    for name, section in (("mqtt", settings.mqtt), ("pages", settings.pages)):
        if section.password is not None and section.password_file is not None:
            raise BadInput(f"expected {name}.password_file or {name}.password, found both; keep the file")
    if settings.pages.user is not None and settings.pages.user == settings.mqtt.user:
        raise BadInput(
            f"expected pages.user as a user who may only look, found {settings.pages.user}, which is mqtt.user: who opens a page "
            "can read its password; name a screen's user"
        )
    return settings


def _password(name: str, section: MqttSection | PagesSettings) -> str | None:
    """The password of a section, from its file where it names one."""
    file = section.password_file
    if file is None:
        return None if section.password is None else section.password.get_secret_value()
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "no text"
        raise BadInput(f"expected a password in {name}.password_file {file}, found: {reason}; write it there") from None
    if not lines or not lines[0]:
        raise BadInput(f"expected a password in the first line of {file}, found none; write it there")
    return lines[0]
