/* Written by scripts/write_types.py from the server's messages; do not edit. */

/**
 * Every message there is.
 */
export type Messages =
  | Hello
  | Request
  | Sit
  | Leave
  | Seat
  | GiveBack
  | Replace
  | LetIn
  | Remove
  | Mute
  | ShuffleSeats
  | Set
  | Contribute
  | Start
  | Again
  | Rematch
  | Play
  | Say
  | Ping
  | Update
  | MatchInfo
  | Saying
  | Portion
  | Line
  | ChatLine
  | TableInfo
  | Person
  | Bot
  | Attempt
  | Standing
  | Step
  | Fact
  | PlainBoard
  | PlainMove
  | Door
  | Visitor
  | AtDoor
  | Reply
  | Gone
  | ComeAgain
  | Away
  | Pong
  | NewGuest
  | Guest
  | Newcomer
  | RecoveryLeft
  | Device
  | Recovery
  | PushKey
  | ScreenKey
  | PushSubscription
  | NewTable
  | Hint
  | Warmup
  | Opened
  | TablePage
  | MyTablePage
  | MyTable
  | SharedDeal
  | Proof
  | GameInfo
  | OptionInfo
  | Lesson
  | LessonBeat
  | Picture
  | Address
  | Privacy
  | Problem
  | ClientMessage
  | ServerMessage
  | AnyCommand
  | Occupant;
export type ClientMessage = Hello | Request | Ping;
export type ServerMessage = Update | AtDoor | Reply | Gone | ComeAgain | Away | Pong;
export type AnyCommand =
  | Sit
  | Leave
  | Seat
  | GiveBack
  | Replace
  | LetIn
  | Remove
  | Mute
  | ShuffleSeats
  | Set
  | Contribute
  | Start
  | Again
  | Rematch
  | Play
  | Say;
export type Occupant = Person | Bot;

/**
 * The first message of a client: what it has had so far, and the seat it looks from.
 *
 *     Said again later, it changes the seat: people who share a device look one after the other.
 */
export interface Hello {
  type: "hello";
  match?: number;
  lines?: number;
  chat?: number;
  viewer?: number | null;
  plain?: string;
  screen?: boolean;
  key?: string;
}
/**
 * A command with the client's own number for it: sent twice, it is carried out once.
 */
export interface Request {
  type: "request";
  id: string;
  command:
    | Sit
    | Leave
    | Seat
    | GiveBack
    | Replace
    | LetIn
    | Remove
    | Mute
    | ShuffleSeats
    | Set
    | Contribute
    | Start
    | Again
    | Rematch
    | Play
    | Say;
}
/**
 * Take a seat; without a number the first free one. It carries the player's own name.
 *
 *     A player who has a seat takes one more only for another person at the same device, whose `name`
 *     it carries.
 */
export interface Sit {
  do: "sit";
  seat?: number | null;
  name?: string;
}
/**
 * Give up one's seats, or one of them. While a match is played, a bot keeps it warm.
 */
export interface Leave {
  do: "leave";
  seat?: number | null;
}
/**
 * The host puts a bot into a seat, or empties it (bot = "").
 *
 *     During a match a bot takes over only from a player who has been away for a while: see Replace.
 */
export interface Seat {
  do: "seat";
  seat: number;
  bot: string;
}
/**
 * The host gives a seat that a bot keeps warm back to its player.
 */
export interface GiveBack {
  do: "give_back";
  seat: number;
}
/**
 * Let a bot play for a person who is away, until they come back.
 *
 *     Two minutes after they left, anyone who plays may do so. Before, it takes the votes of all the
 *     others who are present, two at least: this is one.
 */
export interface Replace {
  do: "replace";
  seat: number;
}
/**
 * The host lets in a guest who waits at the door or was sent away.
 *
 *     While the host is not connected, everyone who has a seat may do so.
 */
export interface LetIn {
  do: "let_in";
  guest: string;
}
/**
 * The host sends a guest away from the table or from its door. Bots keep their seats.
 */
export interface Remove {
  do: "remove";
  guest: string;
}
/**
 * The host hides what a guest says from everyone, or no longer.
 */
export interface Mute {
  do: "mute";
  guest: string;
  muted?: boolean;
}
/**
 * The host has everyone's seat drawn by lot.
 */
export interface ShuffleSeats {
  do: "shuffle_seats";
}
/**
 * The host changes the table before a match begins; what is left out stays as it is.
 *
 *     Who may find it and come in, and what may be said there, can be changed at any time.
 */
export interface Set {
  do: "set";
  game?: string | null;
  seats?: number | null;
  options?: {
    [k: string]: unknown;
  } | null;
  is_public?: boolean | null;
  move_seconds?: number | null;
  hints?: string | null;
  asks_host?: boolean | null;
  phrases_only?: boolean | null;
}
/**
 * Add random bytes, 32 hexadecimal digits, to the shuffle that `commitment` binds.
 *
 *     A page does so for its player when it sees the commitment of the next match.
 */
export interface Contribute {
  do: "contribute";
  seed: string;
  commitment: string;
}
/**
 * The host begins the match. Empty seats are filled with bots, of the level `bots` if given.
 *
 *     While the host is not connected, everyone who has a seat may begin.
 */
export interface Start {
  do: "start";
  bots?: string;
}
/**
 * The host clears the table for another match, with the same deal if asked for.
 *
 *     Before a match that replays a deal, it chooses a new deal instead.
 */
export interface Again {
  do: "again";
  same_deal?: boolean;
}
/**
 * Ask for another match with a new deal after one that is over, or take it back.
 *
 *     It begins when the host asks, or everyone who sits at the table and is present has asked.
 */
export interface Rematch {
  do: "rematch";
  wanted?: boolean;
}
/**
 * Make a move, as a number or in notation. Players who hold several seats say which.
 */
export interface Play {
  do: "play";
  move: number | string;
  seat?: number | null;
}
/**
 * A line of chat, a reaction if it is one of REACTIONS, or else one of PHRASES.
 *
 *     A table may allow reactions and phrases only.
 */
export interface Say {
  do: "say";
  text?: string;
  phrase?: string;
}
/**
 * A client asks if the server is there.
 */
export interface Ping {
  type: "ping";
}
/**
 * The table as it stands. `lines` follow those the client said it has, or all if `fresh`.
 *
 *     When a match is over they all come once more, with every move that had been hidden. `table`,
 *     `you` and `me` are left out if they are as they were in the last update of this socket.
 *     `steps` lead from the update before to this one, for a client that had that one. `history` is
 *     all that is kept of the match, for one that had not, or when the match is over.
 */
export interface Update {
  type: "update";
  version: number;
  match: MatchInfo | null;
  fresh: boolean;
  lines: Line[];
  chat: ChatLine[];
  said: number;
  table?: TableInfo | null;
  you?: number[];
  me?: string | null;
  steps?: Step[];
  history?: Fact[] | null;
  plain?: PlainBoard | null;
  door?: Door | null;
}
/**
 * The match as this viewer may see it.
 */
export interface MatchInfo {
  viewer: number;
  view: {
    [k: string]: unknown;
  };
  notes: {
    [k: string]: unknown;
  };
  legal: number[];
  prompt: string;
  awaited: number[];
  over: boolean;
  scores: (number | null)[];
  winners: number[];
  verdict: string;
  decided: Saying | null;
  breakdown: Portion[];
  advised: number[];
  now: number;
  alarm: number;
  deadline: number;
}
/**
 * One sentence: a key of a section of the game's words, and what fills it in, as in a Fact.
 */
export interface Saying {
  key: string;
  values: {
    [k: string]: unknown;
  };
}
/**
 * A part of a score; `key` is one of [breakdown] in the game's words, filled with `count`.
 */
export interface Portion {
  key: string;
  count: number;
  points: number;
}
/**
 * One entry of the log as this viewer may see it: a hidden move is null and has no words.
 *
 *     `key` and `values` say which of the game's words tell it: [moves], or [outcomes] for chance.
 */
export interface Line {
  seat: number;
  move: number | null;
  at: number | null;
  key: string;
  values: {
    [k: string]: unknown;
  };
}
/**
 * What somebody said: `text`, or a phrase of PHRASES; neither if nobody is to read it.
 */
export interface ChatLine {
  guest: string;
  name: string;
  avatar: number;
  text: string;
  phrase: string;
}
/**
 * Everything about the table that everyone may know.
 */
export interface TableInfo {
  id: string;
  code: string;
  game: string;
  options: {
    [k: string]: unknown;
  };
  seats: ((Person | Bot) | null)[];
  host: string;
  has_host: boolean;
  status: string;
  is_public: boolean;
  move_seconds: number;
  asks_host: boolean;
  phrases_only: boolean;
  muted: string[];
  hints: string;
  has_hints: boolean;
  match: number;
  watchers: number;
  has_screen: boolean;
  commitment: string;
  contributors: string[];
  replay: Attempt[] | null;
  wishes: string[];
  is_beginning: boolean;
  series: Standing[];
}
/**
 * A seat that a person holds.
 */
export interface Person {
  kind: "person";
  id: string;
  name: string;
  avatar: number;
  kept_by: string | null;
  stand_in: string | null;
  is_here: boolean;
  shares: boolean;
  is_replaceable: boolean;
  votes: string[];
}
/**
 * A seat that a bot holds.
 */
export interface Bot {
  kind: "bot";
  name: string;
  avatar: number;
  level: string;
  stand_in: string | null;
}
/**
 * A finished match with a given deal: who played, and what they scored.
 */
export interface Attempt {
  names: string[];
  scores: number[];
  is_here: boolean;
}
/**
 * How a player has fared in the matches of a table that can be won.
 */
export interface Standing {
  player: string;
  name: string;
  avatar: number;
  matches: number;
  wins: number;
}
/**
 * Facts to be shown one after the other, and the match after them; null if as in `match`.
 */
export interface Step {
  facts: Fact[];
  view: {
    [k: string]: unknown;
  } | null;
  notes: {
    [k: string]: unknown;
  } | null;
  scores: (number | null)[] | null;
}
/**
 * One thing that happened, as this viewer may know it; `key` is one of the game's [story].
 *
 *     In `values`, `seat` and `seats` stand for players, `by_seat` for pairs of a player and a text.
 */
export interface Fact {
  kind: string;
  key: string;
  values: {
    [k: string]: unknown;
  };
  lasting: boolean;
  chapter: number;
}
/**
 * The viewer's view as a terminal shows it, and the viewer's legal moves.
 */
export interface PlainBoard {
  drawing: string;
  moves: PlainMove[];
}
/**
 * A legal move, in notation too; `key` and `values` say which of the [moves] tell it.
 */
export interface PlainMove {
  move: number;
  notation: string;
  key: string;
  values: {
    [k: string]: unknown;
  };
}
/**
 * Who is around the table, for those who may let people in.
 */
export interface Door {
  waiting: Visitor[];
  watching: Visitor[];
  removed: Visitor[];
}
/**
 * A guest who has no seat.
 */
export interface Visitor {
  id: string;
  name: string;
  avatar: number;
}
/**
 * What is sent in place of updates to a client that is not let in.
 *
 *     `reason` is asked (the host is), name (give one before), or removed.
 */
export interface AtDoor {
  type: "at_door";
  reason: string;
  game: string;
  has_host: boolean;
}
/**
 * The answer to a request: done, or why not; `reason` is a key of the words.
 */
export interface Reply {
  type: "reply";
  id: string;
  done: boolean;
  error?: string;
  reason?: string;
}
/**
 * The server ends the connection and says why.
 */
export interface Gone {
  type: "gone";
  error: string;
  reason?: string;
}
/**
 * This server is about to stop: connect again. It goes on until you are with another one.
 */
export interface ComeAgain {
  type: "come_again";
}
/**
 * The table cannot be reached now. The next update says that it can again.
 */
export interface Away {
  type: "away";
}
/**
 * The answer to a ping.
 */
export interface Pong {
  type: "pong";
}
/**
 * A nickname of up to 24 characters, and the number of a picture.
 */
export interface NewGuest {
  name: string;
  avatar?: number;
}
/**
 * A player.
 */
export interface Guest {
  id: string;
  name: string;
  avatar: number;
}
/**
 * A new player, with the token that proves who they are.
 *
 *     It is for scripts: a page gets a cookie that no script can read, and "" here.
 */
export interface Newcomer {
  id: string;
  name: string;
  avatar: number;
  token: string;
}
/**
 * For how long the last recovery token still works, 0 if none does.
 */
export interface RecoveryLeft {
  seconds: number;
}
/**
 * Something on which a guest is signed in.
 */
export interface Device {
  id: string;
  browser: string;
  system: string;
  created: number;
  seen: number;
  is_this: boolean;
}
/**
 * A personal token that makes another device this player's too, once and for a short time.
 */
export interface Recovery {
  token: string;
}
/**
 * The key with which this server signs its calls, for `PushManager.subscribe`.
 */
export interface PushKey {
  key: string;
}
/**
 * What a big screen says in its hello, so that phones count on it.
 */
export interface ScreenKey {
  key: string;
}
/**
 * Where a browser is called, with the keys that its `PushSubscription` gives, in base64url.
 */
export interface PushSubscription {
  endpoint: string;
  p256dh: string;
  auth: string;
  language: string;
}
/**
 * A table to open; the player who opens it is its host, and sits down unless `sit` is false.
 *
 *     With `deal`, the id of a shared deal, the first match replays it: the deal brings its game and
 *     its options, and `game` must be that game.
 */
export interface NewTable {
  seats?: number | null;
  options?: {
    [k: string]: unknown;
  } | null;
  is_public?: boolean | null;
  move_seconds?: number | null;
  hints?: string | null;
  asks_host?: boolean | null;
  phrases_only?: boolean | null;
  game: string;
  sit?: boolean;
  deal?: string;
}
/**
 * A move that a master would make. `key` and `values` say which of the game's words tell it,
 *     `reason` and `because` which of its [hints] say why.
 */
export interface Hint {
  move: number;
  key: string;
  values: {
    [k: string]: unknown;
  };
  reason: string;
  because: {
    [k: string]: unknown;
  };
}
/**
 * How many steps are done of compiling what a game's strong bots think with.
 */
export interface Warmup {
  done: number;
  total: number;
  is_warm: boolean;
}
export interface Opened {
  id: string;
}
/**
 * Some of the public tables at which someone is present, the newest first.
 */
export interface TablePage {
  tables: TableInfo[];
  next: string;
}
/**
 * Some of the asker's tables, the latest used first.
 */
export interface MyTablePage {
  tables: MyTable[];
  next: string;
}
/**
 * A table at which the asker has seats.
 */
export interface MyTable {
  table: TableInfo;
  you: number[];
  awaited: number[];
  scores: number[];
  winners: number[];
  used: number;
}
/**
 * A deal that others may play too. Nothing here tells what will be dealt.
 */
export interface SharedDeal {
  id: string;
  game: string;
  seats: number;
  options: {
    [k: string]: unknown;
  };
  attempts: Attempt[];
}
/**
 * What proves that nobody chose the draws of a finished match.
 *
 *     The server bound itself by `commitment` before anyone gave a seed. The key of the draws is
 *     HMAC-SHA-256 of the client seeds, one after the other, under the server seed. Each draw is
 *     given as its name, the number of cases and the case drawn, in the order of the log.
 */
export interface Proof {
  commitment: string;
  server_seed: string;
  client_seeds: string[];
  is_replay: boolean;
  draws: [number, number, number][];
}
/**
 * What a host can choose before a match.
 */
export interface GameInfo {
  game: string;
  rules: number;
  seats: number[];
  usual_seats: number;
  age: number | null;
  minutes: number[];
  options: OptionInfo[];
  bots: string[];
  usual_bot: string;
  is_timed: boolean;
  has_chance: boolean;
  is_team: boolean;
  has_hints: boolean;
  lessons: string[];
}
/**
 * `values` lists what may be chosen; null means a whole number from low to high.
 */
export interface OptionInfo {
  name: string;
  default: boolean | number | string;
  values: (boolean | number | string)[] | null;
  low: number;
  high: number;
  is_seat: boolean;
  of_replay: (boolean | number | string)[] | boolean;
}
/**
 * A small match with fixed chance, played by the page alone.
 */
export interface Lesson {
  game: string;
  name: string;
  title: {
    [k: string]: string;
  };
  options: {
    [k: string]: unknown;
  };
  beats: LessonBeat[];
}
/**
 * One thing that a lesson says, on the match as the learner sees it.
 *
 *     `steps` lead to it from the beat before. `ask` is the move to be made before the lesson goes on.
 */
export interface LessonBeat {
  chapter: string;
  say: {
    [k: string]: string;
  };
  opening: {
    [k: string]: string;
  };
  point: string;
  ask: number | null;
  match: MatchInfo;
  steps: Step[];
}
/**
 * What the rules help shows of a chapter of a lesson: a match, and what has just been told.
 */
export interface Picture {
  part: string;
  refused: number | null;
  options: {
    [k: string]: unknown;
  };
  match: MatchInfo;
  facts: Fact[];
}
/**
 * What links to this server begin with that are given to others.
 */
export interface Address {
  origin: string;
}
/**
 * The texts of the page about privacy, by key.
 *
 *     The days are those without use after which tables are deleted; 0 means never.
 */
export interface Privacy {
  keep_finished_days: number;
  keep_abandoned_days: number;
  words: {
    [k: string]: string;
  };
}
/**
 * What was wrong, where, and what was expected.
 */
export interface Problem {
  error: string;
  reason?: string;
}

export const REACTIONS = ["👏", "😂", "😮", "😢", "🤔", "🎉"] as const;
export const PHRASES = ["hello", "good_luck", "your_turn", "one_moment", "well_played", "oops", "thanks", "another"] as const;
export const NAME_LENGTH = 24;
export const CHAT_LENGTH = 300;
export const AVATARS = 24;
export const CHANCE = -1;
export const NOBODY = -2;
