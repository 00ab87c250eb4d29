/** The pallet in three dimensions. Loaded only when it is looked at: it brings three.js along. */
import {
  type EdgesGeometry,
  Group,
  type LineBasicMaterial,
  type LineSegments,
  Mesh,
  MeshBasicMaterial,
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
import { empty, middle, outline, solid, topCorners } from "./meshes";
import type { Standing } from "./model";
import { DEPTH, WIDTH } from "./rules";
import { type Insets, Orbit } from "./orbit";
import { Pace } from "./pace";
import { floor, letters, lights, woodenPallet } from "./stage";
import { markFace, spotFace } from "./textures";

/** What is to be drawn. */
export interface Picture {
  boxes: Standing[];
  /** Boxes that begin above this many layers are shown as outlines. */
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
  /** What a pointer hits where no box stands. */
  private readonly base = new Mesh(new PlaneGeometry(WIDTH, DEPTH).rotateX(-Math.PI / 2));
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
  private isMoving = false;
  private readonly pace = new Pace();
  private ink = "";

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly isStill: () => boolean,
    /** Even with few pixels, frames come too slowly. */
    private readonly giveUp: () => void,
  ) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.shadowMap.autoUpdate = false; // shadows stay while only the eye moves
    this.base.visible = false;
    this.scene.add(...lights(), ...woodenPallet(), floor(this.ground), this.base);
    this.scene.add(this.pile, this.outlines, this.spots, this.ghost, this.letters);
  }

  // What is seen

  /** Draw this. If it is news, new boxes fall into their places and new layers light up. */
  show(picture: Picture, isNews: boolean): void {
    const key = JSON.stringify([picture.boxes, picture.layers]);
    const before = this.shown;
    this.shown = { key, boxes: picture.boxes.length, complete: picture.complete };
    const moves = isNews && before.key !== "" && !this.isStill();
    if (key !== before.key) this.pileUp(picture, moves ? before.boxes : Infinity);
    for (let layer = before.complete; moves && layer < picture.complete; layer++) this.flash(layer);
    this.wake();
  }

  /** Stand the boxes on the pallet; those from the number `fresh` on fall into their places. */
  private pileUp(picture: Picture, fresh: number): void {
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
      if (i >= fresh) this.drop(mesh);
    });
    this.corners = picture.boxes.flatMap(topCorners);
    this.hold(picture);
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
      this.letters.add(...letters(ink));
    }
    this.wake();
  }

  resize(width: number, height: number, insets: Insets): void {
    this.renderer.setSize(width, height, false);
    this.sharpen();
    this.orbit.resize(width, height, insets);
    this.wake();
  }

  private sharpen(): void {
    this.renderer.setPixelRatio(Math.min(this.pace.ratio, window.devicePixelRatio));
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
    if (this.isMoving && this.pace.isTooSlow(now - this.last)) {
      this.sharpen();
      if (this.pace.isHopeless) this.giveUp();
    }
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
    this.isMoving = moves;
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
}

/** Falls, then springs back once and a little. */
function bounce(part: number): number {
  if (part < 0.62) return (part / 0.62) ** 2;
  if (part < 0.86) return 1 - 0.09 * (1 - ((part - 0.74) / 0.12) ** 2);
  return 1 - 0.02 * (1 - ((part - 0.93) / 0.07) ** 2);
}
