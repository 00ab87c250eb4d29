/** How the player looks at the pallet: in 3-D or from above, and how many of its layers. */
import { remembered } from "$client/storage";

const way = remembered("team_up.view", ""); // "flat" or "3d" once the player has chosen

export class Sight {
  isFlat = $state(way.get() === "flat");
  has3d = $state(true);
  /** The player has asked for 3-D, however slow it is. */
  isWanted = $state(way.get() === "3d");
  private most = $state(Infinity);
  /** Layers that are shown: at least one, at most as many as there are. */
  readonly layers = $derived.by(() => Math.min(this.most, Math.max(1, this.highest())));

  constructor(private readonly highest: () => number) {}

  change(): void {
    this.isFlat = !this.isFlat;
    this.isWanted = !this.isFlat;
    way.set(this.isFlat ? "flat" : "3d");
  }

  /** This browser cannot draw in 3-D. */
  fail(): void {
    this.has3d = false;
    this.isFlat = true;
  }

  /** This device draws in 3-D too slowly; the player may still ask for it. */
  giveUp(): void {
    this.isFlat = true;
  }

  /** Show this many layers; all of them go on being all when the pile grows. */
  show(layers: number): void {
    this.most = layers >= this.highest() ? Infinity : layers;
  }

  showAll(): void {
    this.most = Infinity;
  }
}
