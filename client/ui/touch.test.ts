import { beforeAll, expect, test, vi } from "vitest";

const page = new EventTarget();
let isTouch: typeof import("./touch").isTouch;

beforeAll(async () => {
  vi.stubGlobal("document", page);
  ({ isTouch } = await import("./touch"));
});

function press(pointerType: string): void {
  page.dispatchEvent(Object.assign(new Event("pointerdown"), { pointerType }));
}

const click = (about: object) => Object.assign(new Event("click"), about) as unknown as MouseEvent;

test("a click says what kind of pointer made it", () => {
  press("mouse");
  expect(isTouch(click({ detail: 1, pointerType: "touch" }))).toBe(true);
  press("touch");
  expect(isTouch(click({ detail: 1, pointerType: "mouse" }))).toBe(false);
});

test("of a click that does not say it, the press before it does", () => {
  press("touch");
  expect(isTouch(click({ detail: 1 }))).toBe(true);
  press("mouse");
  expect(isTouch(click({ detail: 1 }))).toBe(false);
});

test("a key press is not a touch, whatever touched the page before", () => {
  press("touch");
  expect(isTouch(click({ detail: 0 }))).toBe(false);
});
