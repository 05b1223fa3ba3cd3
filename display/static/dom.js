// Making parts of a page. What comes from outside is always put in as text.

/** An element with attributes and children; a child that is text becomes text, null and "" nothing. */
export function make(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, String(value));
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
  return made;
}

export const at = (id) => document.getElementById(id);

/** Words into the element with this id, a dash for what is not known; what is there already is left, so that nobody hears it again. */
export function put(id, words) {
  const text = words === null || words === undefined ? "–" : String(words);
  if (at(id).textContent !== text) at(id).textContent = text;
}

/** A button that can be pressed with a key too: the key is shown on it, and said to who listens to the page. */
export function button(words, { id, key, kind = "", label, off = false }, run) {
  const made = make(
    "button",
    { type: "button", class: kind, "data-id": id, "aria-keyshortcuts": key, "aria-label": label, disabled: off },
    make("span", {}, words),
    key ? make("kbd", { "aria-hidden": "true" }, key.replace("Shift+", "⇧")) : null,
  );
  made.addEventListener("click", run);
  return made;
}

/** Put these children in the place of the old ones; who had the keyboard keeps it. */
export function redraw(root, children) {
  const held = root.contains(document.activeElement) ? document.activeElement.dataset.id : undefined;
  root.replaceChildren(...children.flat().filter(Boolean));
  if (held === undefined) return;
  const again = root.querySelector(`[data-id="${CSS.escape(held)}"]`);
  (again && !again.disabled ? again : root).focus({ preventScroll: true });
}
