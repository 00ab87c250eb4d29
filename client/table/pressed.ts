/**
 * The button that a move is made with looks pressed until the server has answered, however long
 * that takes: [data-sent] in Playing.svelte. A move that is dragged has no button.
 */
export class Pressed {
  button: Element | null = null; // clicked since the last touch or key

  /** To be attached to the board. */
  readonly watch = (board: HTMLElement): (() => void) => {
    const forget = () => (this.button = null);
    const note = ({ target }: Event) =>
      (this.button = target instanceof Element ? target.closest("button") : null);
    board.addEventListener("pointerdown", forget, true);
    board.addEventListener("keydown", forget, true);
    board.addEventListener("click", note, true);
    return () => {
      board.removeEventListener("pointerdown", forget, true);
      board.removeEventListener("keydown", forget, true);
      board.removeEventListener("click", note, true);
    };
  };

  async until<T>(answer: Promise<T>): Promise<T> {
    const { button } = this;
    button?.setAttribute("data-sent", "");
    try {
      return await answer;
    } finally {
      button?.removeAttribute("data-sent");
    }
  }
}
