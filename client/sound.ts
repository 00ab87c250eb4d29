/** Short sounds, synthesised; nothing is fetched. */
import { remembered } from "./storage";

/** A sound is a few notes: frequency, start and length in seconds, loudness, shape. */
type Note = [pitch: number, start: number, length: number, level: number, shape?: OscillatorType];

const SOUNDS = {
  turn: [
    [523, 0, 0.16, 0.5],
    [784, 0.12, 0.3, 0.5],
  ],
  play: [[220, 0, 0.08, 0.7, "triangle"]],
  flip: [
    [330, 0, 0.05, 0.4, "triangle"],
    [494, 0.05, 0.07, 0.4, "triangle"],
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
  place: [[147, 0, 0.1, 0.9, "triangle"]],
  roll: [
    [196, 0, 0.04, 0.4, "square"],
    [262, 0.06, 0.04, 0.4, "square"],
    [220, 0.12, 0.04, 0.4, "square"],
  ],
} satisfies Record<string, Note[]>;

export type SoundName = keyof typeof SOUNDS;

const muted = remembered("muted", "no");
let context: AudioContext | undefined;

export const isMuted = (): boolean => muted.get() === "yes";
export const setMuted = (value: boolean): void => muted.set(value ? "yes" : "no");

/** Play a sound; silently does nothing when muted, or before the page was touched. */
export function sound(name: SoundName): void {
  if (isMuted() || typeof AudioContext === "undefined") return;
  if (!navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  for (const note of SOUNDS[name] as Note[]) ring(context, note);
}

function ring(to: AudioContext, [pitch, start, length, level, shape = "sine"]: Note): void {
  const begin = to.currentTime + start;
  const tone = new OscillatorNode(to, { frequency: pitch, type: shape });
  const swell = new GainNode(to, { gain: 0 });
  swell.gain.setValueAtTime(0, begin);
  swell.gain.linearRampToValueAtTime(level * 0.18, begin + 0.008);
  swell.gain.exponentialRampToValueAtTime(0.0001, begin + length);
  tone.connect(swell).connect(to.destination);
  tone.start(begin);
  tone.stop(begin + length + 0.02);
}
