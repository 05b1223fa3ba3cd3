// What a screen lets hear, once somebody has asked for it with a click. The sounds are made here: no file, no network.

// frequency Hz, start s, length s of each tone
const SOUNDS = {
  tile: [[880, 0, 0.05], [440, 0.02, 0.07]],
  pass: [[196, 0, 0.09], [196, 0.16, 0.09]],
  alert: [[660, 0, 0.16], [880, 0.18, 0.16], [660, 0.36, 0.22]],
  end: [[523, 0, 0.14], [659, 0.15, 0.14], [784, 0.3, 0.3]],
  corrected: [[587, 0, 0.14], [440, 0.16, 0.2]],
};
const OF_EVENT = {
  tile_played: "tile",
  turn_passed: "pass",
  infraction: "alert",
  suspicion: "alert",
  reading_doubted: "alert",
  hand_ended: "end",
  match_ended: "end",
  correction: "corrected",
};
const LOUDNESS = 0.2;

/** The switch for sound. `?sound=on` asks for it at once, which a browser grants only where it was started for that. */
export function soundSwitch(button, say, search) {
  let audio = null;
  let wanted = new URLSearchParams(search).get("sound") === "on";
  const sounds = () => wanted && audio?.state === "running";

  function show() {
    button.setAttribute("aria-pressed", String(sounds()));
    button.textContent = say(sounds() ? "sound_on" : "sound_off");
  }
  function begin() {
    audio = new AudioContext();
    audio.addEventListener("statechange", show);
  }

  button.addEventListener("click", async () => {
    wanted = !sounds();
    if (!audio) begin();
    await (wanted ? audio.resume() : audio.suspend());
    show();
  });
  if (wanted) begin();
  show();
  return {
    /** Let an event be heard, if sound is on. */
    of(type) {
      if (sounds() && Object.hasOwn(OF_EVENT, type)) SOUNDS[OF_EVENT[type]].forEach((tone) => ring(audio, tone));
    },
  };
}

function ring(audio, [frequency, start, length]) {
  const tone = audio.createOscillator();
  const loudness = audio.createGain();
  const from = audio.currentTime + start;
  tone.type = "triangle";
  tone.frequency.value = frequency;
  loudness.gain.setValueAtTime(LOUDNESS, from);
  loudness.gain.exponentialRampToValueAtTime(0.001, from + length);
  tone.connect(loudness).connect(audio.destination);
  tone.start(from);
  tone.stop(from + length);
}
