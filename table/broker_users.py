"""Who may do what at a broker: users with a role each, as a file that a person keeps, and as mosquitto wants them."""

from __future__ import annotations

import base64
import hashlib
import os
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rules.errors import BadInput

_EVERYWHERE = "miron/v1/+/table/+"
# What each role may do. A table's own subtree is that of the table with the user's name. Home Assistant's topics: docs/mqtt.md.
ROLES: dict[str, tuple[str, ...]] = {
    "table": ("readwrite miron/v1/+/table/{name}/#", "write homeassistant/device/{name}/+/config", "read homeassistant/status"),
    "screen": ("read miron/v1/#", f"write {_EVERYWHERE}/cmd/resync"),
    "referee": ("read miron/v1/#", f"write {_EVERYWHERE}/cmd/#"),
    "organiser": ("read miron/v1/#", "write miron/v1/+/tournament"),
    "everything": ("readwrite #",),
}
MADE = (("table", "t01"), ("referee", "referee"), ("screen", "screen"), ("organiser", "organiser"))
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass(frozen=True, slots=True)
class User:
    """A name with a password, and what it may do: BadInput for a role that there is none of, or a name of other signs."""

    role: str
    name: str
    password: str = field(repr=False)

    def __post_init__(self) -> None:
        if self.role not in ROLES:
            raise BadInput(f"expected a role ({', '.join(ROLES)}), found {self.role!r}; choose one")
        if not _NAME.fullmatch(self.name):
            raise BadInput(f"expected a user of letters, digits, - and _, found {self.name!r}; choose another")
        if not self.password:
            raise BadInput(f"expected a password for {self.name}, found none; give one")

    def acl(self) -> str:
        """The user's lines of mosquitto's `acl_file`."""
        topics = "".join(f"topic {line.format(name=self.name)}\n" for line in ROLES[self.role])
        return f"user {self.name}\n{topics}"

    def hashed(self) -> str:
        """The user's line of mosquitto's `password_file`: PBKDF2 with SHA-512, 101 rounds, 12 bytes of salt."""
        salt = secrets.token_bytes(12)
        digest = hashlib.pbkdf2_hmac("sha512", self.password.encode(), salt, 101)
        return f"{self.name}:$7$101${base64.b64encode(salt).decode()}${base64.b64encode(digest).decode()}\n"


def acl_text(users: Sequence[User], guests: bool) -> str:
    """mosquitto's `acl_file`. guests: who gives no name may do what a screen may."""
    nobody = "".join(f"topic {line}\n" for line in ROLES["screen"]) if guests else ""
    return "\n".join((nobody, *(user.acl() for user in users)))


def read_users(file: Path) -> list[User]:
    """The users of a file, one a line: role, name, password. Empty lines and those that begin with # say nothing."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"expected a file of users at {file}, found: {error}; name another file") from None
    users = [_user(file, number, line) for number, line in enumerate(lines, 1) if line.strip() and not line.startswith("#")]
    names = [user.name for user in users]
    if not users or len(set(names)) < len(names):
        raise BadInput(f"expected users of different names in {file}, found {', '.join(names) or 'none'}; correct the file")
    return users


def made_users(file: Path) -> list[User]:
    """A new file of users, one for each role, with passwords of chance, that we alone can read."""
    users = [User(role, name, secrets.token_urlsafe(12)) for role, name in MADE]
    head = "# role, name, password. A table's name is its user's name. Add a line for each table, referee and screen.\n"
    text = head + "".join(f"{user.role} {user.name} {user.password}\n" for user in users)
    try:
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as out:
            out.write(text)
    except OSError as error:
        raise BadInput(f"expected to write a file of users at {file}, found: {error.strerror}; name another file") from None
    return users


def _user(file: Path, number: int, line: str) -> User:
    words = line.split(maxsplit=2)
    if len(words) < 3:
        raise BadInput(f"expected role, name and password in line {number} of {file}, found {len(words)} words; complete it")
    try:
        return User(words[0], words[1], words[2].strip())
    except BadInput as error:
        raise BadInput(f"line {number} of {file}: {error}") from None
