// Small sounds of a game, made here: a click for a move, two for a capture, two tones at the end.

import { recall, remember } from "./preferences.js";

let context = null;

/** Whether sounds are on; at first not on phones, which are often among people. */
export function hasSounds() {
  return recall("sounds") ?? !window.matchMedia("(pointer: coarse)").matches;
}

/** Switch sounds on or off. */
export function setSounds(are) {
  remember("sounds", are);
  if (are) play("move");
}

/** Play a sound: "move", "take" or "end". */
export function play(kind) {
  if (!hasSounds() || typeof AudioContext === "undefined") return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume().catch(() => {}); // until the first click
  SOUNDS[kind]?.(context.currentTime);
}

const SOUNDS = {
  move: (now) => click(now),
  take: (now) => [0, 0.07].forEach((later) => click(now + later)),
  end: (now) => [392, 523].forEach((pitch, n) => tone(now + 0.16 * n, pitch)),
};

/** A short knock: noise through a narrow filter, which dies away at once. */
function click(when) {
  const length = Math.round(0.05 * context.sampleRate);
  const buffer = context.createBuffer(1, length, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let n = 0; n < length; n += 1) {
    samples[n] = (2 * Math.random() - 1) * Math.exp((-8 * n) / length);
  }
  const source = new AudioBufferSourceNode(context, { buffer });
  const filter = new BiquadFilterNode(context, { type: "bandpass", frequency: 900, Q: 2 });
  source.connect(filter).connect(new GainNode(context, { gain: 0.5 })).connect(context.destination);
  source.start(when);
}

function tone(when, frequency) {
  const source = new OscillatorNode(context, { frequency, type: "triangle" });
  const volume = new GainNode(context, { gain: 0 });
  volume.gain.setValueAtTime(0.15, when);
  volume.gain.exponentialRampToValueAtTime(0.001, when + 0.4);
  source.connect(volume).connect(context.destination);
  source.start(when);
  source.stop(when + 0.4);
}
