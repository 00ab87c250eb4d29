import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { sha256 } from "./sha256";
import { commitmentOf, isBound } from "./verify";

const KEY = "00ff".repeat(16);
const bound = createHash("sha256")
  .update("ludotheque chance key\0")
  .update(Buffer.from(KEY, "hex"))
  .digest("hex");

test("the key gives the commitment that the server shows", async () => {
  expect(await commitmentOf(KEY)).toBe(bound);
  expect(await isBound(KEY, bound)).toBe(true);
  expect(await isBound(KEY.replace("00", "01"), bound)).toBe(false);
  expect(await isBound("", bound)).toBe(false);
});

test.each([0, 1, 54, 55, 56, 63, 64, 65, 200])("our own SHA-256 of %i bytes is right", (length) => {
  const bytes = Uint8Array.from({ length }, (_, place) => (place * 7) & 255);
  const expected = createHash("sha256").update(bytes).digest();
  expect(Buffer.from(sha256(bytes)).equals(expected)).toBe(true);
});
