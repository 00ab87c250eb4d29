/** A touch leaves a hover behind, so that only pointers that can hover may have one. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const FOLDERS = ["..", "../../src/ludotheque/games"].map(
  (folder) => new URL(`${folder}/`, import.meta.url).pathname,
);
const GUARD = "@media (hover: hover)"; // and whatever else

/** The style without the blocks that are only for pointers that hover. */
function unguarded(style: string): string {
  const start = style.indexOf(GUARD);
  if (start < 0) return style;
  let depth = 0;
  let end = style.indexOf("{", start);
  do {
    if (style[end] === "{") depth += 1;
    if (style[end] === "}") depth -= 1;
    end += 1;
  } while (depth > 0);
  return style.slice(0, start) + unguarded(style.slice(end));
}

test("hover rules are for pointers that hover", () => {
  const styled = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf-8" })
      .filter((path) => /\.(svelte|css)$/.test(path))
      .map((path) => folder + path),
  );
  expect(styled.length).toBeGreaterThan(60);
  const found = styled.filter((path) => unguarded(readFileSync(path, "utf-8")).includes(":hover"));
  expect(found).toEqual([]);
});
