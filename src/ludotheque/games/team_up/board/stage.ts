/** All that stands still around the boxes: light, the wooden pallet, the floor, letters and numbers. */
import {
  AmbientLight,
  DirectionalLight,
  HemisphereLight,
  type Light,
  type Material,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  PlaneGeometry,
} from "three";
import { RoundedBoxGeometry } from "three/examples/jsm/geometries/RoundedBoxGeometry.js";
import { cellName } from "./model";
import { DEPTH, WIDTH } from "./rules";
import { boardFace, letterFace, woodFace } from "./textures";

type Triple = [x: number, y: number, z: number];

const columnAt = (x: number): number => x - (WIDTH - 1) / 2;
const rowAt = (y: number): number => (DEPTH - 1) / 2 - y;
const flat = (width: number, depth: number) =>
  new PlaneGeometry(width, depth).rotateX(-Math.PI / 2);

export function lights(): Light[] {
  const sun = new DirectionalLight("#fff1d6", 2.3);
  sun.position.set(-4, 13, 5);
  sun.castShadow = true;
  sun.shadow.mapSize.set(2048, 2048);
  sun.shadow.radius = 5;
  sun.shadow.normalBias = 0.03;
  Object.assign(sun.shadow.camera, { left: -7, right: 7, top: 9, bottom: -7, near: 1, far: 32 });
  const sky = new HemisphereLight("#f3f6ff", "#a8794a", 1.25);
  const fill = new DirectionalLight("#ffe3c2", 0.55);
  fill.position.set(7, 4, -5);
  return [sun, sky, fill, new AmbientLight("#ffffff", 0.35)];
}

/** A board for every row, blocks under them, and boards under those. */
export function woodenPallet(): Mesh[] {
  const wood = new MeshStandardMaterial({ map: woodFace(), roughness: 0.85 });
  const board = new MeshStandardMaterial({ map: boardFace(WIDTH), roughness: 0.85 });
  const length = WIDTH + 0.1;
  const [side, end] = [WIDTH / 2 - 0.3, DEPTH / 2 - 0.3];
  const rows = Array.from({ length: DEPTH }, (_, y) => rowAt(y));
  return [
    ...rows.map((z) => plank([length, 0.16, 0.95], [0, -0.08, z], wood, board)),
    ...[-side, 0, side].map((x) => plank([0.5, 0.34, DEPTH], [x, -0.33, 0], wood)),
    ...[-end, 0, end].map((z) => plank([length, 0.12, 0.55], [0, -0.56, z], wood)),
  ];
}

function plank(size: Triple, at: Triple, wood: Material, top = wood): Mesh {
  const faces = [wood, wood, top, wood, wood, wood];
  const mesh = new Mesh(new RoundedBoxGeometry(...size, 2, 0.03), faces);
  mesh.position.set(...at);
  mesh.castShadow = true;
  mesh.receiveShadow = true;
  return mesh;
}

/** Only the shadows on it are seen. */
export function floor(shadow: Material): Mesh {
  const mesh = new Mesh(flat(60, 60), shadow);
  mesh.position.y = -0.62;
  mesh.receiveShadow = true;
  return mesh;
}

/** Columns by letters and rows by numbers, on both sides of the pallet. */
export function letters(ink: string): Mesh[] {
  const [side, end] = [WIDTH / 2 + 0.38, DEPTH / 2 + 0.42];
  const columns = Array.from({ length: WIDTH }, (_, x) => x).flatMap((x) =>
    [end, -end].map((z) => letter(cellName(x, 0).slice(0, 1), ink, columnAt(x), z)),
  );
  const rows = Array.from({ length: DEPTH }, (_, y) => y).flatMap((y) =>
    [-side, side].map((x) => letter(String(y + 1), ink, x, rowAt(y))),
  );
  return [...columns, ...rows];
}

function letter(text: string, ink: string, x: number, z: number): Mesh {
  const material = new MeshBasicMaterial({ map: letterFace(text, ink), transparent: true });
  const mesh = new Mesh(flat(0.55, 0.55), material);
  mesh.position.set(x, -0.6, z);
  return mesh;
}
