// What a page lets down people who cannot see or point: names, ids, headings, contrast, width. Evaluated in the page; gives the faults.
() => {
  const faults = [];
  const shown = (e) => e.getClientRects().length > 0 && getComputedStyle(e).visibility !== "hidden";
  const named = (e) => (e.getAttribute("aria-label") || e.innerText || "").trim() || e.labels?.[0]?.innerText.trim();
  const all = (selector) => [...document.querySelectorAll(selector)];

  for (const e of all("button, a, input, select, summary"))
    if (shown(e) && !named(e)) faults.push(`no name: ${e.outerHTML.slice(0, 80)}`);

  const ids = all("[id]").map((e) => e.id);
  ids.filter((id, n) => ids.indexOf(id) !== n).forEach((id) => faults.push(`twice: ${id}`));
  for (const attribute of ["aria-labelledby", "for"])
    for (const e of all(`[${attribute}]`))
      if (!document.getElementById(e.getAttribute(attribute)))
        faults.push(`${attribute} of nothing: ${e.outerHTML.slice(0, 80)}`);

  let level = 0;
  for (const e of all("main h2, main h3, main h4")) {
    const own = Number(e.tagName[1]);
    if (level && own > level + 1) faults.push(`heading: ${e.innerText}`);
    level = own;
  }

  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const ground = (e) => {
    for (let at = e; at; at = at.parentElement) {
      const colour = rgba(getComputedStyle(at).backgroundColor);
      if (colour[3] > 230) return colour;
    }
    return [255, 255, 255];
  };
  const linear = (v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => 0.2126 * linear(r / 255) + 0.7152 * linear(g / 255) + 0.0722 * linear(b / 255);
  for (const e of all(document.querySelector("dialog[open]") ? "dialog[open] *" : "body *")) {
    const says = [...e.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim());
    if (!says || !shown(e) || e.closest("svg, :disabled, .unseen")) continue;
    const [low, high] = [light(rgba(getComputedStyle(e).color)), light(ground(e))].sort((a, b) => a - b);
    const contrast = (high + 0.05) / (low + 0.05);
    if (contrast < 4.5) faults.push(`contrast ${contrast.toFixed(2)}: ${e.className} ${e.innerText.slice(0, 30)}`);
  }

  const width = document.documentElement.scrollWidth;
  if (width > innerWidth + 1) faults.push(`page too wide: ${width}`);
  for (const e of all("main button")) {
    const part = e.closest("section").getBoundingClientRect();
    if (shown(e) && e.getBoundingClientRect().right > part.right + 1) faults.push(`cut off: ${e.innerText}`);
  }
  return faults;
};
