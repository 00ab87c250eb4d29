/** The box in the player's hand: which one, which way round, over which spot, and whether it fits. */
import type { Point } from "./Pallet3D";
import {
  isPlacement,
  isSquare,
  type Kind,
  moveOf,
  type Placement,
  placementOf,
  sizeOf,
  spotsOf,
  standingOf,
} from "./model";
import { COLOURS, DEPTH, WIDTH } from "./rules";

const NEAR_CELLS = 0.7; // a pointer within so much of a legal spot means it

export class Holding {
  kind = $state<Kind>();
  turned = $state(0);
  at = $state({ x: 2, y: 1 });
  /** Why the table refused it here, in words. */
  refusal = $state("");
  /** A finger has pointed at the spot: the next tap there places. */
  private isAimed = $state(false);

  private readonly allowed = $derived.by(
    () => new Set(this.legal().filter(isPlacement).map(placementOf).map(keyOf)),
  );
  readonly held = $derived.by<Placement | undefined>(() =>
    this.kind && this.allows(this.kind)
      ? { ...this.kind, turned: this.turned, ...this.at }
      : undefined,
  );
  readonly fits = $derived.by(
    () => this.held !== undefined && this.legal().includes(moveOf(this.held)),
  );
  readonly spots = $derived.by(() =>
    this.held ? spotsOf(this.legal(), this.held, this.turned) : [],
  );
  readonly ghost = $derived.by(() =>
    this.held ? { box: standingOf(this.held, this.heights()), fits: this.fits } : undefined,
  );

  constructor(
    private readonly legal: () => number[],
    private readonly heights: () => number[],
  ) {}

  /** Whether some move places such a box. */
  allows(kind: Kind): boolean {
    return this.allowed.has(keyOf(kind));
  }

  get isAsked(): boolean {
    return this.allowed.size > 0;
  }

  get canTurn(): boolean {
    return this.held !== undefined && !isSquare(this.held.shape);
  }

  /** Take a box, the way round that it fits, to the legal spot nearest to where the last one was. */
  choose(kind: Kind): void {
    this.kind = { shape: kind.shape, colour: kind.colour };
    this.forget();
    if (isSquare(kind.shape)) this.turned = 0;
    if (spotsOf(this.legal(), kind, this.turned).length === 0) this.turned = 1 - this.turned;
    const away = ({ x, y }: Placement) => Math.hypot(x - this.at.x, y - this.at.y);
    const near = spotsOf(this.legal(), kind, this.turned).sort((a, b) => away(a) - away(b))[0];
    if (near) this.at = { x: near.x, y: near.y };
  }

  /** Hold a box ready at the spot that a hint names. */
  ready({ shape, colour, turned, x, y }: Placement): void {
    this.kind = { shape, colour };
    this.turned = turned;
    this.at = { x, y };
    this.forget();
  }

  /** Put the box back; if only one may be placed, take that. */
  release(): void {
    this.kind = undefined;
    this.forget();
    const first = this.legal().find(isPlacement);
    if (this.allowed.size === 1 && first !== undefined) this.choose(placementOf(first));
  }

  hold(x: number, y: number): void {
    if (x === this.at.x && y === this.at.y) return;
    this.at = { x, y };
    this.refusal = "";
  }

  turn(): boolean {
    if (!this.canTurn) return false;
    this.turned = 1 - this.turned;
    this.forget();
    return true;
  }

  /** Hold the box there, but wholly over the pallet. */
  holdInside(x: number, y: number): void {
    if (!this.held) return;
    const { width, depth } = sizeOf(this.held.shape, this.turned);
    this.hold(Math.max(0, Math.min(WIDTH - width, x)), Math.max(0, Math.min(DEPTH - depth, y)));
  }

  /** Hold the box over a point of the pile: on a legal spot near it, or there. */
  point({ x, y, level }: Point): void {
    if (!this.held) return;
    const { width, depth } = sizeOf(this.held.shape, this.turned);
    let near = NEAR_CELLS;
    let spot: Placement | undefined;
    for (const one of this.spots) {
      const climb = Math.abs(standingOf(one, this.heights()).level - level);
      const away = Math.hypot(one.x + width / 2 - x, one.y + depth / 2 - y) + 0.15 * climb;
      if (away < near) [near, spot] = [away, one];
    }
    if (spot) this.hold(spot.x, spot.y);
    else this.holdInside(Math.round(x - width / 2), Math.round(y - depth / 2));
  }

  /** A finger taps: true if it means the spot that it meant before. */
  aim(go: () => void): boolean {
    const { x, y } = this.at;
    go();
    const isAgain = this.isAimed && x === this.at.x && y === this.at.y;
    this.isAimed = true;
    return isAgain;
  }

  private forget(): void {
    this.isAimed = false;
    this.refusal = "";
  }
}

function keyOf({ shape, colour }: Kind): number {
  return shape * COLOURS + colour;
}
