/** Boxes as meshes of three.js: a cell of the pallet is one unit, and its middle the origin. */
import {
  BoxGeometry,
  EdgesGeometry,
  type Group,
  LineBasicMaterial,
  LineSegments,
  type Material,
  Mesh,
  MeshStandardMaterial,
  Vector3,
} from "three";
import { RoundedBoxGeometry } from "three/examples/jsm/geometries/RoundedBoxGeometry.js";
import type { Standing } from "./model";
import { DEPTH, WIDTH } from "./rules";
import { faceOf } from "./textures";

const GAP_CELLS = 0.035; // between two boxes

/** The middle of a box as the scene counts: columns to the right, rows away from the eye. */
export function middle({ x, y, level, width, depth, height }: Standing): Vector3 {
  return new Vector3(x + (width - WIDTH) / 2, level + height / 2, (DEPTH - depth) / 2 - y);
}

export function topCorners(box: Standing): Vector3[] {
  const top = middle(box).setY(box.level + box.height);
  return [-0.5, 0.5].flatMap((i) =>
    [-0.5, 0.5].map((j) => top.clone().add(new Vector3(i * box.width, 0, j * box.depth))),
  );
}

export function solid(box: Standing, opacity = 1): Mesh {
  const { width, depth, height, colour } = box;
  const paint = (part: "top" | "side", wide: number, high: number) =>
    new MeshStandardMaterial({
      map: faceOf(part, colour, wide, high),
      roughness: 0.7,
      opacity,
      transparent: opacity < 1,
    });
  const aside = paint("side", depth, height);
  const front = paint("side", width, height);
  const top = paint("top", width, depth);
  const size = [width - GAP_CELLS, height - 0.01, depth - GAP_CELLS] as const;
  const mesh = new Mesh(new RoundedBoxGeometry(...size, 3, 0.055), [
    aside,
    aside,
    top,
    front,
    front,
    front,
  ]);
  mesh.position.copy(middle(box));
  mesh.castShadow = true;
  mesh.receiveShadow = opacity === 1;
  return mesh;
}

export function outline(box: Standing, colour: string, opacity: number) {
  const edges = new EdgesGeometry(new BoxGeometry(box.width, box.height, box.depth));
  const ink = new LineBasicMaterial({ color: colour, opacity, transparent: true });
  const line = new LineSegments(edges, ink);
  line.position.copy(middle(box));
  line.renderOrder = 3;
  return line;
}

export function empty(group: Group): void {
  for (const part of group.children) {
    if (part instanceof Mesh || part instanceof LineSegments) {
      part.geometry.dispose();
      const materials: Material[] = Array.isArray(part.material) ? part.material : [part.material];
      for (const material of materials) material.dispose();
    }
  }
  group.clear();
}
