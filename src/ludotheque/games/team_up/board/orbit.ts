/** The camera that circles around the pallet: angles in radians, a zoom factor, and what fits. */
import { MathUtils, PerspectiveCamera, Vector3 } from "three";
import { DEPTH, WIDTH } from "./rules";

/** How many pixels other panels cover at the edges of the picture. */
export interface Insets {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

const FIELD_OF_VIEW_DEG = 28; // from the lower to the upper edge
const HALF_WIDTH = WIDTH / 2 + 0.45; // of the pallet with the letters around it
const HALF_DEPTH = DEPTH / 2 + 0.55;
const START = { around: 0.5, above: 0.62, zoom: 1 };

export class Orbit {
  readonly camera = new PerspectiveCamera(FIELD_OF_VIEW_DEG, 1, 1, 200);
  private readonly goal = { ...START };
  private readonly now = { ...START };
  private corners: Vector3[] = [];
  private fit = { away: 0, x: 0, y: 0 }; // the distance at which everything fits, and the middle of the picture
  private size = { width: 1, height: 1 };
  private insets: Insets = { top: 0, right: 0, bottom: 0, left: 0 };

  turn(around: number, above: number): void {
    this.goal.around += around;
    this.goal.above = MathUtils.clamp(this.goal.above + above, 0.08, 1.5);
  }

  zoom(factor: number): void {
    this.goal.zoom = MathUtils.clamp(this.goal.zoom * factor, 0.6, 3);
  }

  reset(): void {
    const turns = Math.round((this.goal.around - START.around) / (2 * Math.PI));
    Object.assign(this.goal, START);
    this.goal.around += turns * 2 * Math.PI;
  }

  /** What is to be seen besides the pallet. */
  show(corners: Vector3[]): void {
    this.corners = corners;
  }

  resize(width: number, height: number, insets: Insets): void {
    this.size = { width, height };
    this.insets = insets;
    this.camera.aspect = width / height;
  }

  /** How many quarter turns the eye has gone around, so that keys go where they point. */
  get quarter(): number {
    return ((Math.round((this.goal.around * 2) / Math.PI) % 4) + 4) % 4;
  }

  /** Come nearer to the goal; false when there. A pace of 1 jumps. */
  step(pace: number): boolean {
    let rest = 0;
    for (const key of ["around", "above", "zoom"] as const) {
      const way = this.goal[key] - this.now[key];
      this.now[key] = Math.abs(way) < 1e-3 ? this.goal[key] : this.now[key] + way * pace;
      rest += Math.abs(this.goal[key] - this.now[key]);
    }
    return this.place(pace) || rest > 0;
  }

  private place(pace: number): boolean {
    const { width, height } = this.size;
    const { top, right, bottom, left } = this.insets;
    const { around, above, zoom } = this.now;
    const target = new Vector3(0, 1, 0);
    const back = new Vector3(
      Math.sin(around) * Math.cos(above),
      Math.sin(above),
      Math.cos(around) * Math.cos(above),
    );
    const tall = Math.tan(MathUtils.degToRad(FIELD_OF_VIEW_DEG / 2));
    const up = tall * Math.max(0.3, (height - top - bottom) / height);
    const aside = ((tall * width) / height) * Math.max(0.3, (width - left - right) / width);
    const points = this.seen(back, target);
    let [near, far] = [6, 90];
    for (let i = 0; i < 18; i++) {
      const away = (near + far) / 2;
      const { wide, high } = extent(points, away);
      if (wide > aside || high > up) near = away;
      else far = away;
    }
    const { x: toX, y: toY } = extent(points, far);
    const goal = { away: far, x: toX, y: toY };
    if (this.fit.away === 0) this.fit = goal;
    let rest = 0;
    for (const key of ["away", "x", "y"] as const) {
      const way = goal[key] - this.fit[key];
      this.fit[key] = Math.abs(way) < 1e-3 ? goal[key] : this.fit[key] + way * pace;
      rest += Math.abs(goal[key] - this.fit[key]);
    }
    const { x, y } = this.fit;
    const away = this.fit.away / zoom;
    this.camera.position.copy(target).addScaledVector(back, away);
    this.camera.lookAt(target);
    const pixels = height / 2 / tall;
    this.camera.setViewOffset(
      width,
      height,
      (right - left) / 2 + x * pixels,
      (bottom - top) / 2 - y * pixels,
      width,
      height,
    );
    return rest > 0;
  }

  /** The outermost points of pallet and pile as the eye sees them: to the right, up, and nearer. */
  private seen(back: Vector3, target: Vector3): Vector3[] {
    const rightward = new Vector3(back.z, 0, -back.x).normalize();
    const upward = new Vector3().crossVectors(back, rightward);
    const points = [...this.corners, new Vector3(0, 2.6, 0)];
    for (const x of [-HALF_WIDTH, HALF_WIDTH]) {
      for (const z of [-HALF_DEPTH, HALF_DEPTH]) points.push(new Vector3(x, -0.6, z));
    }
    return points.map((point) => {
      const from = point.clone().sub(target);
      return new Vector3(from.dot(rightward), from.dot(upward), from.dot(back));
    });
  }
}

/** The middle and the half size of the picture of some points from so far away. */
function extent(points: Vector3[], away: number) {
  const across = points.map((point) => point.x / (away - point.z));
  const upward = points.map((point) => point.y / (away - point.z));
  const [left, right] = [Math.min(...across), Math.max(...across)];
  const [low, high] = [Math.min(...upward), Math.max(...upward)];
  return {
    x: (left + right) / 2,
    y: (low + high) / 2,
    wide: (right - left) / 2,
    high: (high - low) / 2,
  };
}
