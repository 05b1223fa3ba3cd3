"""The command line `miron`: registers the commands and turns bad input into one line and exit code 2."""

from __future__ import annotations

import importlib
import importlib.metadata
import sys
from typing import Annotated, NoReturn

import typer

from rules.errors import BadInput

# command name: module in scripts/ that has a function `command` for typer; imported only when that command is asked for.
COMMANDS = {
    "detect": "scripts.detect",
    "evaluate": "scripts.evaluate",
    "adapt": "scripts.adapt",
    "watch": "scripts.watch",
    "run": "scripts.run",
    "doctor": "scripts.doctor",
    "config": "scripts.config",
    "simulate": "scripts.simulate",
    "replay": "scripts.replay",
    "judge": "scripts.judge",
    "calibrate": "scripts.calibrate",
    "demo": "scripts.demo",
    "broker": "scripts.broker",
    "journal": "scripts.journal",
    "display": "scripts.display",
    "train": "scripts.train",
    "export": "scripts.export",
    "bench": "scripts.bench",
    "tournament": "scripts.tournament",
}

HELP = "The onlooker at a domino table: reads the tiles, follows the play, judges it and keeps the score."


def main(argv: list[str] | None = None) -> None:
    """Run `miron`; bad input is one line on stderr and exit code 2, an interrupt is 130."""
    arguments = sys.argv[1:] if argv is None else argv
    try:
        code = typer.main.get_command(_app(arguments))(args=arguments, prog_name="miron", standalone_mode=False)
    except BadInput as error:
        _leave(str(error))
    except typer.Exit as stop:
        sys.exit(stop.exit_code)
    except (typer.Abort, KeyboardInterrupt):
        sys.exit(130)
    except Exception as error:
        # Wrong usage: newer typer carries a click of its own, so its errors are known by what they can do, not by a class.
        if not hasattr(error, "format_message"):
            raise
        _leave(f"{error.format_message()} (see miron --help)")
    sys.exit(code if isinstance(code, int) else 0)


def _app(arguments: list[str]) -> typer.Typer:
    """The command that is asked for, alone, so that starting stays quick; all of them when none is named."""
    app = typer.Typer(help=HELP, add_completion=False, pretty_exceptions_enable=False, no_args_is_help=True)
    app.callback(help=HELP)(_options)
    asked = next((name for name in arguments if name in COMMANDS), None)
    for name, module in COMMANDS.items():
        if asked == name or (asked is None and "--version" not in arguments):
            command = importlib.import_module(module).command
            if isinstance(command, typer.Typer):  # a command with actions of its own
                app.add_typer(command, name=name)
            else:
                app.command(name)(command)
    return app


def _show_version(asked: bool) -> None:
    if asked:
        print(f"miron {importlib.metadata.version('miron')}")
        raise typer.Exit


def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and leave.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Options of miron itself."""


def _leave(message: str) -> NoReturn:
    print(f"miron: {' '.join(message.split())}", file=sys.stderr)
    sys.exit(2)


if __name__ == "__main__":
    main()
