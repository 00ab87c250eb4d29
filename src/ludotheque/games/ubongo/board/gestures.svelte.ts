/**
 * Pointers on the table: a card is dragged or tapped, the ground is dragged, pinched or tapped.
 *
 * While a card is dragged, only its transform is written, once a frame; the rest of the table hears
 * of it when the card comes to another cell.
 */
import type { Camera } from "./camera.svelte";
import { heightOf, widthOf, type Spot } from "./model";
import type { Race } from "./race.svelte";
import { TURNS } from "./rules";

export interface Lifted {
  i: number;
  turn: number;
  /** Where it would be laid, if it is above the field. */
  target: Spot | undefined;
  isFree: boolean;
}

interface Point {
  x: number;
  y: number;
}

const TAP_PX = 6; // a tap may move so far
const EDGE_PX = 26; // so near to its edge, the field scrolls by itself
const SCROLL_PX = 5; // in a frame
const REACH_CELLS = 1.15; // a card gives way so far to find room

export class Gestures {
  lifted = $state<Lifted>();
  isPanning = $state(false);
  isOverHand = $state(false);

  root: HTMLElement | undefined;
  field: HTMLElement | undefined;
  hand: HTMLElement | undefined;
  /** Where the dragged card hangs. */
  hook: HTMLElement | undefined;

  private pointers = new Map<number, Point>();
  private start: Point = { x: 0, y: 0 };
  private held = -1; // the pointer that holds a card
  private card = -1;
  private grip: Point = { x: 0, y: 0 }; // from the pointer to the middle of the card, in cells
  private hasMoved = false;
  private hasEntered = false;
  private frame = 0;
  private boxes = { root: new DOMRect(), field: new DOMRect(), hand: new DOMRect() };

  constructor(
    private readonly race: Race,
    private readonly camera: Camera,
    private readonly ontap: (i: number, isOnField: boolean) => void,
  ) {}

  /** A pointer comes down on card `i`, or on the ground of the field if it is −1. */
  down(event: PointerEvent, i: number): void {
    if (event.button !== 0 || !this.root) return;
    if (this.held >= 0) {
      this.turn(1); // another finger taps while a card is held
      return;
    }
    this.root.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, point(event));
    if (this.pointers.size > 1) {
      this.hasMoved = true;
      return;
    }
    this.measure();
    this.start = point(event);
    this.hasMoved = false;
    this.hasEntered = false;
    this.card = i;
    if (i < 0 || !this.race.isOpen) return;
    this.held = event.pointerId;
    this.grip = this.gripOf(event, i);
  }

  move(event: PointerEvent): void {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const now = point(event);
    const far = Math.hypot(now.x - this.start.x, now.y - this.start.y) > TAP_PX;
    if (!this.hasMoved && !far) return;
    if (this.held < 0) this.pan(event.pointerId, before, now);
    this.pointers.set(event.pointerId, now);
    if (!this.hasMoved && this.held >= 0) this.lift();
    this.hasMoved = true;
    if (this.held === event.pointerId) this.frame ||= requestAnimationFrame(() => this.draw());
  }

  up(event: PointerEvent): void {
    if (!this.pointers.delete(event.pointerId)) return;
    if (this.held === event.pointerId) {
      if (this.lifted) this.drop(point(event));
      else this.ontap(this.card, this.isIn(this.boxes.field, point(event)));
      this.end();
    } else if (!this.hasMoved) {
      if (this.card < 0) this.tapGround(point(event));
      else this.ontap(this.card, this.isIn(this.boxes.field, point(event)));
    }
    if (this.pointers.size === 0) this.isPanning = false;
  }

  cancel(event: PointerEvent): void {
    this.pointers.delete(event.pointerId);
    if (this.held === event.pointerId) this.end();
    if (this.pointers.size === 0) this.isPanning = false;
  }

  /** Turn the card that is being dragged; false if there is none. */
  turn(by: number): boolean {
    if (!this.lifted) return false;
    this.lifted.turn = (this.lifted.turn + by + TURNS) % TURNS;
    this.grip = by > 0 ? { x: -this.grip.y, y: this.grip.x } : { x: this.grip.y, y: -this.grip.x };
    this.frame ||= requestAnimationFrame(() => this.draw());
    return true;
  }

  wheel(event: WheelEvent): void {
    event.preventDefault();
    if (this.lifted) {
      this.turn(event.deltaY > 0 ? 1 : -1);
      return;
    }
    const box = this.field?.getBoundingClientRect();
    if (!box) return;
    const factor = Math.exp(-Math.max(-60, Math.min(60, event.deltaY)) * 0.004);
    this.camera.zoom(factor, event.clientX - box.left, event.clientY - box.top);
  }

  /** Put the dragged card back where it came from. */
  end(): void {
    this.held = -1;
    this.lifted = undefined;
    this.isOverHand = false;
    cancelAnimationFrame(this.frame);
    this.frame = 0;
  }

  private measure(): void {
    const box = (element: HTMLElement | undefined) =>
      element?.getBoundingClientRect() ?? new DOMRect();
    this.boxes = { root: box(this.root), field: box(this.field), hand: box(this.hand) };
  }

  private gripOf(event: PointerEvent, i: number): Point {
    const spot = this.spotOf(i);
    if (spot && this.isIn(this.boxes.field, point(event))) {
      const at = this.cellAt(point(event));
      return {
        x: spot.x + widthOf(spot.turn) / 2 - at.x,
        y: spot.y + heightOf(spot.turn) / 2 - at.y,
      };
    }
    return { x: 0, y: event.pointerType === "touch" ? -1.2 : 0 }; // above the finger
  }

  private spotOf(i: number): Spot | undefined {
    return (this.race.chosen === i ? this.race.floating : undefined) ?? this.race.spot(i);
  }

  private cellAt(at: Point): Point {
    return this.camera.at(at.x - this.boxes.field.left, at.y - this.boxes.field.top);
  }

  private isIn(box: DOMRect, { x, y }: Point): boolean {
    return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
  }

  private lift(): void {
    const turn = this.spotOf(this.card)?.turn ?? 0;
    this.race.choose(this.card);
    this.lifted = { i: this.card, turn, target: undefined, isFree: false };
  }

  private draw(): void {
    this.frame = 0;
    const at = this.pointers.get(this.held);
    if (!this.lifted || !at) return;
    const { root } = this.boxes;
    const { cell } = this.camera;
    const left = at.x - root.left + this.grip.x * cell;
    const top = at.y - root.top + this.grip.y * cell;
    if (this.hook) this.hook.style.transform = `translate3d(${left}px, ${top}px, 0)`;
    this.isOverHand = this.isIn(this.boxes.hand, at);
    this.aim(at);
    if (this.scroll(at)) this.frame = requestAnimationFrame(() => this.draw());
  }

  private aim(at: Point): void {
    const { lifted } = this;
    if (!lifted) return;
    if (!this.isIn(this.boxes.field, at)) {
      if (lifted.target) lifted.target = undefined;
      return;
    }
    const middle = this.cellAt(at);
    const x = middle.x + this.grip.x - widthOf(lifted.turn) / 2;
    const y = middle.y + this.grip.y - heightOf(lifted.turn) / 2;
    const { spot, isFree } = this.nearest(x, y, lifted);
    const old = lifted.target;
    if (old && old.x === spot.x && old.y === spot.y && old.turn === spot.turn) return;
    lifted.target = spot;
    lifted.isFree = isFree;
  }

  /** The nearest free place, or the very nearest if all those around are covered. */
  private nearest(x: number, y: number, { i, turn }: Lifted): { spot: Spot; isFree: boolean } {
    let spot: Spot = { x: Math.round(x), y: Math.round(y), turn };
    let isFree = this.race.isFree(i, spot);
    if (isFree) return { spot, isFree };
    let least = REACH_CELLS;
    for (const dx of [-1, 0, 1]) {
      for (const dy of [-1, 0, 1]) {
        const near = { x: Math.round(x) + dx, y: Math.round(y) + dy, turn };
        const distance = Math.hypot(near.x - x, near.y - y);
        if (distance >= least || !this.race.isFree(i, near)) continue;
        least = distance;
        spot = near;
        isFree = true;
      }
    }
    return { spot, isFree };
  }

  /** At the edge of the window onto the field, the field moves on. */
  private scroll(at: Point): boolean {
    const { field } = this.boxes;
    const depth = Math.min(
      at.x - field.left,
      field.right - at.x,
      at.y - field.top,
      field.bottom - at.y,
    );
    if (depth > 2 * EDGE_PX) this.hasEntered = true;
    if (!this.hasEntered || depth < 0 || depth > EDGE_PX) return false;
    const push = (low: number, high: number) =>
      low < EDGE_PX ? SCROLL_PX : high < EDGE_PX ? -SCROLL_PX : 0;
    this.camera.pan(
      push(at.x - field.left, field.right - at.x),
      push(at.y - field.top, field.bottom - at.y),
    );
    return true;
  }

  private drop(at: Point): void {
    this.draw();
    const { lifted } = this;
    if (!lifted) return;
    if (lifted.target) void this.race.lay(lifted.i, lifted.target);
    else if (this.isIn(this.boxes.hand, at)) void this.race.takeBack(lifted.i);
  }

  private tapGround(at: Point): void {
    const { chosen, floating } = this.race;
    if (!floating) {
      this.race.choose(-1);
      return;
    }
    const cell = this.cellAt(at);
    const x = cell.x - widthOf(floating.turn) / 2;
    const y = cell.y - heightOf(floating.turn) / 2;
    const lifted = { i: chosen, turn: floating.turn, target: undefined, isFree: false };
    const { spot } = this.nearest(x, y, lifted);
    void this.race.lay(chosen, spot);
  }

  /** One pointer drags the ground; two pinch it. */
  private pan(id: number, before: Point, now: Point): void {
    this.isPanning = true;
    const other = [...this.pointers].find(([pointer]) => pointer !== id)?.[1];
    if (!other) {
      this.camera.pan(now.x - before.x, now.y - before.y);
      return;
    }
    const { field } = this.boxes;
    this.camera.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
    const spread = (point: Point) => Math.max(20, Math.hypot(point.x - other.x, point.y - other.y));
    this.camera.zoom(
      spread(now) / spread(before),
      (now.x + other.x) / 2 - field.left,
      (now.y + other.y) / 2 - field.top,
    );
  }
}

const point = (event: PointerEvent): Point => ({ x: event.clientX, y: event.clientY });
