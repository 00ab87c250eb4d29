/** Watches how fast frames follow each other, and says when a picture should get coarser. */

const SLOW_MS = 50; // from frame to frame: less than 20 in a second
const PAUSE_MS = 1000; // the page was away, and not slow
const FRAMES = 15; // are looked at before anything changes

/** Pixels of the picture for one of the page, best first. */
export const RATIOS = [2, 1, 0.6] as const;

export class Pace {
  /** How often the picture has become coarser. */
  level = 0;
  private times: number[] = [];

  /** So long after the last frame comes this one; true if the picture should change. */
  isTooSlow(elapsed: number): boolean {
    if (elapsed > PAUSE_MS) return false;
    this.times.push(elapsed);
    if (this.times.length < FRAMES) return false;
    const usual = this.times.sort((a, b) => a - b)[Math.floor(FRAMES / 2)] ?? 0;
    this.times = [];
    if (usual <= SLOW_MS) return false;
    this.level += 1;
    return true;
  }

  /** Fewer pixels have not helped. */
  get isHopeless(): boolean {
    return this.level >= RATIOS.length;
  }

  get ratio(): number {
    return RATIOS[Math.min(this.level, RATIOS.length - 1)] ?? 1;
  }
}
