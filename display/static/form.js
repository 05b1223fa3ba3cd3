// One dialog for everything that has to be asked: it gives the values, or null when it is left.

import { make } from "./dom.js";

/**
 * `fields`: {name, label, kind: choice|select|text|number|password|check|note, value, options: [[value, label]], required}. A note is a
 * text, or a function of the values that are filled in. Resolves to the values by name.
 */
export function askForm(dialog, say, { title, fields, submit, danger = false }) {
  if (dialog.open) return Promise.resolve(null); // what is being filled in stays
  return new Promise((done) => {
    const parts = fields.map(fieldOf);
    const notes = parts.filter((part) => part.refresh);
    const values = () => Object.fromEntries(parts.filter((part) => part.name).map((part) => [part.name, part.read()]));
    const form = make(
      "form",
      { method: "dialog" },
      make("h2", { id: "form-title" }, title),
      ...parts.map((part) => part.element),
      make(
        "p",
        { class: "actions" },
        make("button", { type: "submit", class: danger ? "danger" : "main" }, submit ?? say("enter")),
        make("button", { type: "button", class: "leave" }, say("leave"), make("kbd", { "aria-hidden": "true" }, "Esc")),
      ),
    );
    const refresh = () => notes.forEach((part) => part.refresh(values()));
    let answer = null;
    form.addEventListener("input", refresh);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      answer = values();
      dialog.close();
    });
    form.querySelector(".leave").addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => done(answer), { once: true });
    dialog.setAttribute("aria-labelledby", "form-title");
    dialog.replaceChildren(form);
    refresh();
    dialog.showModal();
    (form.querySelector("[autofocus], input:checked, input, select, textarea") ?? form.querySelector("button")).focus();
  });
}

function fieldOf(field) {
  const id = `field-${field.name ?? "note"}`;
  return { choice, select, check, note }[field.kind]?.(field, id) ?? typed(field, id);
}

function typed({ name, label, kind, value = "", required = false, max, autocomplete = "off" }, id) {
  const limits = kind === "number" ? { min: 0, max, inputmode: "numeric" } : { maxlength: max ?? 400 };
  const input = make("input", { id, type: kind, value, required, autocomplete, ...limits });
  return {
    name,
    element: make("p", { class: "field" }, make("label", { for: id }, label), input),
    read: () =>
      kind === "number"
        ? input.value === ""
          ? null
          : Number(input.value)
        : kind === "password"
          ? input.value
          : input.value.trim(),
  };
}

function choice({ name, label, options, value, required = false }, id) {
  const radios = options.map(([own, words, hint], n) => {
    const input = make("input", { type: "radio", id: `${id}-${n}`, name, checked: own === value, required });
    input.own = own;
    return make(
      "label",
      { class: "option", for: `${id}-${n}` },
      input,
      make("span", {}, words, hint ? make("small", {}, hint) : null),
    );
  });
  const element = make("fieldset", { class: "choice" }, make("legend", {}, label), ...radios);
  return { name, element, read: () => element.querySelector("input:checked")?.own ?? null };
}

function select({ name, label, options, value }, id) {
  const input = make(
    "select",
    { id },
    options.map(([own, words]) => make("option", { value: own, selected: own === value }, words)),
  );
  return { name, element: make("p", { class: "field" }, make("label", { for: id }, label), input), read: () => input.value };
}

function check({ name, label, value = false }, id) {
  const input = make("input", { type: "checkbox", id, checked: value });
  return { name, element: make("p", { class: "check" }, input, make("label", { for: id }, label)), read: () => input.checked };
}

function note({ words, kind: _, tone = "" }) {
  const element = make(
    "p",
    { class: `note ${tone}`, role: typeof words === "function" ? "status" : null },
    typeof words === "function" ? "" : words,
  );
  const refresh = (values) => {
    const [text, bad] = words(values);
    element.textContent = text;
    element.classList.toggle("bad", bad);
  };
  return typeof words === "function" ? { element, refresh } : { element };
}
