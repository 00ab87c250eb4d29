/** What the keys do in a race. Every one of them has a button as well. */
import type { Camera } from "./camera.svelte";
import type { Gestures } from "./gestures.svelte";
import { DIRECTIONS } from "./model";
import type { Race } from "./race.svelte";

export interface Acts {
  pickUp: (i: number) => void;
  focusCard: (i: number) => void;
  /** The card of the hand that an element is the button of, or −1. */
  cardOf: (target: EventTarget | null) => number;
  move: (dx: number, dy: number) => void;
  turn: (by: number) => void;
  lay: () => void;
  takeBack: () => void;
  fit: () => void;
  call: () => void;
}

const STEPS: Record<string, number> = { ArrowUp: 0, ArrowRight: 1, ArrowDown: 2, ArrowLeft: 3 };

export class Keys {
  constructor(
    private readonly race: Race,
    private readonly camera: Camera,
    private readonly gestures: Gestures,
    private readonly acts: Acts,
  ) {}

  press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (this.act(event)) event.preventDefault();
  }

  /** What a key does; false if it does nothing here. */
  private act(event: KeyboardEvent): boolean {
    const { key } = event;
    const step = STEPS[key];
    if (key === "+" || key === "=") this.camera.zoom(1.25);
    else if (key === "-") this.camera.zoom(0.8);
    else if (key === "0") this.acts.fit();
    else if (step !== undefined) return this.step(step, event.shiftKey);
    else if (key.toLowerCase() === "u") this.acts.call();
    else if (!this.race.isOpen) return false;
    else if (/^[1-9]$/.test(key)) this.choose(Number(key) - 1);
    else return this.actOnCard(key, event.target);
    return true;
  }

  private actOnCard(key: string, target: EventTarget | null): boolean {
    const { race, gestures, acts } = this;
    const isButton = target instanceof HTMLButtonElement;
    const focused = acts.cardOf(target);
    if (key === "Enter" && race.floating && !isButton) acts.lay();
    else if (key === "Escape" && gestures.lifted) gestures.end();
    else if (key === "Escape" && race.chosen >= 0) race.choose(-1);
    else if (key === "r" || key === "R") {
      if (!gestures.lifted && focused >= 0 && race.chosen !== focused) acts.pickUp(focused);
      acts.turn(key === "r" ? 1 : -1);
    } else if (key === "Backspace" || key === "Delete") {
      if (race.chosen < 0 && focused >= 0) race.choose(focused);
      if (race.chosen >= 0) acts.takeBack();
    } else return false;
    return true;
  }

  private choose(i: number): void {
    if (i >= this.race.hand.length) return;
    this.acts.focusCard(i);
    this.acts.pickUp(i);
  }

  /** An arrow moves the card that is held; with Shift, the field. */
  private step(direction: number, isPanning: boolean): boolean {
    const { dx, dy } = DIRECTIONS[direction] ?? { dx: 0, dy: 0 };
    const { cell } = this.camera;
    if (isPanning) this.camera.pan(-dx * cell, -dy * cell);
    else if (this.race.floating) this.acts.move(dx, dy);
    else return false;
    return true;
  }
}
