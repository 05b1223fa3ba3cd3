"""`miron bench`: the timings of docs/benchmarks.md, measured here and now."""

from __future__ import annotations

import typer

from scripts import bench_calibration, bench_detector, bench_film, bench_hall, bench_hands, bench_rules

command = typer.Typer(help="The timings of docs/benchmarks.md, measured here and now: all of them, or one part.")
command.command("calibration")(bench_calibration.measure)
command.command("detector")(bench_detector.measure)
command.command("film")(bench_film.measure)
command.command("hall")(bench_hall.measure)
command.command("hands")(bench_hands.measure)
command.command("rules")(bench_rules.measure)


@command.callback(invoke_without_command=True)
def everything(context: typer.Context) -> None:
    """Every part, one after the other, when none is named."""
    if context.invoked_subcommand is None:
        bench_rules.measure()
        bench_film.measure()
        bench_detector.measure()
