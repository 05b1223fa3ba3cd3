"""The wizard of `miron calibrate SOURCE`: the pictures of a source, a page to look at them, and a file at the end."""

from __future__ import annotations

import contextlib
import secrets
import socket
import threading
import time
from collections.abc import Callable, Generator
from pathlib import Path

import numpy as np

from calibration.lens import Lens
from calibration.stored import Calibration
from calibration.wizard import Wizard
from display.calibrate import wizard_server
from models.pictures import SUFFIXES, read_picture
from scripts.display import listening
from table.sources import open_source
from table.sources_live import LiveSource
from vision.frame import Frame

SECRET_BYTES = 9  # twelve letters: few enough to type from another screen, too many to guess
EVERY_ADDRESS = ("0.0.0.0", "::")


def walk_through(
    source: str,
    find_tiles: Callable[[np.ndarray], np.ndarray],
    out: Path,
    table_mm: tuple[float, float] | None,
    lens: Lens | None,
    tile_mm: tuple[float, float],
    at: tuple[str, int],
) -> Calibration:
    """Serve the wizard for a source until somebody accepts a calibration, which is then in the file `out`. at: address and port.

    BadInput for a source without pictures and an address that cannot be served on; KeyboardInterrupt where a person stops it.
    """
    shown = pictures(source)
    wizard = Wizard(find_tiles, out, table_mm, lens, tile_mm)
    wizard.show(next(shown))
    stop, secret = threading.Event(), secrets.token_urlsafe(SECRET_BYTES)
    with listening(*at) as listener:
        host = socket.gethostname() if at[0] in EVERY_ADDRESS else f"[{at[0]}]" if ":" in at[0] else at[0]
        port = listener.getsockname()[1]
        threading.Thread(target=_keep_showing, args=(wizard, shown, stop), daemon=True).start()
        print(f"Calibrate here: http://{host}:{port}/{secret}/ (?lang=en, ?lang=pt). Ctrl-C leaves without a file.", flush=True)
        try:
            wizard_server(wizard, secret, at[0], port).run(sockets=[listener])
        finally:
            stop.set()
    if wizard.accepted is None:
        raise KeyboardInterrupt
    return wizard.accepted


def pictures(source: str) -> Generator[np.ndarray, None, None]:
    """The pictures (BGR) of a still, a camera or a film, as they come; a film begins again at its end. BadInput where there are none."""
    file = Path(source)
    if file.is_file() and file.suffix.lower() in SUFFIXES:
        yield read_picture(file)
        return
    film = open_source(source)
    while True:
        start_s = time.monotonic()
        for item in film:
            if isinstance(item, Frame):
                if not isinstance(film, LiveSource):
                    time.sleep(max(0.0, start_s + item.t_s - time.monotonic()))
                yield item.image


def _keep_showing(wizard: Wizard, shown: Generator[np.ndarray, None, None], stop: threading.Event) -> None:
    with contextlib.closing(shown):
        for picture in shown:
            if stop.is_set():
                return
            wizard.show(picture)
