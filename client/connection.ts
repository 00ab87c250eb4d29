/**
 * The socket to one table, which reconnects by itself.
 *
 * Whatever breaks it (a tunnel, a sleeping phone, a new version of the server), it comes back:
 * with growing pauses, and at once when the page is looked at again or the network returns. A server
 * that is about to stop says so, and is left for another one without a gap. Requests
 * are kept until they are answered and sent again; the server knows their ids and acts once.
 */
import type {
  AnyCommand,
  AtDoor,
  ChatLine,
  Door,
  Line,
  Reply,
  ServerMessage,
  TableInfo,
  Update,
} from "./messages";

/** The part of WebSocket that is needed, so that tests can replace it. */
export interface Socket {
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: (() => void) | null;
  onerror: (() => void) | null;
}

/**
 * connecting: for the first time; open; waiting: to be let in; lost: trying to reconnect; gone:
 * closed for good.
 */
export type Status = "connecting" | "open" | "waiting" | "lost" | "gone";

/** What an update tells only if it has changed. */
export interface Setting {
  table: TableInfo;
  you: number[];
  /** Our public id; null for a visitor without a name. */
  me: string | null;
  /** Who is around the table, for those who may let people in. */
  door?: Door | null;
}

export type Seen = Update & Setting;

export interface Hooks {
  /** `reason` is the server's word for why a table is gone, or "". */
  onStatus: (status: Status, reason: string) => void;
  /** An update, with all lines and chat so far, and those that are new. */
  onUpdate: (update: Seen, log: Log) => void;
  /** We are not let in, or no longer. */
  onDoor?: (door: AtDoor) => void;
}

export interface Log {
  lines: Line[];
  chat: ChatLine[];
  /** Lines to animate: none after a reload or a change of seat. */
  news: Line[];
  /** Chat that came after the first update. */
  said: ChatLine[];
}

const SPREAD_MS = 100; // within which all clients of a server that stops come back, the first time
const FIRST_PAUSE_MS = 400; // before the second attempt; it grows with every further one
const LONGEST_PAUSE_MS = 8_000;
const IDLE_MS = 20_000; // without a message: then ask whether the server is there
const ANSWER_TIMEOUT_MS = 5_000; // of that question, and of a socket that opens

export class Connection {
  private socket: Socket | undefined;
  private next: Socket | undefined; // that replaces it when it opens, as its server is about to stop
  private isNew = true; // nothing has come over the socket yet
  private status: Status = "connecting";
  private pending = new Map<string, { command: AnyCommand; resolve: (reply: Reply) => void }>();
  private attempts = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private lines: Line[] = [];
  private chat: ChatLine[] = [];
  private heard = 0; // lines of chat so far, also those that the server no longer keeps
  private setting: Setting | undefined;
  private match = 0;
  private viewer: number | undefined;
  private seen: number | undefined; // the seat that the lines are told to
  private asked: number | undefined; // the seat to look from, until an update grants it
  private plain = ""; // the language of the board as text
  private greeted = false; // an update has come, ever
  private count = 0;
  private readonly run = Math.random().toString(36).slice(2, 10);

  constructor(
    private readonly connect: () => Socket,
    private readonly hooks: Hooks,
    /** The key of a big screen, "" if it has none; undefined for any other page. */
    private readonly screen?: string,
  ) {
    this.open();
  }

  /** Ask for something. Resolves when the server has answered, over as many sockets as it takes. */
  request(command: AnyCommand): Promise<Reply> {
    const id = `${this.run}-${++this.count}`;
    return new Promise((resolve) => {
      this.pending.set(id, { command, resolve });
      if (this.status === "open") this.sendRequest(id, command);
    });
  }

  /** Look from another of our seats. */
  look(viewer: number): void {
    this.viewer = viewer;
    this.asked = viewer;
    this.match = 0;
    this.lines = [];
    if (this.status === "open") this.hello();
  }

  /** Have the board told as text in this language too; "" for no text. */
  askForPlain(language: string): void {
    if (language === this.plain) return;
    this.plain = language;
    // The log comes whole, so that a line which is on its way now does not come twice.
    if (this.status === "open") this.hello(0);
  }

  /** The page is looked at again, or the network is back: make sure now. */
  wake(): void {
    if (this.status === "open" || this.status === "waiting") this.ask(ANSWER_TIMEOUT_MS / 2);
    else if (this.status !== "gone") this.open();
  }

  /** The browser says that there is no network. */
  sleep(): void {
    if (this.status === "open" || this.status === "waiting") this.lose();
  }

  /** Connect again as the player that the browser's cookie now names. */
  reopen(): void {
    this.forget();
    this.become("connecting");
    this.open();
  }

  private forget(): void {
    this.match = 0;
    this.lines = [];
    this.viewer = undefined;
    this.greeted = false;
    this.seen = undefined;
    this.chat = [];
    this.heard = 0;
  }

  close(): void {
    this.drop();
    this.become("gone");
  }

  private open(): void {
    this.drop();
    const socket = this.connect();
    this.use(socket);
    socket.onopen = () => this.hello();
  }

  /** Open the next socket while the one that is open still serves, so that nobody waits. */
  private move(): void {
    if (this.next) this.end(this.next);
    const next = this.connect();
    this.next = next;
    next.onopen = () => {
      this.next = undefined;
      this.drop();
      this.use(next);
      this.hello();
    };
  }

  private use(socket: Socket): void {
    this.socket = socket;
    this.isNew = true;
    socket.onmessage = (event) => this.receive(JSON.parse(String(event.data)) as ServerMessage);
    socket.onclose = () => this.lose();
    socket.onerror = null;
    this.timer = setTimeout(() => this.lose(), ANSWER_TIMEOUT_MS);
  }

  private drop(): void {
    clearTimeout(this.timer);
    const { socket, next } = this;
    this.socket = this.next = undefined;
    if (socket) this.end(socket);
    if (next) this.end(next);
  }

  private end(socket: Socket): void {
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  private lose(): void {
    this.drop();
    this.become("lost");
    // At once, at first: another node may be there already.
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 1.7 ** (this.attempts - 1));
    const spread =
      this.attempts++ === 0 ? SPREAD_MS * Math.random() : pause * (0.75 + Math.random() / 2);
    this.timer = setTimeout(() => this.open(), spread);
  }

  private become(status: Status, reason = ""): void {
    if (status === this.status) return;
    this.status = status;
    this.hooks.onStatus(status, reason);
  }

  private hello(match = this.match): void {
    const { viewer = null, lines, heard: chat } = this;
    const plain = this.plain === "" ? {} : { plain: this.plain };
    const screen = this.screen === undefined ? {} : { screen: true, key: this.screen };
    this.send({ type: "hello", match, lines: lines.length, chat, viewer, ...plain, ...screen });
  }

  private sendRequest(id: string, command: AnyCommand): void {
    this.send({ type: "request", id, command });
  }

  private send(message: object): void {
    this.socket?.send(JSON.stringify(message));
  }

  private receive(message: ServerMessage): void {
    this.listen();
    if (message.type === "update") this.take(message);
    else if (message.type === "reply") this.settle(message);
    else if (message.type === "at_door") this.stay(message);
    else if (message.type === "come_again") this.move();
    else if (message.type === "away") this.become("lost");
    else if (message.type === "gone") this.leave(message.reason ?? "");
  }

  /** A message came, so the server is there; ask when none has come for a while. */
  private listen(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(ANSWER_TIMEOUT_MS), IDLE_MS);
  }

  /** Any message is a sign of life. */
  private ask(timeoutMs: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.lose(), timeoutMs);
    this.send({ type: "ping" });
  }

  private take(message: Update): void {
    const { table, you = [], me = null, door = null } = message;
    if (table) this.setting = { table, you, me, door };
    if (!this.setting) throw new Error("the first update of a socket tells how the table is set");
    const update: Seen = { ...message, ...this.setting };
    const match = update.match ? update.table.match : 0;
    const viewer = update.match?.viewer;
    const stale = this.asked !== undefined && viewer !== undefined && viewer !== this.asked;
    if (stale && update.you.includes(this.asked as number)) return; // sent before the seat changed
    const begins = this.greeted && this.asked === undefined && match !== this.match;
    const again = update.fresh || match !== this.match;
    // The server sends the whole log again when a match is over; only its end is news.
    const known = match === this.match && viewer === this.seen ? this.lines.length : undefined;
    const unknown = known === undefined ? [] : update.lines.slice(known);
    const news = again && !begins ? unknown : update.lines;
    this.seen = viewer;
    this.asked = undefined;
    const said = this.greeted ? update.chat : [];
    this.lines = again ? update.lines : [...this.lines, ...update.lines];
    this.chat = [...this.chat, ...update.chat];
    this.heard = update.said;
    this.match = match;
    this.viewer = viewer !== undefined && viewer >= 0 ? viewer : this.viewer;
    this.greeted = true;
    this.hooks.onUpdate(update, { lines: this.lines, chat: this.chat, news, said });
    if (this.isNew || this.status !== "open") this.resume();
  }

  /** We wait before the door; what we asked for is asked again once we are let in. */
  private stay(door: AtDoor): void {
    this.attempts = 0;
    this.forget();
    this.become("waiting");
    this.hooks.onDoor?.(door);
  }

  private resume(): void {
    this.attempts = 0;
    this.isNew = false;
    this.become("open");
    for (const [id, { command }] of this.pending) this.sendRequest(id, command);
  }

  private settle(reply: Reply): void {
    const waiting = this.pending.get(reply.id);
    this.pending.delete(reply.id);
    waiting?.resolve(reply);
  }

  /** The server closes: for good if it says why or never let us in; else we try again later. */
  private leave(reason: string): void {
    if (this.greeted && reason === "") {
      this.attempts = Math.max(this.attempts, 3);
      this.lose();
      return;
    }
    this.drop();
    this.become("gone", reason);
  }
}

/**
 * A connection over a real socket that follows whether the page is visible and online. A screen looks
 * on as a visitor without a name, even in a browser that belongs to somebody; the link that players
 * give it carries the key by which their phones count on it.
 */
export function connectTo(table: string, hooks: Hooks, isScreen = false): Connection {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const address = `${scheme}//${location.host}/api/tables/${encodeURIComponent(table)}/socket`;
  const open = () => new WebSocket(address) as unknown as Socket;
  const connection = new Connection(open, hooks, isScreen ? location.hash.slice(1) : undefined);
  const seen = () => document.visibilityState === "visible" && connection.wake();
  const back = () => connection.wake();
  const away = () => connection.sleep();
  document.addEventListener("visibilitychange", seen);
  window.addEventListener("pageshow", back);
  window.addEventListener("online", back);
  window.addEventListener("offline", away);
  const close = connection.close.bind(connection);
  connection.close = () => {
    document.removeEventListener("visibilitychange", seen);
    window.removeEventListener("pageshow", back);
    window.removeEventListener("online", back);
    window.removeEventListener("offline", away);
    close();
  };
  return connection;
}
