/** Short sounds, synthesised; nothing is fetched. */
import { remembered } from "./storage";

/** The shape of a wave, or the rustle of paper around a pitch. */
type Shape = OscillatorType | "paper";

/** A sound is a few notes: frequency, start and length in seconds, loudness, shape. */
type Note = [pitch: number, start: number, length: number, level: number, shape?: Shape];

const SOUNDS = {
  turn: [
    [523, 0, 0.16, 0.5],
    [784, 0.12, 0.3, 0.5],
  ],
  play: [
    [2600, 0, 0.08, 1.1, "paper"],
    [165, 0.05, 0.07, 0.5, "triangle"],
  ],
  flip: [
    [3600, 0, 0.05, 0.9, "paper"],
    [2200, 0.06, 0.07, 1.1, "paper"],
  ],
  take: [
    [392, 0, 0.1, 0.45],
    [494, 0.08, 0.1, 0.45],
    [587, 0.16, 0.22, 0.45],
  ],
  lose: [
    [294, 0, 0.16, 0.45],
    [233, 0.13, 0.3, 0.45],
  ],
  win: [
    [523, 0, 0.14, 0.5],
    [659, 0.12, 0.14, 0.5],
    [784, 0.24, 0.14, 0.5],
    [1047, 0.36, 0.5, 0.5],
  ],
  tick: [[880, 0, 0.03, 0.25, "square"]],
  refuse: [[165, 0, 0.18, 0.4, "sawtooth"]],
  chat: [[988, 0, 0.09, 0.25]],
  place: [
    [1100, 0, 0.05, 0.9, "paper"],
    [147, 0, 0.1, 0.9, "triangle"],
  ],
  roll: [
    [196, 0, 0.04, 0.4, "square"],
    [262, 0.06, 0.04, 0.4, "square"],
    [220, 0.12, 0.04, 0.4, "square"],
  ],
} satisfies Record<string, Note[]>;

export type SoundName = keyof typeof SOUNDS;

const muted = remembered("muted", "no");
let context: AudioContext | undefined;
let rustle: AudioBuffer | undefined;

export const isMuted = (): boolean => muted.get() === "yes";
export function setMuted(value: boolean): void {
  muted.set(value ? "yes" : "no");
  wake();
}

/** Play a sound; silently does nothing when muted, or before the page was touched. */
export function sound(name: SoundName): void {
  if (isMuted() || !context) return;
  for (const note of SOUNDS[name] as Note[]) ring(context, note);
}

/* Some browsers let a page begin to sound only within a touch or a press of a key, and stop it while
   it is in the background or another page sounds. A screen reader only clicks. */
for (const touch of ["pointerdown", "pointerup", "keydown", "click"]) {
  globalThis.document?.addEventListener(touch, wake, { capture: true, passive: true });
}

function wake(): void {
  if (isMuted() || typeof AudioContext === "undefined") return;
  if (!(navigator.userActivation?.isActive ?? true)) return;
  context ??= new AudioContext();
  if (context.state !== "running") context.resume().catch(() => undefined);
}

function ring(to: AudioContext, [pitch, start, length, level, shape = "sine"]: Note): void {
  const begin = to.currentTime + start;
  const swell = new GainNode(to, { gain: 0 });
  swell.gain.setValueAtTime(0, begin);
  swell.gain.linearRampToValueAtTime(level * 0.18, begin + 0.008);
  swell.gain.exponentialRampToValueAtTime(0.0001, begin + length);
  swell.connect(to.destination);
  const tone = shape === "paper" ? rustling(to, pitch, swell) : toned(to, pitch, shape, swell);
  tone.start(begin);
  tone.stop(begin + length + 0.02);
}

function toned(to: AudioContext, pitch: number, type: OscillatorType, into: AudioNode) {
  const tone = new OscillatorNode(to, { frequency: pitch, type });
  tone.connect(into);
  return tone;
}

function rustling(to: AudioContext, pitch: number, into: AudioNode) {
  const paper = new AudioBufferSourceNode(to, { buffer: (rustle ??= noise(to)), loop: true });
  paper
    .connect(new BiquadFilterNode(to, { type: "bandpass", frequency: pitch, Q: 0.9 }))
    .connect(into);
  return paper;
}

function noise(to: AudioContext): AudioBuffer {
  const buffer = to.createBuffer(1, to.sampleRate / 4, to.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let at = 0; at < samples.length; at++) samples[at] = 2 * Math.random() - 1;
  return buffer;
}
