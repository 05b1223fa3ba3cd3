// The keyboard: a button that names a key in aria-keyshortcuts is pressed with it, wherever the page stands.

const SEATS = { S: 0, E: 1, N: 2, W: 3 };

/** `enabled()` says whether single keys count; `step(by)` goes through the incidents. */
export function listen(root, { enabled, step, dialog }) {
  root.addEventListener("keydown", (event) => {
    if (dialog.open || event.ctrlKey || event.altKey || event.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName))
      return;
    if (alongSeats(event)) return event.preventDefault();
    if (!enabled()) return;
    const name = event.key.length === 1 ? event.key.toUpperCase() : event.key;
    if (event.shiftKey && Object.hasOwn(SEATS, name) && root.querySelector(`tr[data-seat="${SEATS[name]}"] button:enabled`)) {
      event.preventDefault();
      return root.querySelector(`tr[data-seat="${SEATS[name]}"] button:enabled`).focus();
    }
    if (name === "P" && !event.shiftKey) return root.querySelector("#log button:enabled")?.focus();
    if (name === "J" || name === "K") return step(name === "J" ? 1 : -1);
    const wanted = event.shiftKey && name !== "?" ? `Shift+${name}` : name;
    const found = [...root.querySelectorAll("button:enabled[aria-keyshortcuts]")].find(
      (one) => one.getAttribute("aria-keyshortcuts") === wanted,
    );
    if (!found) return;
    event.preventDefault();
    found.click();
  });
}

/** The arrows go through the buttons of the seats as through a grid. */
function alongSeats(event) {
  const cell = event.target.closest?.("tr[data-seat] td");
  const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
  if (!cell || !step) return false;
  const row = cell.parentElement;
  const rows = [...row.parentElement.children];
  const next = rows[rows.indexOf(row) + step[0]]?.children[cell.cellIndex + step[1]];
  next?.querySelector("button")?.focus();
  return true;
}

/** Every key that counts now, with its words. */
export function keysOf(root, say) {
  const named = [...root.querySelectorAll("button[aria-keyshortcuts]")].map((one) => [
    one.getAttribute("aria-keyshortcuts"),
    one.querySelector("span")?.textContent ?? "",
  ]);
  const moves = { "J / K": "next_incident", "Shift+S E N W": "to_seat", "← → ↑ ↓": "along_seats", P: "to_log" };
  return [...Object.entries(moves).map(([key, words]) => [key, say(words)]), ...named];
}
