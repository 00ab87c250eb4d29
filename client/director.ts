/**
 * Shows what happened one thing after the other.
 *
 * An update brings steps: facts, and the match after them. The director shows the facts of a step on
 * the match as it was before, then goes on to the match after it; what begins is shown on the latter,
 * but with the points of before. It never holds the player up: the moves that are legal now can be
 * made at once, and to make one skips what is left. Only while what they are about is still to be
 * shown is the first tap no move: it shows that.
 */
import type { Fact, MatchInfo, Step } from "./messages";

export type Pace = "calm" | "normal" | "brisk";
export const PACES: Pace[] = ["calm", "normal", "brisk"];

const FACTORS: Record<Pace, number> = { calm: 1.6, normal: 1, brisk: 0.55 };

/** How long a fact of this kind is shown at the normal pace. */
const DURATIONS_MS: Record<string, number> = {
  begin: 700,
  reveal: 1200,
  cancel: 900,
  award: 1700,
  penalty: 1700,
  carry: 1600,
  turn: 1300,
  place: 400,
  gain: 900,
  loss: 1000,
  call: 1200,
  verdict: 1400,
  score: 500,
  vote: 500,
  warning: 1200,
  move: 0,
  note: 0,
};
const OTHER_MS = 600;
const MOST_MS = 9000; // of everything that waits to be shown; more is shown faster

/** What players have to remember: it is never shown faster, however much waits to be shown. */
const REMEMBERED = new Set(["turn"]);

/** What the next move is about: a rule or a stake that begins, a card that was turned. */
const GROUND = new Set(["begin", "turn"]);

/** What the page shows now: the match, and the facts told so far of the step that leads on. */
export interface Scene {
  match: MatchInfo;
  facts: Fact[];
  /** How long the last of these facts is shown. */
  ms: number;
}

export interface Stage {
  show: (scene: Scene) => void;
  /** A fact is told now: speak it, sound it, keep it in the history. */
  tell: (fact: Fact) => void;
  /** Everything has been shown. */
  rest: () => void;
}

interface Act {
  facts: Fact[];
  after: MatchInfo;
}

export class Director {
  pace: Pace = "normal";
  private scene: Scene | undefined;
  private last: MatchInfo | undefined;
  private acts: Act[] = [];
  private told = 0; // facts of the first act
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly stage: Stage) {}

  /** Whether something is still being shown. */
  get isBusy(): boolean {
    return this.timer !== undefined;
  }

  /** Whether what may be done now is about something of which nothing has been shown yet. */
  get isBehind(): boolean {
    return this.acts.slice(1).some(({ facts }) => GROUND.has(facts[0]?.kind ?? ""));
  }

  /** Go on to this state of the match, by these steps; at once if there are none. */
  play(match: MatchInfo, steps: Step[]): void {
    const isOtherSeat = this.scene !== undefined && this.last?.viewer !== match.viewer;
    this.last = match;
    if (isOtherSeat) {
      for (const fact of steps.flatMap((step) => step.facts)) this.stage.tell(fact);
      return this.jump(match);
    }
    this.acts.push(...steps.map((step) => ({ facts: step.facts, after: afterStep(match, step) })));
    const [first] = this.acts;
    if (!first) return this.jump(match);
    this.scene ??= { match: first.after, facts: [], ms: 0 }; // nothing lay there before a match began
    if (!this.isBusy) this.next();
    else this.stage.show((this.scene = { ...this.scene, match: open(this.scene.match, match) }));
  }

  /** Show this state now, and forget what led to it. */
  jump(match: MatchInfo): void {
    this.stop();
    this.last = match;
    this.stage.show((this.scene = { match, facts: [], ms: 0 }));
    this.stage.rest();
  }

  /** The player goes on: tell what is left, and show the end. */
  skip(): void {
    if (!this.isBusy || !this.last) return;
    for (const [place, act] of this.acts.entries()) {
      for (const fact of act.facts.slice(place === 0 ? this.told : 0)) this.stage.tell(fact);
    }
    this.jump(this.last);
  }

  /** There is nothing to show any more. */
  clear(): void {
    this.stop();
    this.scene = undefined;
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.acts = [];
    this.told = 0;
  }

  private next(): void {
    const act = this.acts[0];
    if (!act || !this.scene || !this.last) return this.last && this.jump(this.last);
    const fact = act.facts[this.told];
    if (!fact) return this.turn(act);
    this.told += 1;
    this.stage.tell(fact);
    const shown = isBeginning(act) ? unsettled(act.after, this.scene.match) : this.scene.match;
    const match = open(shown, this.last);
    const ms = this.duration(fact);
    this.stage.show((this.scene = { match, facts: [...this.scene.facts, fact], ms }));
    this.hold(ms);
  }

  /** Time counts from when the page has been drawn: a slow device takes nothing away from it. */
  private hold(ms: number): void {
    this.timer = setTimeout(() => {
      this.timer = setTimeout(() => this.next(), ms);
    });
  }

  /** The match after an act becomes the one on which the next act is shown. */
  private turn(act: Act): void {
    this.acts.shift();
    this.told = 0;
    if (this.acts.length === 0) return this.jump(this.last ?? act.after);
    this.stage.show((this.scene = { match: act.after, facts: [], ms: 0 }));
    this.next();
  }

  private duration(fact: Fact): number {
    const waiting = this.acts.flatMap((act) => act.facts).slice(this.told);
    const left = [fact, ...waiting].reduce((sum, each) => sum + lengthOf(each), 0);
    const haste = REMEMBERED.has(fact.kind) ? 1 : Math.min(1, MOST_MS / left);
    return lengthOf(fact) * FACTORS[this.pace] * haste;
  }
}

/** Whether an act is about what lies there now, and not about what became of something. */
const isBeginning = (act: Act): boolean => act.facts[0]?.kind === "begin";

const lengthOf = (fact: Fact): number => DURATIONS_MS[fact.kind] ?? OTHER_MS;

/** The match after an act whose facts are still to be told: its points are those of before. */
function unsettled(after: MatchInfo, { scores }: MatchInfo): MatchInfo {
  return { ...after, scores, over: false, winners: [], verdict: "" };
}

/** A match as it is shown meanwhile, with the moves that may be made now. */
function open(shown: MatchInfo, now: MatchInfo): MatchInfo {
  const { legal, awaited, prompt, advised, viewer } = now;
  return { ...shown, legal, awaited, prompt, advised, viewer };
}

/** The match after a step: nobody has won yet while more is to be shown. */
function afterStep(match: MatchInfo, step: Step): MatchInfo {
  if (!step.view || !step.notes || !step.scores) return match;
  const { view, notes, scores } = step;
  return { ...match, view, notes, scores, over: false, winners: [], verdict: "" };
}
