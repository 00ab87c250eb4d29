/** Twenty-four animals, each told apart by its shape as well as by its colours. 64 × 64. */

const INK = "#2a1f17";
const WHITE = "#fffaf0";

const round = (x: number, y: number, r: number, fill: string) =>
  `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}"/>`;
const oval = (x: number, y: number, rx: number, ry: number, fill: string) =>
  `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${fill}"/>`;
const shape = (d: string, fill: string) => `<path d="${d}" fill="${fill}"/>`;
const stroke = (d: string, colour = INK, width = 2) =>
  `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`;
/** A shape and its mirror image. */
const both = (part: string) => `${part}<g transform="matrix(-1 0 0 1 64 0)">${part}</g>`;
const eyes = (y: number, apart: number, r = 2.6) =>
  both(round(32 - apart, y, r, INK) + round(32 - apart + 0.8, y - 0.9, r / 3, WHITE));
const bigEyes = (y: number, apart: number, r = 6) =>
  both(round(32 - apart, y, r, WHITE) + round(32 - apart + 1, y, r / 2.1, INK));
const smile = (y: number, wide = 4) => stroke(`M${32 - wide} ${y}q${wide} ${wide} ${2 * wide} 0`);
const blush = (y: number, apart: number, colour: string) => both(oval(32 - apart, y, 3, 2, colour));

const fox =
  both(shape("M12 12l4 22 14-10z", "#d8602a") + shape("M15 17l3 11 6-5z", "#3b2417")) +
  shape("M10 30c6-10 38-10 44 0-2 14-12 24-22 26-10-2-20-12-22-26z", "#d8602a") +
  both(shape("M10 31c8-2 16 6 22 25-10-2-20-11-22-25z", WHITE)) +
  eyes(36, 8) +
  oval(32, 52, 4, 3, INK);
const owl =
  both(shape("M13 12l6 14 10-6z", "#6b4a86")) +
  oval(32, 36, 21, 21, "#6b4a86") +
  both(round(23, 33, 10, WHITE) + round(24, 33, 5, INK) + round(25.5, 31.5, 1.6, WHITE)) +
  shape("M28 40h8l-4 8z", "#f0b232") +
  stroke("M24 52q3 3 4 0 3 3 4 0 3 3 4 0 3 3 4 0", "#d9c6ee", 1.6);
const bear =
  both(round(15, 19, 8, "#7c4a25") + round(15, 19, 4, "#d9a878")) +
  round(32, 35, 21, "#7c4a25") +
  oval(32, 43, 10, 8, "#e4bd90") +
  oval(32, 39, 4, 3, INK) +
  smile(45) +
  eyes(31, 9);
const cat =
  both(shape("M11 10l2 22 16-9z", "#57616e") + shape("M14 16l1 10 7-4z", "#e7a8b0")) +
  oval(32, 36, 22, 19, "#57616e") +
  both(oval(23, 33, 4.5, 5, "#d7e66a") + oval(23, 33, 1.5, 4.5, INK)) +
  shape("M29 41h6l-3 3.5z", "#e7a8b0") +
  stroke(
    "M32 45v2m0 0q-3 4-6 1m6-1q3 4 6 1M19 43l-11-2m11 5l-10 3M45 43l11-2m-11 5l10 3",
    WHITE,
    1.4,
  );
const rabbit =
  both(oval(23, 16, 5.5, 15, "#efe3d2") + oval(23, 17, 2.5, 11, "#e79aa6")) +
  oval(32, 41, 18, 16, "#efe3d2") +
  eyes(38, 8) +
  shape("M29.500 44h5l-2.500 3z", "#d0616f") +
  shape("M29 48h6v6h-6z", WHITE) +
  stroke("M32 47v7", "#b9a68d", 1.2) +
  blush(45, 12, "#f2bcc0");
const frog =
  both(round(18, 20, 9, "#4f8f2f") + round(18, 19, 5.5, WHITE) + round(19, 19, 2.8, INK)) +
  oval(32, 38, 23, 17, "#4f8f2f") +
  stroke("M16 41q16 12 32 0", "#23420f", 2.4) +
  both(round(29, 34, 1.2, "#23420f")) +
  blush(40, 18, "#8cc152");
const penguin =
  oval(32, 35, 21, 23, "#26364d") +
  both(oval(25, 35, 9, 12, WHITE)) +
  oval(32, 46, 13, 10, WHITE) +
  eyes(33, 7) +
  shape("M26 39h12l-6 7z", "#f29b26");
const pig =
  both(shape("M12 14q10-2 14 10l-10 6z", "#e07a8b")) +
  round(32, 36, 21, "#f2a3ae") +
  oval(32, 42, 9, 7, "#e07a8b") +
  both(oval(28.5, 42, 1.7, 2.5, "#8a3445")) +
  eyes(31, 10) +
  smile(51, 3);
const mouse =
  both(round(14, 22, 11, "#9a8f86") + round(14, 22, 7, "#eeb9bd")) +
  shape("M12 36c4-12 36-12 40 0-2 10-12 18-20 21-8-3-18-11-20-21z", "#9a8f86") +
  eyes(37, 8) +
  round(32, 54, 3.4, "#d0616f") +
  stroke("M24 49l-13 1m13 2l-11 5M40 49l13 1m-13 2l11 5", "#5c534c", 1.2);
const lion =
  shape(
    "M32 4l7 6 9-3 3 9 9 3-3 9 6 7-6 7 3 9-9 3-3 9-9-3-7 6-7-6-9 3-3-9-9-3 3-9-6-7 6-7-3-9 9-3 3-9 9 3z",
    "#a65a13",
  ) +
  round(32, 35, 17, "#efb84a") +
  eyes(32, 7) +
  shape("M27 39h10l-5 5z", "#6d3a12") +
  stroke("M32 44v2m0 0q-3 4-6 1m6-1q3 4 6 1", "#6d3a12", 1.8);
const elephant =
  both(oval(12, 30, 11, 15, "#8b9bb0") + oval(12, 31, 6.5, 10, "#e6b7bd")) +
  oval(32, 30, 17, 18, "#a4b3c6") +
  shape("M26 36h12v14q0 8 8 7v4q-14 2-14-10v-1q0 6-6 4z", "#a4b3c6") +
  stroke("M28 44h9m-8 5h9", "#7c8ca1", 1.5) +
  eyes(28, 8);
const koala =
  both(round(12, 24, 11, "#8d9aa5") + round(12, 25, 6.5, "#f0e2dc")) +
  oval(32, 36, 20, 20, "#a9b5be") +
  oval(32, 39, 5.5, 8.5, "#2f3740") +
  eyes(31, 11) +
  smile(50, 3);
const panda =
  both(round(14, 17, 8, INK)) +
  round(32, 36, 22, WHITE) +
  both(
    `<g transform="rotate(28 23 34)">${oval(23, 34, 6, 8, INK)}</g>` + round(24, 33, 2.4, WHITE),
  ) +
  oval(32, 43, 4, 3, INK) +
  smile(47, 4);
const duck =
  round(32, 30, 20, "#f4c531") +
  shape("M28 8q4-8 8-2-4 0-3 6z", "#f4c531") +
  eyes(27, 9) +
  shape("M14 40q18-10 36 0-4 12-18 12t-18-12z", "#e87522") +
  stroke("M17 42q15 5 30 0", "#a34a0d", 1.8);
const tiger =
  both(round(15, 18, 8, "#e58a1f") + round(15, 18, 4, "#3a2413")) +
  round(32, 36, 21, "#e58a1f") +
  both(oval(26, 45, 8, 7, WHITE)) +
  shape("M28 40h8l-4 4z", "#c4515c") +
  stroke(
    "M32 16v10M25 18l2 7M39 18l-2 7M12 33l8 2M13 41l7 0M52 33l-8 2M51 41l-7 0",
    "#3a2413",
    2.6,
  ) +
  eyes(33, 8);
const hedgehog =
  shape(
    "M32 5l6 7 8-4 2 9 9 1-3 8 7 5-6 6 4 8-9 1-2 9-18-4-18 4-2-9-9-1 4-8-6-6 7-5-3-8 9-1 2-9 8 4z",
    "#5d4030",
  ) +
  shape("M15 38c2-12 32-12 34 0 0 9-9 17-17 19-8-2-17-10-17-19z", "#ecc79c") +
  eyes(38, 8) +
  round(32, 52, 4, INK);
const whale =
  shape(
    "M8 34c0-14 14-20 26-16 14 4 14 18 14 18q6 0 8-8 5 4 4 10-2 16-22 18C18 58 8 48 8 34z",
    "#2f78b7",
  ) +
  shape("M10 42q14 6 30 2-2 10-14 11-12-1-16-13z", "#dcecf7") +
  round(20, 36, 2.6, INK) +
  stroke("M28 16q0-8-6-9m6 9q0-9 7-9", "#2f78b7", 2.6) +
  stroke("M16 44q4 3 8 1", "#1c4b75", 1.6);
const bee =
  both(`<g transform="rotate(-30 16 20)">${oval(16, 22, 8, 13, "#d7ecf5")}</g>`) +
  stroke("M26 14q-2-8-8-8m20 8q2-8 8-8", INK, 2.2) +
  oval(32, 37, 18, 20, "#f4c531") +
  shape("M14.500 36h35q.5 5-1 9h-33q-1.500-4-1-9z", INK) +
  shape("M19 50h26q-5 7-13 7t-13-7z", INK) +
  eyes(27, 7) +
  smile(31, 3);
const turtle =
  oval(32, 30, 25, 18, "#557a2e") +
  stroke("M32 13v22M14 22l10 6M50 22l-10 6M24 28l8 7 8-7-8-7z", "#2f4a16", 2) +
  shape("M18 38q14-10 28 0 2 20-14 20T18 38z", "#a3c36a") +
  eyes(44, 7) +
  smile(50, 4);
const octopus =
  shape(
    "M12 32C12 4 52 4 52 32q0 10 4 16-6 4-9-3-1 10-7 10-3 0-3-8-2 10-5 10t-5-10q0 8-3 8-6 0-7-10-3 7-9 3 4-6 4-16z",
    "#c23b6e",
  ) +
  bigEyes(30, 8) +
  smile(39, 4) +
  both(round(22, 18, 2, "#e78fb0") + round(28, 14, 1.5, "#e78fb0"));
const badger =
  both(round(14, 20, 7, "#3c4048") + round(14, 20, 3.5, WHITE)) +
  shape("M11 32c2-18 40-18 42 0 0 12-12 24-21 26-9-2-21-14-21-26z", WHITE) +
  both(shape("M17 18q6 16 8 30-12-8-12-20z", "#3c4048")) +
  both(round(22, 34, 2.4, WHITE) + round(22, 34, 1.5, INK)) +
  oval(32, 53, 5, 4, INK);
const crab =
  both(
    shape("M6 26q-4-14 8-18l1 8 6-6q4 12-9 17z", "#cf4525") +
      stroke("M14 46l-8 5m11 1l-6 7", "#cf4525", 3.4),
  ) +
  both(stroke("M26 30v-8", "#cf4525", 3)) +
  oval(32, 42, 21, 14, "#cf4525") +
  both(round(26, 20, 4.5, WHITE) + round(26.5, 20, 2.2, INK)) +
  smile(44, 6);
const ladybird =
  stroke("M26 16q-2-8-8-8m20 8q2-8 8-8", INK, 2.2) +
  round(32, 22, 12, INK) +
  oval(32, 38, 22, 20, "#c4261d") +
  stroke("M32 24v34", INK, 2.6) +
  both(round(21, 34, 4, INK) + round(24, 47, 4, INK) + round(14, 43, 2.4, INK)) +
  both(round(27, 19, 2.6, WHITE) + round(27.4, 19, 1.3, INK));
const giraffe =
  both(
    stroke("M25 18l-2-10", "#a3661b", 3.2) +
      round(23, 7, 3.2, "#6d3a12") +
      oval(12, 22, 8, 4, "#e9b44c"),
  ) +
  shape("M18 20q14-8 28 0l-3 22H21z", "#f0c45c") +
  oval(32, 47, 13, 11, "#f7dfa8") +
  both(round(27, 46, 1.6, "#6d3a12") + oval(21, 38, 2, 3, "#a3661b")) +
  shape("M29 20h6l-1 7h-4zM22 22l3 4-3 3zM42 22l-3 4 3 3z", "#a3661b") +
  eyes(32, 8) +
  smile(51, 4);

const DRAWN: [ground: string, animal: string][] = [
  ["#f3d9b1", fox],
  ["#f6e3a4", owl],
  ["#bfe0d4", bear],
  ["#f4c9b8", cat],
  ["#b0472f", rabbit],
  ["#f7ecc6", frog],
  ["#9fd3e6", penguin],
  ["#cfe3b4", pig],
  ["#f6d365", mouse],
  ["#cfe0f0", lion],
  ["#fbe3c0", elephant],
  ["#d9c2e8", koala],
  ["#7fb069", panda],
  ["#2f6f8f", duck],
  ["#dff0d8", tiger],
  ["#f2b5a7", hedgehog],
  ["#fbe9d0", whale],
  ["#86b8d6", bee],
  ["#f9d9c4", turtle],
  ["#bfe6e0", octopus],
  ["#e0a458", badger],
  ["#cfe8f7", crab],
  ["#dbe8b8", ladybird],
  ["#8f6fae", giraffe],
];

/** What is inside the <svg> of an avatar. */
export function avatar(number: number): string {
  const count = DRAWN.length;
  const [ground, animal] = DRAWN[((number % count) + count) % count] ?? ["", ""];
  return `<circle cx="32" cy="32" r="32" fill="${ground}"/><g transform="translate(4.8 4.8) scale(.85)">${animal}</g>`;
}
