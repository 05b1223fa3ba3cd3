"""The command line `miron`: registers the commands and turns bad input into one line and exit code 2."""

from __future__ import annotations

import importlib
import sys

import click
import typer

from rules.errors import BadInput

# command name: module in scripts/ that has a function `command` for typer; imported only when that command is asked for.
COMMANDS = {
    "detect": "scripts.detect",
    "watch": "scripts.watch",
    "judge": "scripts.judge",
    "demo": "scripts.demo",
    "broker": "scripts.broker",
    "display": "scripts.display",
    "train": "scripts.train",
    "bench": "scripts.bench",
}

# Newer typer carries a click of its own, whose errors (BadParameter, UsageError, ClickException) are not those of the package click.
USAGE_ERRORS: tuple[type[click.ClickException], ...] = (click.ClickException, typer.BadParameter.__mro__[2])  # type: ignore[assignment]


class LazyCommands(click.Group):
    """A group that imports a command's module only when the command is used, so that starting stays quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
        app.command(name)(importlib.import_module(COMMANDS[name]).command)
        return typer.main.get_command(app)


@click.group(cls=LazyCommands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="miron")
def cli() -> None:
    """The onlooker at a domino table: reads the tiles, follows the play, judges it and keeps the score."""


def main(argv: list[str] | None = None) -> None:
    """Run `miron`; bad input is one line on stderr and exit code 2, an interrupt is 130."""
    try:
        code = cli.main(args=argv, prog_name="miron", standalone_mode=False)
    except BadInput as error:
        print(f"miron: {error}", file=sys.stderr)
        sys.exit(2)
    except USAGE_ERRORS as error:
        print(f"miron: {error.format_message()} (see miron --help)", file=sys.stderr)
        sys.exit(2)
    except typer.Exit as stop:
        sys.exit(stop.exit_code)
    except (click.Abort, typer.Abort, KeyboardInterrupt):
        sys.exit(130)
    sys.exit(code if isinstance(code, int) else 0)


if __name__ == "__main__":
    main()
