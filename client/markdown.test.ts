import { expect, test } from "vitest";
import { blocks, titleOf } from "./markdown";

test("paragraphs, lists and bold are told apart", () => {
  const text = "One\nline.\n\n- **A**: first\n  goes on\n- second\n\n1. ordered";
  expect(blocks(text)).toEqual([
    { kind: "paragraph", spans: [{ text: "One line.", bold: false }], shows: [] },
    {
      kind: "list",
      ordered: false,
      items: [
        {
          spans: [
            { text: "A", bold: true },
            { text: ": first goes on", bold: false },
          ],
          shows: [],
        },
        { spans: [{ text: "second", bold: false }], shows: [] },
      ],
    },
    {
      kind: "list",
      ordered: true,
      items: [{ spans: [{ text: "ordered", bold: false }], shows: [] }],
    },
  ]);
});

test("links to chapters stand apart from the text that they belong to", () => {
  const text = "- **Ties.** They cancel.\n  [Two 14s\n  cancel](first/ties)\n- Then. [](stop/vote)";
  expect(blocks(text)).toEqual([
    {
      kind: "list",
      ordered: false,
      items: [
        {
          spans: [
            { text: "Ties.", bold: true },
            { text: " They cancel.", bold: false },
          ],
          shows: [{ caption: "Two 14s cancel", place: "first/ties" }],
        },
        { spans: [{ text: "Then.", bold: false }], shows: [{ caption: "", place: "stop/vote" }] },
      ],
    },
  ]);
});

test("a passage is about what it says first in bold", () => {
  const [titled, plain] = blocks("**The match.** One **deal**.\n\nNothing bold.");
  expect(titled?.kind === "paragraph" && titleOf(titled)).toBe("The match");
  expect(plain?.kind === "paragraph" && titleOf(plain)).toBe("");
});
