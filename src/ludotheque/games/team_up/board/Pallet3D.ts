/** The pallet in three dimensions. Loaded only when it is looked at: it brings three.js along. */
import {
  AmbientLight,
  BoxGeometry,
  DirectionalLight,
  EdgesGeometry,
  Group,
  HemisphereLight,
  LineBasicMaterial,
  LineSegments,
  type Material,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  type Object3D,
  PCFShadowMap,
  PlaneGeometry,
  Raycaster,
  Scene,
  ShadowMaterial,
  Sprite,
  SpriteMaterial,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";
import { RoundedBoxGeometry } from "three/examples/jsm/geometries/RoundedBoxGeometry.js";
import { cellName, type Standing } from "./model";
import { DEPTH, WIDTH } from "./rules";
import { type Insets, Orbit } from "./orbit";
import { boardFace, faceOf, letterFace, markFace, spotFace, woodFace } from "./textures";

/** What is to be drawn. */
export interface Picture {
  boxes: Standing[];
  /** Boxes that begin above so many layers are shown as outlines. */
  layers: number;
  /** How many layers are full. */
  complete: number;
  ghost: { box: Standing; fits: boolean } | undefined;
  spots: Standing[];
}

/** A point on the pile in cells of the pallet, and how high it is. */
export interface Point {
  x: number;
  y: number;
  level: number;
}

const GAP_CELLS = 0.035; // between two boxes
const FALL_MS = 480;
const FLASH_MS = 600;

export class Pallet3D {
  readonly orbit = new Orbit();
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly pile = new Group();
  private readonly outlines = new Group();
  private readonly spots = new Group();
  private readonly ghost = new Group();
  private readonly letters = new Group();
  private readonly ground = new ShadowMaterial({ opacity: 0.32 });
  private readonly base: Mesh;
  private readonly ray = new Raycaster();
  private readonly marks = [false, true].map((fits) => markFace(fits));
  private readonly spot = new MeshBasicMaterial({ map: spotFace(), transparent: true });
  private readonly spotBehind = new MeshBasicMaterial({
    map: this.spot.map,
    transparent: true,
    opacity: 0.28,
    depthTest: false,
  });
  private falling: { mesh: Object3D; to: number; from: number; begin: number }[] = [];
  private flashes: { line: LineSegments<EdgesGeometry, LineBasicMaterial>; begin: number }[] = [];
  private corners: Vector3[] = [];
  private shown = { key: "", boxes: 0, complete: 0 };
  private frame = 0;
  private last = 0;
  private ink = "";

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly isStill: () => boolean,
  ) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.shadowMap.autoUpdate = false; // shadows stay while only the eye moves
    this.light();
    this.base = this.buildPallet();
    this.scene.add(this.pile, this.outlines, this.spots, this.ghost, this.letters);
  }

  // What is seen

  /** Draw this. If it is news, boxes that were not there before fall into their places. */
  show(picture: Picture, isNews: boolean): void {
    const key = JSON.stringify([picture.boxes, picture.layers]);
    if (key === this.shown.key) return;
    const before = this.shown;
    this.shown = { key, boxes: picture.boxes.length, complete: picture.complete };
    const moves = isNews && before.key !== "" && !this.isStill();
    this.settle();
    empty(this.pile);
    empty(this.outlines);
    picture.boxes.forEach((box, i) => {
      if (box.level >= picture.layers) {
        this.outlines.add(outline(box, "#8a6a44", 0.5));
        return;
      }
      const mesh = solid(box);
      this.pile.add(mesh);
      if (moves && i >= before.boxes) this.drop(mesh);
    });
    for (let layer = before.complete; moves && layer < picture.complete; layer++) this.flash(layer);
    this.corners = picture.boxes.flatMap(topCorners);
    this.hold(picture);
    this.wake();
  }

  /** Show the box that is held, and where it may stand. */
  hold({ ghost, spots }: Pick<Picture, "ghost" | "spots">): void {
    this.renderer.shadowMap.needsUpdate = true;
    empty(this.ghost);
    empty(this.spots);
    this.orbit.show([...this.corners, ...spots.flatMap(topCorners)]);
    const plane = new PlaneGeometry(0.42, 0.42).rotateX(-Math.PI / 2);
    for (const box of spots) {
      for (const material of [this.spotBehind, this.spot]) {
        const mesh = new Mesh(plane, material);
        mesh.position.copy(middle(box)).setY(box.level + 0.025);
        mesh.renderOrder = 2;
        this.spots.add(mesh);
      }
    }
    if (ghost) {
      const colour = ghost.fits ? "#17663a" : "#9c1c1b";
      this.ghost.add(solid(ghost.box, ghost.fits ? 0.8 : 0.5), outline(ghost.box, colour, 1));
      const mark = new Sprite(
        new SpriteMaterial({ map: this.marks[+ghost.fits] ?? null, depthTest: false }),
      );
      mark.position.copy(middle(ghost.box)).setY(ghost.box.level + ghost.box.height + 0.45);
      mark.scale.setScalar(0.6);
      mark.renderOrder = 4;
      this.ghost.add(mark);
    }
    this.wake();
  }

  /** A golden line runs around a layer that has become complete. */
  private flash(layer: number): void {
    const box = { x: 0, y: 0, level: layer, width: WIDTH, depth: DEPTH, height: 1 };
    const line = outline({ ...box, shape: -1, colour: -1 }, "#f0b429", 1);
    line.scale.set(1.03, 1, 1.03);
    this.scene.add(line);
    this.flashes.push({ line, begin: performance.now() });
  }

  /** The inks of the page's theme, for the letters around the pallet. */
  theme(ink: string, isDark: boolean): void {
    this.ground.opacity = isDark ? 0.42 : 0.28;
    if (ink !== this.ink) {
      this.ink = ink;
      empty(this.letters);
      for (let x = 0; x < WIDTH; x++) {
        this.letter(cellName(x, 0).slice(0, 1), x - 2.5, 2.42);
        this.letter(cellName(x, 0).slice(0, 1), x - 2.5, -2.42);
      }
      for (let y = 0; y < DEPTH; y++) {
        this.letter(String(y + 1), -3.38, 1.5 - y);
        this.letter(String(y + 1), 3.38, 1.5 - y);
      }
    }
    this.wake();
  }

  resize(width: number, height: number, insets: Insets): void {
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio));
    this.renderer.setSize(width, height, false);
    this.orbit.resize(width, height, insets);
    this.wake();
  }

  // Where a finger or a mouse points

  pick(clientX: number, clientY: number): Point | undefined {
    this.aim(clientX, clientY);
    const hit = this.ray.intersectObjects([...this.pile.children, this.base], false)[0];
    if (!hit) return undefined;
    const inside = hit.point.clone().addScaledVector(hit.face?.normal ?? new Vector3(), -0.02);
    const x = inside.x + WIDTH / 2;
    const y = DEPTH / 2 - inside.z;
    return x < 0 || x > WIDTH || y < 0 || y > DEPTH ? undefined : { x, y, level: hit.point.y };
  }

  hitsGhost(clientX: number, clientY: number): boolean {
    this.aim(clientX, clientY);
    return (
      this.ray.intersectObjects(
        this.ghost.children.filter((part) => part instanceof Mesh),
        false,
      ).length > 0
    );
  }

  private aim(clientX: number, clientY: number): void {
    const room = this.canvas.getBoundingClientRect();
    const at = new Vector2(
      ((clientX - room.left) / room.width) * 2 - 1,
      1 - ((clientY - room.top) / room.height) * 2,
    );
    this.ray.setFromCamera(at, this.orbit.camera);
  }

  // Motion: frames are drawn only while something moves

  wake(): void {
    if (this.frame === 0) this.frame = requestAnimationFrame((now) => this.draw(now));
  }

  private draw(now: number): void {
    const elapsed = Math.min(50, now - this.last);
    this.last = now;
    this.frame = 0;
    let moves = this.orbit.step(this.isStill() ? 1 : 1 - Math.exp(-elapsed / 70));
    for (const { mesh, to, from, begin } of this.falling) {
      const part = Math.min(1, Math.max(0, (now - begin) / FALL_MS));
      mesh.position.y = to + (from - to) * (1 - bounce(part));
      moves = moves || part < 1;
    }
    if (this.falling.length > 0) this.renderer.shadowMap.needsUpdate = true;
    this.falling = this.falling.filter(({ begin }) => now - begin < FALL_MS);
    for (const { line, begin } of this.flashes) {
      const part = (now - begin) / FLASH_MS;
      line.material.opacity = Math.max(0, Math.sin(Math.min(1, part) * Math.PI));
      if (part >= 1) this.scene.remove(line);
    }
    this.flashes = this.flashes.filter(({ begin }) => now - begin < FLASH_MS);
    moves = moves || this.flashes.length > 0;
    this.renderer.render(this.scene, this.orbit.camera);
    if (moves) this.wake();
  }

  private drop(mesh: Object3D): void {
    const to = mesh.position.y;
    mesh.position.y = to + 2.4;
    this.falling.push({ mesh, to, from: to + 2.4, begin: performance.now() });
  }

  private settle(): void {
    for (const { mesh, to } of this.falling) mesh.position.y = to;
    this.falling = [];
  }

  dispose(): void {
    cancelAnimationFrame(this.frame);
    this.frame = -1;
    for (const group of [this.pile, this.outlines, this.spots, this.ghost, this.letters]) {
      empty(group);
    }
    this.renderer.dispose();
  }

  // The stage

  private light(): void {
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
    this.scene.add(sun, sky, fill, new AmbientLight("#ffffff", 0.35));
  }

  private buildPallet(): Mesh {
    const wood = new MeshStandardMaterial({ map: woodFace(), roughness: 0.85 });
    const board = new MeshStandardMaterial({ map: boardFace(WIDTH), roughness: 0.85 });
    const put = (size: [number, number, number], at: [number, number, number], top = wood) => {
      const mesh = new Mesh(new RoundedBoxGeometry(...size, 2, 0.03), [
        wood,
        wood,
        top,
        wood,
        wood,
        wood,
      ]);
      mesh.position.set(...at);
      mesh.castShadow = true;
      mesh.receiveShadow = true;
      this.scene.add(mesh);
    };
    for (let y = 0; y < DEPTH; y++) put([6.1, 0.16, 0.95], [0, -0.08, 1.5 - y], board);
    for (const x of [-2.7, 0, 2.7]) put([0.5, 0.34, 4], [x, -0.33, 0]);
    for (const z of [-1.7, 0, 1.7]) put([6.1, 0.12, 0.55], [0, -0.56, z]);
    const table = new Mesh(new PlaneGeometry(60, 60).rotateX(-Math.PI / 2), this.ground);
    table.position.y = -0.62;
    table.receiveShadow = true;
    this.scene.add(table);
    const base = new Mesh(new PlaneGeometry(WIDTH, DEPTH).rotateX(-Math.PI / 2));
    base.visible = false;
    this.scene.add(base);
    return base;
  }

  private letter(text: string, x: number, z: number): void {
    const material = new MeshBasicMaterial({ map: letterFace(text, this.ink), transparent: true });
    const mesh = new Mesh(new PlaneGeometry(0.55, 0.55).rotateX(-Math.PI / 2), material);
    mesh.position.set(x, -0.6, z);
    this.letters.add(mesh);
  }
}

/** The middle of a box as the scene counts: columns to the right, rows away from the eye. */
function middle({ x, y, level, width, depth, height }: Standing): Vector3 {
  return new Vector3(x + (width - WIDTH) / 2, level + height / 2, (DEPTH - depth) / 2 - y);
}

function topCorners(box: Standing): Vector3[] {
  const top = middle(box).setY(box.level + box.height);
  return [-0.5, 0.5].flatMap((i) =>
    [-0.5, 0.5].map((j) => top.clone().add(new Vector3(i * box.width, 0, j * box.depth))),
  );
}

function solid(box: Standing, opacity = 1): Mesh {
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

function outline(box: Standing, colour: string, opacity: number) {
  const edges = new EdgesGeometry(new BoxGeometry(box.width, box.height, box.depth));
  const ink = new LineBasicMaterial({ color: colour, opacity, transparent: true });
  const line = new LineSegments(edges, ink);
  line.position.copy(middle(box));
  line.renderOrder = 3;
  return line;
}

function empty(group: Group): void {
  for (const part of group.children) {
    if (part instanceof Mesh || part instanceof LineSegments) {
      part.geometry.dispose();
      const materials: Material[] = Array.isArray(part.material) ? part.material : [part.material];
      for (const material of materials) material.dispose();
    }
  }
  group.clear();
}

/** Falls, then springs back once and a little. */
function bounce(part: number): number {
  if (part < 0.62) return (part / 0.62) ** 2;
  if (part < 0.86) return 1 - 0.09 * (1 - ((part - 0.74) / 0.12) ** 2);
  return 1 - 0.02 * (1 - ((part - 0.93) / 0.07) ** 2);
}
