/**
 * A move that is held ready: a first press selects it, a second one plays it. Players may ask for
 * that everywhere, and a finger raises small cards first.
 */
export class Held {
  private held = $state.raw<{ move: number; turn: string }>();
  private button: Element | null = null;

  /** Hold a move in this turn; it is gone with the turn. */
  hold(move: number, turn: string, button: Element | null = null): void {
    this.release();
    this.held = { move, turn };
    this.button = button;
    button?.setAttribute("data-held", "");
  }

  /** The move held in this turn. */
  moveIn(turn: string): number | undefined {
    return this.held?.turn === turn ? this.held.move : undefined;
  }

  release(): void {
    this.held = undefined;
    this.button?.removeAttribute("data-held");
    this.button = null;
  }
}
