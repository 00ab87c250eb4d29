/** What is felt on a phone: short pulses for what concerns the person who holds it. */
import { remembered } from "./storage";

/** Milliseconds of pulse and pause in turn. */
const PULSES_MS = {
  play: [12],
  turn: [40, 60, 40],
  refuse: [25, 45, 25],
  win: [30, 50, 30, 50, 90],
  lose: [90],
} satisfies Record<string, number[]>;

export type PulseName = keyof typeof PULSES_MS;

const kept = remembered("haptics", "yes");

/** Whether this device may vibrate: browsers on desks know how to ask, but nothing moves there. */
export const canPulse = (): boolean =>
  typeof navigator.vibrate === "function" && matchMedia("(pointer: coarse)").matches;

export const hasHaptics = (): boolean => kept.get() === "yes";
export const setHaptics = (value: boolean): void => kept.set(value ? "yes" : "no");

/** Let a pulse be felt, once the page has been touched; browsers complain before that. */
export function pulse(name: PulseName): void {
  if (!hasHaptics() || !canPulse() || !navigator.userActivation?.hasBeenActive) return;
  navigator.vibrate(PULSES_MS[name]);
}
