/** The paints of the boxes. Each colour has a printed sign too, for people who cannot tell the colours apart. */
export interface Paint {
  /** The painted top, its two sides in a drawing, the ink of the sign on the top, and the line around. */
  top: string;
  bright: string;
  dark: string;
  ink: string;
  line: string;
  /** A path on a grid of 24. */
  sign: string;
}

const TRIANGLE = "M12 3.500 21.500 20h-19z";
const DISC = "M12 3.500a8.500 8.500 0 1 0 0 17 8.500 8.500 0 0 0 0-17z";
const SQUARE = "M4.500 4.500h15v15h-15z";
const ARROWS = "M7 21V9H3.500L8.500 3l5 6H10v12zM15 21v-9h-2.500l4.500-5 4.500 5H19v9z";

export const PAINTS: Paint[] = [
  {
    top: "#c8402c",
    bright: "#e0b37a",
    dark: "#b98450",
    ink: "#fff3e2",
    line: "#6b1d12",
    sign: TRIANGLE,
  },
  {
    top: "#2f66b5",
    bright: "#e0b37a",
    dark: "#b98450",
    ink: "#f2f7ff",
    line: "#16325f",
    sign: DISC,
  },
  {
    top: "#f6f1e4",
    bright: "#e0b37a",
    dark: "#b98450",
    ink: "#4a4136",
    line: "#6f6452",
    sign: SQUARE,
  },
];

export const CARDBOARD: Paint = {
  top: "#b58e5f",
  bright: "#a37c4e",
  dark: "#8a673d",
  ink: "#543a1d",
  line: "#543a1d",
  sign: ARROWS,
};

export const paintOf = (colour: number): Paint => PAINTS[colour] ?? CARDBOARD;
