/** Which part of the field is seen: the cell in the middle, and how large a cell is. */
import { CELL, heightOf, widthOf, type Box, type Spot } from "./model";
import { FIELD } from "./rules";

const SMALLEST_CELL_PX = 16;
const LARGEST_CELL_PX = 84;
const TOOLS_PX = 54; // at the lower edge, covered by tools
const clamp = (low: number, value: number, high: number) => Math.min(high, Math.max(low, value));

export class Camera {
  width = $state(0);
  height = $state(0);
  x = $state(FIELD / 2);
  y = $state(FIELD / 2);
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
    this.look(this.x - right / this.cell, this.y - down / this.cell);
  }

  zoom(factor: number, left = this.width / 2, top = this.height / 2): void {
    const fixed = this.at(left, top);
    this.chosen = clamp(SMALLEST_CELL_PX, this.cell * factor, LARGEST_CELL_PX);
    const moved = this.at(left, top);
    this.look(this.x + fixed.x - moved.x, this.y + fixed.y - moved.y);
  }

  /** See all of a box with some room around it; without one, the middle of the field. */
  fit(box: Box | undefined): void {
    if (!box) {
      this.chosen = 0;
      this.look(FIELD / 2, FIELD / 2);
      return;
    }
    const most = Math.min(this.width / (box.width + 2), this.height / (box.height + 2));
    this.chosen = clamp(SMALLEST_CELL_PX, Math.min(most, this.usual), LARGEST_CELL_PX);
    this.look(box.x + box.width / 2, box.y + box.height / 2);
  }

  /** Move as little as is needed to see a card and a cell around it. */
  reveal(spot: Spot): void {
    const across = this.width / this.cell / 2;
    const down = this.height / this.cell / 2;
    const x = clamp(spot.x + widthOf(spot.turn) + 1 - across, this.x, spot.x - 1 + across);
    const least = spot.y + heightOf(spot.turn) + 0.5 - down + TOOLS_PX / this.cell;
    const y = clamp(least, this.y, spot.y - 0.5 + down);
    this.look(x, y);
  }

  private look(x: number, y: number): void {
    this.x = clamp(0, x, FIELD);
    this.y = clamp(0, y, FIELD);
  }
}
