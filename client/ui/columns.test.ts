import { describe, expect, it } from "vitest";
import { evenColumns } from "./columns";

describe("columns of cards", () => {
  it("are as many as there are cards if all have room in one row", () => {
    expect(evenColumns(8, 352, 44)).toBe(8);
    expect(evenColumns(1, 352, 44)).toBe(1);
  });
  it("are shared out evenly among the rows", () => {
    expect(evenColumns(15, 352, 44)).toBe(8);
    expect(evenColumns(9, 352, 44)).toBe(5);
    expect(evenColumns(15, 318, 44)).toBe(5);
  });
  it("are never none, even before the width is known", () => {
    expect(evenColumns(0, 352, 44)).toBe(1);
    expect(evenColumns(3, 0, 44)).toBe(1);
  });
});
