/**
 * The twelve symbols, each on a square of 40: what is filled, what is a line, what is left open.
 * A symbol is told by its shape; its two colours, for white and for black cards, only help.
 */
export interface Glyph {
  fill: string;
  line: string;
  open: string;
  onWhite: string;
  onBlack: string;
}

const circle = (x: number, y: number, r: number) =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;

function glyph(onWhite: string, onBlack: string, fill: string, line = "", open = ""): Glyph {
  return { fill, line, open, onWhite, onBlack };
}

const GLYPHS: Record<string, Glyph> = {
  anchor: glyph(
    "#1d4c9c",
    "#86b6ff",
    "M3.5 27l3-8 6.500 5.500zM36.500 27l-3-8-6.500 5.500z",
    `${circle(20, 8, 3.2)}M20 12v22M12.500 16.500h15M8 24q2 9.500 12 9.500T32 24`,
  ),
  bell: glyph(
    "#9a5f00",
    "#ffc552",
    "M20 4q2.500 0 2.500 3 8 1.800 8 11.500 0 7 4 10.500h-29q4-3.500 4-10.500 0-9.700 8-11.500 0-3 2.500-3zM15.500 31h9q-.6 5-4.500 5t-4.500-5z",
    "",
    "M14 24q-.4-9 4-11.500",
  ),
  crown: glyph(
    "#7427a3",
    "#d7a2ff",
    `M5 13l8 6.500L20 8l7 11.500L35 13l-3 14.500H8zM8.500 30h23v4.500h-23z${circle(20, 6.5, 2.6)}${circle(4.6, 11.5, 2.4)}${circle(35.4, 11.5, 2.4)}`,
  ),
  drop: glyph(
    "#08718f",
    "#62d9f7",
    "M20 3.500q11.500 13.500 11.500 21a11.500 11.500 0 0 1-23 0q0-7.500 11.500-21z",
    "",
    "M14 25q.5 5.200 5.500 6",
  ),
  eye: glyph(
    "#06705a",
    "#63e3bd",
    `M2.500 20Q20 1.500 37.500 20 20 38.500 2.500 20z${circle(20, 20, 8.2)}${circle(20, 20, 4.4)}`,
  ),
  fish: glyph(
    "#bf4309",
    "#ff9d62",
    `M3.500 20.500Q12 6.500 25.500 15l10-7q-2.500 12 0 24l-10-6.500Q12 34 3.500 20.500z${circle(11.5, 18.5, 2)}`,
    "",
    "M18 14q4.500 6.300 0 13",
  ),
  heart: glyph(
    "#bf1330",
    "#ff8492",
    "M20 35.500Q3.500 23 4.500 13.500q1-7.500 7.800-7.500 5.400 0 7.700 5.500Q22.300 6 27.700 6q6.800 0 7.800 7.500 1 9.500-15.500 22z",
    "",
    "M9.500 15q.4-4.600 4.200-4.800",
  ),
  key: glyph(
    "#5a6300",
    "#d6e35c",
    `${circle(12.5, 12.5, 9)}${circle(11.5, 11.5, 3.6)}`,
    "M19 19l15.500 15.500M27.500 27.500l5-5M32 32l4-4",
  ),
  leaf: glyph(
    "#2a7a1b",
    "#92e36d",
    "M7.500 32.500Q2.500 7 35 4.500 37 35 13.500 33.500q-3 0-6-1z",
    "M4.500 36l5-6",
    "M11 29.500Q17 19 27 13M17.500 20.500l-1-6.500M15 24.500l8.500.5",
  ),
  moon: glyph(
    "#4b41b3",
    "#b8b4ff",
    "M24.500 3.500a17 17 0 1 0 11.500 23A14.500 14.500 0 0 1 24.500 3.500z",
  ),
  star: glyph(
    "#b01a76",
    "#ff8fd3",
    "M20 2.500l5.200 11.200 12.300 1.500-9.100 8.400 2.400 12.100L20 29.700 9.200 35.700l2.400-12.100-9.100-8.400 12.300-1.500z",
  ),
  wave: glyph(
    "#4a535e",
    "#d3dce4",
    "",
    "M3.500 12.500q4.100-6.500 8.250 0t8.250 0 8.250 0 8.250 0M3.500 21q4.100-6.500 8.250 0t8.250 0 8.250 0 8.250 0M3.500 29.500q4.100-6.500 8.250 0t8.250 0 8.250 0 8.250 0",
  ),
};

const UNKNOWN = glyph("#4a535e", "#d3dce4", "", "M13 14q0-7 7-7t7 6.500q0 4.500-7 8v4M20 32v.1");

export const glyphOf = (name: string): Glyph => GLYPHS[name] ?? UNKNOWN;
