// Sounds, made here: off unless they are switched on in the settings.

import { animates } from "./words.js";

const LOUD = 0.25;

// Each sound: tones [start, length, from Hz, to Hz, shape] and bursts of noise [start, length, middle Hz].
const SOUNDS = {
  lay: { tones: [[0, 0.09, 190, 80, "sine"]], noise: [[0, 0.04, 900]] },
  change: { tones: [[0, 0.12, 520, 620, "sine"]] },
  dice: { noise: [[0, 0.03, 2400], [0.07, 0.03, 2000], [0.13, 0.04, 2600], [0.21, 0.05, 1800]] },
  card: { noise: [[0, 0.13, 4200]] },
  clash: { tones: [[0, 0.16, 150, 60, "square"]], noise: [[0, 0.12, 1200], [0.09, 0.12, 700]] },
  turn: { tones: [[0, 0.14, 660, 660, "sine"], [0.15, 0.22, 880, 880, "sine"]] },
  end: { tones: [[0, 0.2, 523, 523, "triangle"], [0.2, 0.2, 659, 659, "triangle"], [0.4, 0.5, 784, 784, "triangle"]] },
};

let context = null;

/** Say whether sounds are on. */
export const sounds = () => localStorage.getItem("sound") === "yes";

/** Switch sounds on or off; a sound tells that they are on. */
export function switchSounds(on) {
  localStorage.setItem("sound", on ? "yes" : "no");
  play("turn");
}

/** Play a sound of a kind, if sounds are on: lay, change, dice, card, clash, turn, end. */
export function play(kind) {
  const sound = SOUNDS[kind];
  if (!sound || !sounds()) return;
  context ??= new AudioContext();
  // until somebody has touched the page, a browser plays nothing: what is late by then stays unheard
  if (context.state === "suspended") context.resume();
  const now = context.currentTime + 0.01;
  for (const [at, length, from, to, shape] of sound.tones ?? []) {
    const tone = new OscillatorNode(context, { type: shape, frequency: from });
    tone.frequency.exponentialRampToValueAtTime(to, now + at + length);
    heard(tone, now + at, length, shape === "square" ? LOUD / 3 : LOUD);
  }
  for (const [at, length, middle] of sound.noise ?? []) {
    const buffer = new AudioBuffer({ length: Math.ceil(length * context.sampleRate), sampleRate: context.sampleRate });
    const samples = buffer.getChannelData(0);
    for (let i = 0; i < samples.length; i++) samples[i] = 2 * Math.random() - 1;
    const burst = new AudioBufferSourceNode(context, { buffer });
    const band = new BiquadFilterNode(context, { type: "bandpass", frequency: middle, Q: 1.2 });
    heard(burst.connect(band), now + at, length, 2 * LOUD, burst);
  }
}

/** Send the end of a chain to the ear, fading out; `source` is its beginning. */
function heard(node, at, length, loud, source = node) {
  const gain = new GainNode(context, { gain: loud });
  gain.gain.setValueAtTime(loud, at);
  gain.gain.exponentialRampToValueAtTime(0.001, at + length);
  node.connect(gain).connect(context.destination);
  source.start(at);
  source.stop(at + length);
}

/** Play what a scene brings to who sits here: the end, one's own turn, or what others did, unless that is shown in motion. */
export function news(before, scene) {
  if (!before || before.version === scene.version) return;
  const asked = (one) => !one.over && one.mine.includes(one.to_move);
  if (scene.over) {
    if (!before.over) play("end");
  } else if (asked(scene) && !asked(before)) play("turn");
  else if (!animates() && scene.events.at(-1)?.ply !== before.events.at(-1)?.ply && !scene.mine.includes(scene.events.at(-1)?.seat)) play("lay");
}
