/** A table as this page sees it: the latest update, the log, the chat, and what may be asked. */
import { connectTo, type Connection, type Log, type Seen, type Status } from "../connection";
import { NOBODY, type BoardModule } from "../board";
import { cueOf } from "../cues";
import { Director, type Scene } from "../director";
import { pulse } from "../haptics";
import {
  type AnyCommand,
  type AtDoor,
  type ChatLine,
  type Fact,
  type Line,
  type MatchInfo,
  type Reply,
  type TableInfo,
} from "../messages";
import { isBot, isHeldBy, isKept } from "../seats";
import { session, t } from "../session.svelte";
import { Shuffle, witnessOf } from "../shuffle";
import { sound } from "../sound";
import { toasts } from "../ui/toasts.svelte";
import type { Witness } from "../verify";
import { figure, isolated, type GameWords } from "../words";
import { forgetTable, keepTable, recallTable } from "./last_known";
import { bestBefore } from "./best";
import { endingSound, headline } from "./result";
import { Speech } from "./speech.svelte";

const TICK_MS = 200;
/** The reply to a move that was not sent. */
export const UNSENT: Reply = { type: "reply", id: "", done: false };

export class Room {
  status = $state<Status>("connecting");
  /** Why the table is gone: "broken", or another word of the server's. */
  reason = $state("");
  update = $state.raw<Seen>();
  /** Why we are not let in, while we are not. */
  door = $state.raw<AtDoor>();
  /** When the table was as it is shown, if that is from an earlier visit: milliseconds since 1970. */
  recalled = $state<number>();
  lines = $state.raw<Line[]>([]);
  chat = $state.raw<ChatLine[]>([]);
  news = $state.raw<Line[]>([]);
  said = $state.raw<ChatLine[]>([]);
  busy = $state(false);
  /** The match begins by itself, as it was asked for in the lobby. */
  isStarting = $state(false);
  /** What is shown: the match as it stands, or one on the way to it with what is told of it. */
  scene = $state.raw<Scene>();
  /** What may be done is about something still to be shown: to act shows it first. */
  isBehind = $state(false);
  /** The match has come to its end before our eyes. */
  hasJustEnded = $state(false);
  /** What lasts of all that was told. */
  history = $state.raw<Fact[]>([]);
  /** Is given every fact when it is told. */
  onFact: (fact: Fact) => void = () => undefined;
  /** What is spoken of all that was told. */
  readonly speech = new Speech();
  /** The move of the hint that is being read. */
  advised = $state<number>();
  /** The match's own time in milliseconds; `alarm` and `deadline` are on its scale. */
  now = $state(0);
  alarm = $state(-1);
  deadline = $state(-1);

  private whole: Fact[] | undefined; // the whole history, once everything has been shown
  private readonly director = new Director({
    show: (scene) => this.present(scene),
    tell: (fact) => this.hear(fact),
    rest: () => {
      if (this.whole) this.history = this.whole;
      this.whole = undefined;
    },
  });
  private readonly connection: Connection;
  private readonly shuffle = new Shuffle((command) => this.connection.request(command));
  private told = 0; // the match that is told
  private losses = 0; // of the connection
  private ahead = 0; // the match's time minus the page's
  private ticker: ReturnType<typeof setInterval> | undefined;

  /** A screen shows the table to the whole room: it has no seat and may ask for nothing. */
  constructor(
    readonly id: string,
    private readonly isScreen = false,
  ) {
    const hooks = {
      onStatus: (status: Status, reason: string) => {
        this.status = status;
        if (status === "lost") this.losses += 1;
        this.reason = reason;
        if (status === "lost" && !this.update && !isScreen) this.recall();
      },
      onUpdate: (update: Seen, log: Log) => this.take(update, log),
      onDoor: (door: AtDoor) => {
        this.door = door;
        forgetTable(this.id);
      },
    };
    this.connection = connectTo(id, hooks, isScreen);
    addEventListener("pagehide", this.keep);
    document.addEventListener("visibilitychange", this.keep);
  }

  get table(): TableInfo | undefined {
    return this.update?.table;
  }

  get match(): MatchInfo | null {
    return this.update?.match ?? null;
  }

  /** The match as it is shown now, which may be on its way to where it stands. */
  get shown(): MatchInfo | null {
    return this.match && (this.scene?.match ?? this.match);
  }

  /** Our public id; null for a visitor without a name. */
  get me(): string | null {
    return this.update?.me ?? null;
  }

  get isHost(): boolean {
    return this.me !== null && this.me === this.table?.host;
  }

  /** The seats played at this device. */
  get mine(): number[] {
    return this.update?.you ?? [];
  }

  /** Our seats that a bot plays for the time being. */
  get kept(): number[] {
    const seats = this.table?.seats ?? [];
    return [...seats.keys()].filter((seat) => {
      const occupant = seats[seat] ?? null;
      return isHeldBy(occupant, this.me) && isKept(occupant);
    });
  }

  /** Who sits where. */
  readonly seats = $derived(this.update?.table.seats ?? []);

  readonly hasBots = $derived(this.seats.some(isBot));

  /** Against bots things are told at the pace that a board asks for, while it is there. */
  pacedBy(board: BoardModule): () => () => void {
    return () => session.withPace((this.hasBots && board.paceWithBots) || "normal");
  }

  /** For whom a match waits, as a sentence; "" if for nobody. */
  waiting({ awaited }: MatchInfo): string {
    const [first] = awaited;
    if (first === undefined) return "";
    if (awaited.length > 1) return t("table.several_think");
    return t("table.thinks_long", { player: this.names[first] ?? "" });
  }

  get names(): string[] {
    return this.seats.map((occupant, seat) =>
      isolated(occupant?.name ?? t(".seat", { number: seat + 1 })),
    );
  }

  /** Who has won and by what; "" before. */
  get headline(): string {
    const { match, table, words } = this;
    if (!match?.over || !table || !words) return "";
    return headline(match, this.names, table.options, words, session.language);
  }

  /** What our score is to the best one on this device, for a player who plays alone. */
  readonly record = $derived.by(() => {
    const { match, table, mine } = this;
    const score = match?.scores[0] ?? null;
    if (!match?.over || !table || table.seats.length !== 1 || mine.length === 0 || score === null)
      return undefined;
    const best = bestBefore(table.game, table.options, `${table.id}/${table.match}`, score);
    const key = best === null ? "first_score" : score > best ? "new_best" : "";
    return { best, key: key || (score === best ? "same_best" : "best") };
  });

  get hasNewBest(): boolean {
    return this.record?.key === "new_best";
  }

  get bestText(): string {
    const { record } = this;
    return record ? t(`over.${record.key}`, { best: figure(record.best ?? 0) }) : "";
  }

  /** Our seat is awaited now. */
  get isOurTurn(): boolean {
    const match = this.match;
    return !!match && !match.over && match.awaited.some((seat) => this.mine.includes(seat));
  }

  /** Ask the server; a refusal is shown in words. */
  async request(command: AnyCommand): Promise<Reply> {
    const losses = this.status === "lost" ? -1 : this.losses;
    // What is recalled may have changed long ago: nobody means to act on it once we are back.
    const reply =
      this.recalled === undefined
        ? await this.connection.request(command)
        : { ...UNSENT, error: t("offline.text") };
    const isLate = command.do === "play" && this.recalled === undefined && losses !== this.losses;
    if (!reply.done) this.explain(reply, isLate);
    return reply;
  }

  /** Make a move; while what it is about is still to be shown, show that and make none. */
  async play(move: number): Promise<Reply> {
    pulse("play");
    const { isBehind } = this;
    this.director.skip();
    if (isBehind) return UNSENT;
    this.busy = true;
    try {
      return await this.request({ do: "play", move, seat: this.match?.viewer ?? null });
    } finally {
      this.busy = false;
    }
  }

  /** Sit down; a visitor is asked for a name first. */
  async sit(seat: number | null = null, name = ""): Promise<void> {
    const before = session.me;
    const me = await session.known();
    if (!me) return;
    if (!before) this.connection.reopen();
    await this.request({ do: "sit", seat, name });
  }

  /** Sit down as the guest that we have just become. */
  async sitAsNewcomer(): Promise<void> {
    this.connection.reopen();
    await this.request({ do: "sit", seat: null, name: "" });
  }

  /** Ask the host to be let in, as the guest that we have just become. */
  knock(): void {
    this.connection.reopen();
  }

  /** What this page has seen of a shuffle itself. Players who have left have no part in it. */
  witness(commitment: string): Witness {
    const { id = "", match = 0 } = this.table ?? {};
    const { seed, ...seen } = witnessOf(id, match, commitment);
    const isSeated = this.seats.some((occupant) => isHeldBy(occupant, this.me));
    return { ...seen, seed: isSeated ? seed : "" };
  }

  look(seat: number): void {
    this.connection.look(seat);
  }

  /** Show the end of what is being told. */
  skip(): void {
    this.director.skip();
  }

  /** Have the board told as text in this language; "" if the page draws it. */
  askForPlain(language: string): void {
    this.connection.askForPlain(language);
  }

  close(): void {
    removeEventListener("pagehide", this.keep);
    document.removeEventListener("visibilitychange", this.keep);
    this.keep();
    this.director.stop();
    clearInterval(this.ticker);
    this.connection.close();
  }

  /** A move that was late because the connection was lost broke no rule. */
  private explain(reply: Reply, isLate: boolean): void {
    sound("refuse");
    pulse("refuse");
    if (isLate) {
      toasts.show(t("table.not_arrived"), true);
      return;
    }
    const { words } = this;
    const key = reply.reason ?? "";
    const known = words && key !== "" && words.has("objections", key);
    toasts.show(known ? words.text("objections", key) : refusal(reply), true);
  }

  private readonly keep = (): void => {
    if (this.isScreen || this.door) return; // what it shows is nobody's, and not what a player last saw
    const { update, lines, chat } = this;
    if (!update || this.recalled !== undefined) return;
    // A device that people share must not show the hand of one of them to the next.
    const held = update.table.seats.filter((seat) => isHeldBy(seat, update.me));
    if (held.length > 1) forgetTable(this.id);
    else keepTable(this.id, { at: Date.now(), update, lines, chat });
  };

  /** Without a connection from the start, show what we last knew. */
  private recall(): void {
    const known = recallTable(this.id, session.me?.id ?? null);
    if (!known) return;
    this.recalled = known.at;
    this.update = known.update;
    this.lines = known.lines;
    this.chat = known.chat;
    this.show(known.update);
  }

  private take(update: Seen, log: Log): void {
    this.recalled = undefined;
    this.door = undefined;
    this.shuffle.see(update);
    this.startIfAsked(update.table);
    if (update.match) this.isStarting = false;
    this.update = update;
    this.lines = log.lines;
    this.chat = log.chat;
    this.news = log.news;
    this.said = log.said;
    this.show(update);
    this.ahead = (update.match?.now ?? 0) - performance.now();
    this.now = this.time();
    this.alarm = at(update.match?.alarm ?? -1, this.now);
    this.deadline = at(update.match?.deadline ?? -1, this.now);
    this.tick();
  }

  /** After our part of the shuffle has been sent. */
  private startIfAsked({ id, status }: TableInfo): void {
    const { starting } = session;
    if (starting?.table !== id) return;
    session.starting = undefined;
    if (status === "gathering") void this.startWith(starting.bots);
  }

  /** If all goes well, the match is there before the table is shown without one. */
  private async startWith(bots: string): Promise<void> {
    this.isStarting = true;
    const { done } = await this.request({ do: "start", bots });
    if (!done) this.isStarting = false;
  }

  private show(update: Seen): void {
    const { match, steps = [], history } = update;
    if (!match || update.table.match !== this.told) {
      this.director.clear();
      this.scene = undefined;
      this.history = [];
      this.whole = undefined; // of the match before, if its end was not told to the last
      this.told = update.table.match;
    }
    if (!match) return;
    if (history) this.whole = history;
    this.director.pace = session.pace;
    this.director.play(match, steps);
    if (!isPageVisible()) this.director.skip();
  }

  private present(scene: Scene): void {
    const hasEnded = scene.match.over && this.scene?.match.over === false;
    this.scene = scene;
    this.isBehind = this.director.isBehind;
    if (hasEnded) this.end(scene.match);
    else if (!scene.match.over) this.hasJustEnded = false;
  }

  /** Once, when it happens; the big screen has an end of its own. */
  private end({ winners }: MatchInfo): void {
    this.hasJustEnded = true;
    if (this.isScreen) return;
    const ending = this.hasNewBest ? "win" : endingSound(this.mine, winners);
    sound(ending);
    if (ending !== "take") pulse(ending);
  }

  private hear(fact: Fact): void {
    if (fact.lasting) this.history = [...this.history, fact];
    this.speech.say(this.words?.fact(fact, this.names) ?? "", fact.lasting);
    const cue = cueOf(fact, this.match?.viewer ?? NOBODY);
    if (cue && isPageVisible()) sound(cue);
    this.onFact(fact);
  }

  private get words(): GameWords | undefined {
    return session.words?.game(this.table?.game ?? "");
  }

  private time(): number {
    return performance.now() + this.ahead;
  }

  /** The clock ticks only while something depends on it. */
  private tick(): void {
    const timed = this.deadline >= 0 || session.game(this.table?.game ?? "")?.is_timed;
    const needed = this.match && !this.match.over && timed;
    if (!needed) clearInterval(this.ticker);
    else if (!this.ticker) this.ticker = setInterval(() => (this.now = this.time()), TICK_MS);
    if (!needed) this.ticker = undefined;
  }
}

/** Why the table refuses something, in the reader's language where there are words for it. */
function refusal({ reason = "", error = "" }: Reply): string {
  const key = `refusals.${reason}`;
  return reason !== "" && session.words?.has(key) ? t(key) : error;
}

const isPageVisible = (): boolean => document.visibilityState === "visible";
const at = (left: number, now: number) => (left < 0 ? -1 : now + left);
