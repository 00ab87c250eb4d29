/**
 * What a game's board is given, and what it may do.
 *
 * A board is `src/ludotheque/games/<slug>/board/Board.svelte`, loaded when a table of that game is
 * opened; a game without one gets `table/PlainBoard.svelte`. It draws one view and offers the legal
 * moves. It knows no rules: what may be
 * played is in `legal`, what is hidden is not in `view`, and what follows from the rules (a goal, a
 * verdict, who is out) is told in `notes`.
 *
 *     <script lang="ts">
 *       import type { BoardProps } from "$client/board";
 *       import { CARDS, type Notes, type View } from "./rules";
 *       const { view, viewer, legal, words, play }: BoardProps<View, Notes> = $props();
 *     </script>
 *
 * `rules.ts` is made by scripts/write_types.py from the rules: the types of view and notes, and the
 * constants that the board imports.
 *
 * The page around the board draws: the strip of players (picture, name, score, whose turn, who is
 * away), the prompt, the move clock, the history, the chat, the rules, the result, refusals. The
 * board draws all that lies on the table, and the hand of `viewer`.
 *
 * Room: the board fills a box that is a size container named `board` (`container-type: inline-size`),
 * so ask `@container board (width < 600px)` and not the window. The box is as high as the window
 * allows (`var(--board-height)`), and scrolls if the board is higher: on a phone held upright aim at
 * 360 × 480, on its side at 640 × 260, on a desktop at 900 × 560. Put what the player acts with at
 * the lower edge.
 *
 * Colours, type and distances come from `tokens.css`: `--paper`, `--ink`, `--accent`, `--seat-0` …
 * `--seat-7` with `--on-seat` for text on them, `--step-0` for type, `--space-2` for distances.
 * A colour is never the only sign: add a shape, a letter or a word.
 *
 * The content policy forbids `style="…"` in templates, inline scripts and `eval`: use classes, or
 * `style:left={…}` directives.
 *
 * Keyboard: every move can be made with it. A group of cards is one stop of the Tab key; the arrow
 * keys walk in it (`roving` in `$client/ui/roving` does that), Enter or Space plays. Every element
 * that acts is a `<button>` with a name. `tell` says what a move did, once, in words.
 *
 * Focus: when the element that had it disappears, give it to the next one (`inherit` in
 * `$client/ui/focus`).
 *
 * Updates: compare the view with the one before it in `onUpdate` of `$client/updates.svelte`; what
 * is new is told with `sentences` of `$client/words`.
 *
 * Big screens show the board enlarged and to everyone: nothing on it can be reached, and what only
 * serves to look around or to act is left out if it is marked with `data-controls`. They have the attribute `data-screen` around the
 * board, for what is better laid out in another way when it is seen from afar. Where something
 * flies, `flightBetween` of `$client/ui/flight` knows the way on enlarged pages too.
 *
 * A phone at a table with a big screen has the class `hand-first` around the board, unless its player
 * does not want it: what is marked with `data-point="hand"` comes first there, in a flex box by
 * itself, in a grid by the board's rule.
 *
 * Hints: mark the move `advised` with `Advised` of `$client/ui`. Lessons put the focus there, or on
 * an element with `data-advised`: what makes the move that is held ready.
 *
 * Lessons: `data-point="name"` names a part of the board, to be pointed at and shown in pictures.
 *
 * Motion: animate what `news` brings, in at most 600 ms, never blocking input; if `reducedMotion`
 * is true, show the end at once.
 *
 * A board module may also export from `<script module>`:
 *
 *     export function badge(view: View, seat: number, words: GameWords, notes: Notes): string
 *
 * a few words about a seat that the strip of players shows beside the score ("3 tricks"), or "";
 *
 *     export const paceWithBots: Pace = "calm"
 *
 * how fast it is told what bots do, for players who have not chosen a pace; "normal" if left out;
 *
 *     export const wants = (view: View, viewer: number): Room => "more"
 *
 * how much of a phone held upright the board needs: "more" than usual takes the strip of players away
 * from low windows, "all" takes it away from every one, and lays the prompt over the board in low ones;
 *
 *     export const hasBegun = (view: View): boolean => view.rounds > 0
 *
 * whether the first race of a game on a clock has begun: newcomers have time for a lesson until then.
 */
import type { Component } from "svelte";
import type { Pace } from "./director";
import type { Fact, Line, Occupant, PlainBoard, Reply } from "./messages";
import type { SoundName } from "./sound";
import type { GameWords } from "./words";

export type { Fact, Line, Occupant, Pace, Reply, GameWords, SoundName };

/** CHANCE is a seat in `Line.seat`; NOBODY is the `viewer` of those who only watch. */
export { CHANCE, NOBODY } from "./messages";

export interface BoardProps<View = Record<string, unknown>, Notes = Record<string, unknown>> {
  /** The State of the game's rules.py as JSON, without what `viewer` may not know. */
  view: View;
  /** What the rules say of the view beyond its fields: `notes` of the game's notation.py. */
  notes: Notes;
  /** The seat that this client looks from, or NOBODY. It changes when a device is passed on. */
  viewer: number;
  /** The viewer's legal moves; empty when it is not their turn. */
  legal: number[];
  /** The seats that have to move. */
  awaited: number[];
  over: boolean;
  /** Who sits where; `names` are their names, or "Player 3". */
  seats: (Occupant | null)[];
  names: string[];
  /** One number a seat, null where the viewer does not know it. */
  scores: (number | null)[];
  winners: number[];
  /** The game's words in the page's language: `words.board("stake")`, `words.text(section, key, {…})`. */
  words: GameWords;
  options: Record<string, unknown>;
  /**
   * What has been told so far of what leads from `view` to the next one, oldest first; empty when
   * nothing is being shown. The page prints and speaks the sentences; the board shows them.
   */
  facts: Fact[];
  /** How long the last of these facts is shown, in milliseconds: what moves for it ends by then. */
  factMs: number;
  /**
   * The lines of the log that came with this update, oldest first, to be animated; empty after a
   * reload or a change of seat. `lines` is the whole log as this viewer was told it.
   */
  news: Line[];
  lines: Line[];
  /** A number that grows with every update: use it as a key of effects. */
  version: number;
  /**
   * For timed games, in milliseconds since the match began, the scale of the times in the view:
   * `now` ticks, `alarm` is when chance acts by itself (−1 for never), so `alarm - now` is left.
   */
  now: number;
  alarm: number;
  /**
   * Make a move. Resolves when the server has answered; a refusal is shown by the page in the
   * game's own words, so a board only looks at `done` if it has something to put back. While what
   * the move is about is still to be shown, the page shows it, and no move is made.
   */
  play: (move: number, isSure?: boolean) => Promise<Reply>;
  /**
   * The move that a first press has selected: mark it, and `play` it when it is pressed again. If
   * `confirms` is true the player wants that for every move, and the page sees to it: `play` holds
   * a move that is not held yet. A board that has a second step of its own says `isSure`. Where
   * targets are small, a board may `hold` what a finger touches first; the prompt then says so.
   */
  held?: number | undefined;
  hold?: ((move: number) => void) | undefined;
  confirms?: boolean;
  /**
   * Show the end of what is being told. `play` does so; call it when a player begins a move that
   * takes several actions.
   */
  skip: () => void;
  /**
   * The move that a master advises, while the player reads why; mark it where it would be made, or
   * hold ready what it needs, but play nothing.
   */
  advised: number | undefined;
  /** True while a move of this client is under way: keep the controls, but show it. */
  busy: boolean;
  sound: (name: SoundName) => void;
  /** Let a screen reader say this, politely, once. The lines of the log are told by the page. */
  tell: (text: string) => void;
  reducedMotion: boolean;
  /** The view as text and the legal moves in words; only for games without a board of their own. */
  plain: PlainBoard | undefined;
}

/** A module of a board as it is loaded. Only the board itself knows the type of its view. */
export interface BoardModule {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  default: Component<BoardProps<any, any>>;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  badge?: (view: any, seat: number, words: GameWords, notes: any) => string;
  paceWithBots?: Pace;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  wants?: (view: any, viewer: number) => Room;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  hasBegun?: (view: any) => boolean;
}

/** How much room a board needs on a phone held upright. */
export type Room = "usual" | "more" | "all";
