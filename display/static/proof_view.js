// A proof of an incident: a still or a clip that lies with this server is shown, anything else is a link.

import { make } from "./dom.js";

/** `proof` as docket.js brings it to known values. */
export function proofView(proof, say) {
  const words = say(proof.kind === "clip" ? "clip" : proof.kind === "still" ? "still" : "evidence");
  const title = proof.sha256 ? `SHA-256 ${proof.sha256}` : null;
  const link = { href: proof.url, target: "_blank", rel: "noopener noreferrer", title };
  if (new URL(proof.url).origin !== location.origin) return make("a", link, words);
  if (proof.kind === "clip")
    return make(
      "figure",
      { class: "proof" },
      make("video", { src: proof.url, controls: true, muted: true, playsinline: true, preload: "metadata", "aria-label": words }),
      make("figcaption", {}, make("a", link, words)),
    );
  if (proof.kind === "still")
    return make("a", { ...link, class: "proof", "aria-label": words }, make("img", { src: proof.url, alt: words, loading: "lazy" }));
  return make("a", link, words);
}

const MOST_KEPT = 40;

/** Proofs that are made once: a page drawn anew shows the same pictures, which are not asked for again. */
export function keptProofs(say) {
  const made = new Map();
  return {
    of(proof) {
      if (!made.has(proof.url)) made.set(proof.url, proofView(proof, say));
      if (made.size > MOST_KEPT) made.delete(made.keys().next().value);
      return made.get(proof.url) ?? proofView(proof, say);
    },
  };
}
