"""A port between a client and its broker that can swallow bytes, as a firewall or a dead radio link does: nobody is told."""

from __future__ import annotations

import contextlib
import socket
import threading


class SwallowingPort:
    """Passes bytes to 127.0.0.1:`to` and back; while `blocked` it takes them and passes nothing, and accepts new connections."""

    def __init__(self, to: int) -> None:
        self.blocked = False
        self._to = to
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._open = [self._listener]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.create_connection(("127.0.0.1", self._to))
                self._open += [client, server]
                for source, sink in ((client, server), (server, client)):
                    threading.Thread(target=self._pass_on, args=(source, sink), daemon=True).start()

    def _pass_on(self, source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if not self.blocked:
                    sink.sendall(data)
            if not self.blocked:
                sink.shutdown(socket.SHUT_WR)

    def __enter__(self) -> SwallowingPort:
        return self

    def __exit__(self, *exc: object) -> None:
        for one in self._open:
            one.close()
