import { beforeEach, expect, test, vi } from "vitest";
import { inherit } from "./focus";

/** An element that contains itself and these. */
function element(...within: unknown[]): HTMLElement {
  const made = { focus: vi.fn(), contains: (one: unknown) => one === made || within.includes(one) };
  return made as unknown as HTMLElement;
}

const card = element();
const board = element(card);
const body = element(board, card);
const focus = (activeElement: HTMLElement | null) =>
  vi.stubGlobal("document", { activeElement, body });
beforeEach(() => void vi.mocked(card.focus).mockClear());

test("a lost focus is taken", () => {
  for (const lost of [null, body]) {
    focus(lost);
    inherit(card);
  }
  expect(card.focus).toHaveBeenCalledTimes(2);
});

test("what lies around the element gives the focus to it", () => {
  focus(board);
  inherit(card);
  expect(card.focus).toHaveBeenCalledOnce();
});

test("what has the focus elsewhere keeps it", () => {
  focus(element());
  inherit(card);
  inherit(undefined);
  expect(card.focus).not.toHaveBeenCalled();
});
