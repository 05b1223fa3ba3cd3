"""What the tests of the pages share: pages in a real Chromium that may not complain, pictures of them, and what they let people down in."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import playwright.sync_api as playwright_api

PATIENCE_MS = 120_000  # of a machine that has other things to do
HERE = Path(__file__).parent
PICTURES = HERE.parent / "build" / "screenshots"
"""Kept by every run, for people to look at; git ignores the folder."""

OURS = (HERE / "accessible.js").read_text(encoding="utf-8").rstrip().rstrip(";")
AXE = (HERE / "vendor" / "axe.min.js").read_text(encoding="utf-8")
RUN_AXE = """async () => (await axe.run(document, { resultTypes: ['violations'] })).violations
  .filter((found) => ['serious', 'critical'].includes(found.impact))
  .map((found) => `${found.id}: ${found.nodes.map((node) => node.html.slice(0, 120)).join(' | ')}`)"""
EVIL = "<img src=x onerror=window.caught=1><script>window.caught=1</script>"


class Pages:
    """Opens pages at addresses; `faults` is what they wrote to the browser's console as an error."""

    def __init__(self, browser: playwright_api.Browser) -> None:
        self._browser, self._contexts = browser, list[playwright_api.BrowserContext]()
        self.faults: list[str] = []

    def show(self, address: str, width: int = 1366, height: int = 768, scheme: Any = "dark", **more: Any) -> playwright_api.Page:
        """A new page; a complaint of the browser that a connection was lost is no fault."""
        context = self._browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme, **more)
        self._contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("console", lambda said: self._said(said))
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.goto(address)
        return page

    def _said(self, message: playwright_api.ConsoleMessage) -> None:
        if message.type == "error" and "WebSocket" not in message.text:
            self.faults.append(message.text)

    def close(self) -> None:
        for context in self._contexts:
            context.close()


def picture(page: playwright_api.Page, name: str, transparent: bool = False) -> None:
    """Keep a screenshot of the whole page."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=PICTURES / f"{name}.png", full_page=True, omit_background=transparent, animations="disabled")


def let_down(page: playwright_api.Page) -> list[str]:
    """Serious and critical findings of axe, and those of accessible.js; empty for a page that everybody can use."""
    page.evaluate(AXE)
    return [*page.evaluate(RUN_AXE), *page.evaluate(OURS)]


def until(page: playwright_api.Page, script: str, arg: Any = None) -> None:
    """Wait until a script gives something true; the pages' policy forbids the browser to do that by itself."""
    end = time.monotonic() + PATIENCE_MS / 1000
    while not page.evaluate(script, arg):
        assert time.monotonic() < end, script
        page.wait_for_timeout(100)


def expect(page: playwright_api.Page, selector: str) -> playwright_api.LocatorAssertions:
    return playwright_api.expect(page.locator(selector))


def reads(page: playwright_api.Page, selector: str, words: Any) -> None:
    """Wait until the element says exactly so."""
    expect(page, selector).to_have_text(words, timeout=PATIENCE_MS)


def contains(page: playwright_api.Page, selector: str, words: Any) -> None:
    """Wait until the first such element contains the words."""
    playwright_api.expect(page.locator(selector).first).to_contain_text(words, timeout=PATIENCE_MS)


def count(page: playwright_api.Page, selector: str, number: int) -> None:
    expect(page, selector).to_have_count(number, timeout=PATIENCE_MS)
