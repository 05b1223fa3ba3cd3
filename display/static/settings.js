// What a page is told when it opens: by the server where the broker is, by its address which table, language and colours.

const NAME = /^[a-z0-9-]{1,32}$/;
const THEMES = ["light", "dark"];

/** The server's settings; `?table=` names another table of the same event. */
export async function settingsOf(search) {
  const config = await (await fetch("/config.json")).json();
  const asked = new URLSearchParams(search).get("table") ?? "";
  return NAME.test(asked) ? { ...config, table: asked } : config;
}

/** Words, language links and colours of a page: all that its address decides. */
export function dress(root, language, say, search) {
  const asked = new URLSearchParams(search);
  root.lang = language;
  if (THEMES.includes(asked.get("theme"))) root.dataset.theme = asked.get("theme");
  for (const place of root.querySelectorAll("[data-word]")) place.textContent = say(place.dataset.word);
  for (const place of root.querySelectorAll("[data-label]")) place.setAttribute("aria-label", say(place.dataset.label));
  for (const link of root.querySelectorAll("nav a[lang]")) {
    const wanted = new URLSearchParams(asked);
    wanted.set("lang", link.lang);
    link.setAttribute("href", `?${wanted}`);
    link.toggleAttribute("aria-current", link.lang === language);
  }
}
