import { expect, test } from "vitest";
import { AVATARS } from "../messages";
import { avatar } from "./avatars";

test("every number that the server accepts has a picture of its own", () => {
  const pictures = new Set(Array.from({ length: AVATARS }, (_, number) => avatar(number)));
  expect(pictures.size).toBe(AVATARS);
  expect(avatar(AVATARS)).toBe(avatar(0));
});
