/** Faces of the boxes and of the pallet, painted on canvases: grain, paint, printed signs. */
import { CanvasTexture, SRGBColorSpace } from "three";
import { paintOf, type Paint } from "./paint";

const CELL_PX = 96;
const PINE = "#deb27a";
const OAK = "#b58450";

type Pen = CanvasRenderingContext2D;

function painted(wide: number, high: number, paint: (pen: Pen, w: number, h: number) => void) {
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(wide * CELL_PX);
  canvas.height = Math.round(high * CELL_PX);
  const pen = canvas.getContext("2d");
  if (pen) paint(pen, canvas.width, canvas.height);
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  texture.anisotropy = 8;
  return texture;
}

/** A fixed series between 0 and 1, so that a box looks the same every time it is drawn. */
function series(seed: number): () => number {
  let state = seed * 2654435761 + 1;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 374761393) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 4294967296;
  };
}

function grain(pen: Pen, w: number, h: number, colour: string, seed: number, strength = 1): void {
  const next = series(seed);
  const along = w >= h;
  const [length, across] = along ? [w, h] : [h, w];
  pen.save();
  if (!along) {
    pen.translate(w, 0);
    pen.rotate(Math.PI / 2);
  }
  pen.strokeStyle = colour;
  for (let y = 4; y < across; y += 5 + next() * 9) {
    pen.globalAlpha = (0.08 + next() * 0.16) * strength;
    pen.lineWidth = 0.8 + next() * 2;
    pen.beginPath();
    pen.moveTo(0, y);
    const bend = (next() - 0.5) * 16;
    pen.bezierCurveTo(length * 0.3, y + bend, length * 0.6, y - bend, length, y + bend * 0.4);
    pen.stroke();
  }
  pen.restore();
}

/** A soft dark rim, as where paint is worn and light does not reach. */
function rim(pen: Pen, w: number, h: number, colour: string): void {
  pen.save();
  pen.strokeStyle = colour;
  for (let i = 0; i < 4; i++) {
    pen.globalAlpha = 0.1 + 0.05 * i;
    pen.lineWidth = 14 - i * 3.5;
    pen.strokeRect(0, 0, w, h);
  }
  pen.restore();
}

function print(pen: Pen, w: number, h: number, size: number, sign: string, ink: string): void {
  const scale = (size * CELL_PX) / 24;
  pen.save();
  pen.translate(w / 2 - 12 * scale, h / 2 - 12 * scale);
  pen.scale(scale, scale);
  pen.fillStyle = ink;
  pen.fill(new Path2D(sign));
  pen.restore();
}

function paintTop(pen: Pen, w: number, h: number, paint: Paint, isCard: boolean): void {
  pen.fillStyle = paint.top;
  pen.fillRect(0, 0, w, h);
  grain(pen, w, h, paint.line, w + h, isCard ? 0.35 : 0.7);
  if (isCard) tape(pen, w, h);
  rim(pen, w, h, paint.line);
  print(pen, w, h, 0.5, paint.sign, paint.ink);
}

function tape(pen: Pen, w: number, h: number): void {
  const across = 0.3 * CELL_PX;
  pen.fillStyle = "rgb(236 214 170 / 75%)";
  if (w >= h) pen.fillRect(0, h / 2 - across / 2, w, across);
  else pen.fillRect(w / 2 - across / 2, 0, across, h);
}

function paintSide(pen: Pen, w: number, h: number, paint: Paint, isCard: boolean): void {
  pen.fillStyle = isCard ? paint.bright : PINE;
  pen.fillRect(0, 0, w, h);
  grain(pen, w, h, "#7a4a1e", w * 3 + h, isCard ? 0.3 : 1);
  const band = 0.16 * CELL_PX;
  pen.fillStyle = isCard ? "rgb(236 214 170 / 55%)" : paint.top;
  pen.fillRect(0, 0, w, band);
  rim(pen, w, h, "#6a4018");
  pen.translate(0, band / 2);
  if (!isCard) print(pen, w, h, 0.46, paint.sign, paint.line);
  print(pen, w, h, isCard ? 0.5 : 0.38, paint.sign, isCard ? paint.ink : paint.top);
}

const made = new Map<string, CanvasTexture>();

/** The top of a box (`wide` × `high` seen from above) or one of its sides, made once. */
export function faceOf(part: "top" | "side", colour: number, wide: number, high: number) {
  const key = `${part} ${colour} ${wide} ${high}`;
  let texture = made.get(key);
  if (!texture) {
    const isCard = colour < 0;
    texture = painted(wide, high, (pen, w, h) =>
      (part === "top" ? paintTop : paintSide)(pen, w, h, paintOf(colour), isCard),
    );
    made.set(key, texture);
  }
  return texture;
}

/** A board of the pallet with a notch at every cell. */
export function boardFace(cells: number): CanvasTexture {
  return painted(cells, 1, (pen, w, h) => {
    pen.fillStyle = OAK;
    pen.fillRect(0, 0, w, h);
    grain(pen, w, h, "#5d3512", 7, 1.6);
    pen.fillStyle = "rgb(70 38 12 / 45%)";
    for (let cell = 1; cell < cells; cell++) pen.fillRect(cell * CELL_PX - 1.5, 0, 3, h);
    pen.fillStyle = "rgb(60 32 10 / 80%)";
    for (let cell = 0; cell <= cells; cell += cells / 2) {
      const x = Math.min(w - 12, Math.max(12, cell * CELL_PX));
      for (const y of [h * 0.3, h * 0.7]) {
        pen.beginPath();
        pen.arc(x, y, 4, 0, 7);
        pen.fill();
      }
    }
  });
}

export function woodFace(): CanvasTexture {
  return painted(3, 1, (pen, w, h) => {
    pen.fillStyle = "#9c6d3e";
    pen.fillRect(0, 0, w, h);
    grain(pen, w, h, "#4d2b0e", 3, 1.6);
  });
}

/** A letter or a number beside the pallet. */
export function letterFace(text: string, ink: string): CanvasTexture {
  return painted(1, 1, (pen, w, h) => {
    pen.fillStyle = ink;
    pen.font = `600 ${0.62 * CELL_PX}px Georgia, serif`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.fillText(text, w / 2, h / 2);
  });
}

/** A tick or a cross on a disc: whether a box may stand where it is held. */
export function markFace(fits: boolean): CanvasTexture {
  return painted(1, 1, (pen, w, h) => {
    pen.fillStyle = fits ? "#17663a" : "#9c1c1b";
    pen.strokeStyle = "#fffaf0";
    pen.lineWidth = 6;
    pen.beginPath();
    pen.arc(w / 2, h / 2, w / 2 - 6, 0, 7);
    pen.fill();
    pen.stroke();
    pen.lineWidth = 11;
    pen.lineCap = "round";
    pen.lineJoin = "round";
    pen.stroke(new Path2D(fits ? "M28 50 43 65 69 34" : "M32 32 64 64M64 32 32 64"));
  });
}

/** The ring that shows where a box may stand. */
export function spotFace(): CanvasTexture {
  return painted(1, 1, (pen, w, h) => {
    const ring = (radius: number, colour: string) => {
      pen.fillStyle = colour;
      pen.beginPath();
      pen.arc(w / 2, h / 2, radius, 0, 7);
      pen.fill();
    };
    ring(46, "rgb(20 60 35 / 85%)");
    ring(40, "#fffaf0");
    ring(31, "#1f8a4f");
    pen.strokeStyle = "#fffaf0";
    pen.lineWidth = 9;
    pen.lineCap = "round";
    pen.stroke(new Path2D("M48 33V63M33 48H63"));
  });
}
