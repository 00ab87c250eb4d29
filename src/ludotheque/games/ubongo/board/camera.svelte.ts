/** Which part of the field is seen: the cell in the middle, and how large a cell is. */
import { CELL, heightOf, widthOf, type Box, type Spot } from "./model";
import { FIELD } from "./rules";

const SMALLEST_CELL_PX = 12; // seven cards in a row fit a narrow phone
const LARGEST_CELL_PX = 84;
const TOOLS_PX = 146; // at the lower right, covered by tools
const ROOM_CELLS = 1.5; // around cards that are looked at, for the next one
const clamp = (low: number, value: number, high: number) => Math.min(high, Math.max(low, value));

export class Camera {
  width = $state(0);
  height = $state(0);
  x = $state(FIELD / 2);
  y = $state(FIELD / 2);
  /** The field was moved as a whole and not by hand: it glides there. */
  isGliding = $state(false);
  /** The side of a cell in pixels, if it was ever chosen. */
  private chosen = $state(0);

  readonly usual = $derived.by(() => clamp(26, Math.min(this.width / 11, this.height / 7.5), 56));
  readonly cell = $derived.by(() => this.chosen || this.usual);
  readonly transform = $derived.by(
    () =>
      `translate(${this.width / 2 - this.x * this.cell}px, ${this.height / 2 - this.y * this.cell}px) scale(${this.cell / CELL})`,
  );

  get canGrow(): boolean {
    return this.cell < LARGEST_CELL_PX - 0.5;
  }

  get canShrink(): boolean {
    return this.cell > SMALLEST_CELL_PX + 0.5;
  }

  /** The column and row, with their fractions, under a point of the window onto the field. */
  at(left: number, top: number): { x: number; y: number } {
    return {
      x: (left - this.width / 2) / this.cell + this.x,
      y: (top - this.height / 2) / this.cell + this.y,
    };
  }

  pan(right: number, down: number): void {
    this.isGliding = false;
    this.look(this.x - right / this.cell, this.y - down / this.cell);
  }

  zoom(factor: number, left = this.width / 2, top = this.height / 2): void {
    this.isGliding = false;
    const fixed = this.at(left, top);
    this.chosen = clamp(SMALLEST_CELL_PX, this.cell * factor, LARGEST_CELL_PX);
    const moved = this.at(left, top);
    this.look(this.x + fixed.x - moved.x, this.y + fixed.y - moved.y);
  }

  /** See all of a box with some room around it; without one, the middle of the field. */
  fit(box: Box | undefined): void {
    this.isGliding = true;
    if (!box) {
      this.chosen = 0;
      this.look(FIELD / 2, FIELD / 2);
      return;
    }
    const around = 2 * ROOM_CELLS;
    const most = Math.min(this.width / (box.width + around), this.height / (box.height + around));
    this.chosen = clamp(SMALLEST_CELL_PX, Math.min(most, this.usual), LARGEST_CELL_PX);
    this.look(box.x + box.width / 2, box.y + box.height / 2);
  }

  /** See all of a box; if a part of it is out of sight, all of it comes to the middle. */
  refit(box: Box | undefined): void {
    if (box && !this.sees(box)) this.fit(box);
  }

  private sees({ x, y, width, height }: Box): boolean {
    const across = this.width / this.cell / 2;
    const down = this.height / this.cell / 2;
    const isAcross = x > this.x - across && x + width < this.x + across;
    return isAcross && y > this.y - down && y + height < this.y + down;
  }

  /** Move as little as is needed to see a card and a part of a cell around it, beside the tools. */
  reveal(spot: Spot): void {
    const across = this.width / this.cell / 2;
    const down = this.height / this.cell / 2;
    const [right, lower] = [spot.x + widthOf(spot.turn) + 0.5, spot.y + heightOf(spot.turn) + 0.5];
    const isUnderTools =
      right > this.x + across - TOOLS_PX / this.cell &&
      lower > this.y + down - TOOLS_PX / this.cell;
    const aside = isUnderTools ? TOOLS_PX / this.cell : 0;
    const isTall = this.height > this.width;
    const x = clamp(right - across + (isTall ? 0 : aside), this.x, spot.x - 0.5 + across);
    const y = clamp(lower - down + (isTall ? aside : 0), this.y, spot.y - 0.5 + down);
    this.look(x, y);
  }

  private look(x: number, y: number): void {
    this.x = clamp(0, x, FIELD);
    this.y = clamp(0, y, FIELD);
  }
}
