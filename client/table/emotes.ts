/**
 * How bots react to what happens: with a face now and then, by their character, at most once a
 * round. They know nothing but the facts that this page is told, and every page that is told the
 * same shows the same.
 */
import type { Fact, REACTIONS } from "../messages";

type Face = (typeof REACTIONS)[number];
type Mood = "glad" | "sad" | "amazed";

interface Character {
  /** How many of a hundred occasions make it react. */
  lively: number;
  faces: Record<Mood, Face>;
}

const CHARACTERS: Record<string, Character> = {
  novice: { lively: 70, faces: { glad: "🎉", sad: "😢", amazed: "😮" } },
  regular: { lively: 50, faces: { glad: "😂", sad: "😢", amazed: "😮" } },
  expert: { lively: 35, faces: { glad: "👏", sad: "🤔", amazed: "😮" } },
  master: { lively: 25, faces: { glad: "👏", sad: "😮", amazed: "🤔" } },
};
const WHIMSICAL: Character = { lively: 60, faces: { glad: "😂", sad: "😂", amazed: "🎉" } };

const MOODS: Record<string, Mood> = {
  award: "glad",
  gain: "glad",
  penalty: "sad",
  loss: "sad",
  cancel: "amazed",
};

export interface Emote {
  seat: number;
  face: Face;
}

export class Emotes {
  private quiet = false; // there was one in this round
  private chapter = -1;
  private turns = 0; // since the round began, in games that count no rounds

  /** `match` names the match for everyone who looks at it. */
  constructor(readonly match: string) {}

  /** What a bot does about a fact; `levels` are those of the seats, "" for people. */
  hear(fact: Fact, levels: string[]): Emote | undefined {
    this.follow(fact, levels.length);
    const mood = moodOf(fact);
    if (mood === undefined || this.quiet) return undefined;
    const seat = concerned(fact, levels.length).find((each) =>
      this.reacts(fact, each, levels[each] ?? ""),
    );
    if (seat === undefined) return undefined;
    this.quiet = true;
    return { seat, face: characterOf(levels[seat] ?? "").faces[mood] };
  }

  /** A round ends with its chapter, or when everyone has had a turn. */
  private follow({ kind, chapter, values }: Fact, seats: number): void {
    const isTurn = (kind === "turn" || kind === "begin") && typeof values["seat"] === "number";
    if (isTurn) this.turns += 1;
    if (chapter === this.chapter && this.turns <= seats) return;
    this.chapter = chapter;
    this.turns = isTurn ? 1 : 0;
    this.quiet = false;
  }

  private reacts({ chapter, key, values }: Fact, seat: number, level: string): boolean {
    if (level === "") return false;
    const occasion = [this.match, chapter, key, JSON.stringify(values), seat].join("/");
    return spread(occasion) % 100 < characterOf(level).lively;
  }
}

/** Who has called is glad or sad when the call has been judged, not before. */
function moodOf({ kind, key }: Fact): Mood | undefined {
  if (kind === "verdict") return key === "right" ? "glad" : "sad";
  return MOODS[kind];
}

const characterOf = (level: string): Character => CHARACTERS[level] ?? WHIMSICAL;

/** The seats that a fact is about: all of them if it names none, as what a team has achieved. */
function concerned({ values }: Fact, count: number): number[] {
  const { seat, seats } = values as { seat?: number; seats?: number[] };
  return seats ?? (seat === undefined ? Array.from({ length: count }, (_, i) => i) : [seat]);
}

/** A number for a text, the same everywhere: FNV-1a. */
function spread(text: string): number {
  let sum = 0x811c9dc5;
  for (const letter of text) sum = Math.imul(sum ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return sum >>> 7; // the lowest bits mix least
}
