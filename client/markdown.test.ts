import { expect, test } from "vitest";
import { blocks } from "./markdown";

test("paragraphs, lists and bold are told apart", () => {
  const text = "One\nline.\n\n- **A**: first\n  goes on\n- second\n\n1. ordered";
  expect(blocks(text)).toEqual([
    { kind: "paragraph", spans: [{ text: "One line.", bold: false }] },
    {
      kind: "list",
      ordered: false,
      items: [
        [
          { text: "A", bold: true },
          { text: ": first goes on", bold: false },
        ],
        [{ text: "second", bold: false }],
      ],
    },
    { kind: "list", ordered: true, items: [[{ text: "ordered", bold: false }]] },
  ]);
});
