/** HTTP to the server. An error is thrown as a Failure with the server's own sentence. */
import type {
  Address,
  GameInfo,
  Guest,
  Hint,
  Lesson,
  NewGuest,
  NewTable,
  Opened,
  Reply,
} from "./messages";
import type { Device, RecoveryLeft } from "./messages";
import type { MyTablePage, Problem, Proof, Recovery, SharedDeal, TablePage } from "./messages";
import type { Picture, Privacy, PushKey, PushSubscription, ScreenKey, Warmup } from "./messages";
import { reach } from "./reach.svelte";
import type { AllWords, Table } from "./words";

export class Failure extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** The key of the words that explain it, or "". */
    readonly reason = "",
  ) {
    super(message);
  }
}

/** What is said when there is no answer, in the reader's language once that is known. */
export const offline = { text: "offline" };

async function call<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`/api/${path}`, {
    method,
    headers: body ? { "Content-Type": "application/json" } : {},
    body: body ? JSON.stringify(body) : null,
  }).catch(() => {
    reach.lose();
    throw new Failure(0, offline.text);
  });
  reach.hear(response);
  const answer: unknown = await response.json().catch(() => ({}));
  if (!response.ok) {
    const { error, reason } = answer as Partial<Problem>;
    throw new Failure(response.status, error ?? response.statusText, reason);
  }
  return answer as T;
}

export const words = (language: string) => call<AllWords>("GET", `words/${language}`);
export const moreWords = (language: string, section: string) =>
  call<Table>("GET", `words/${language}/${section}`);
export const lesson = (game: string, name: string) =>
  call<Lesson>("GET", `games/${encodeURIComponent(game)}/lessons/${encodeURIComponent(name)}`);
/** What the rules help shows of a game's lessons, by "lesson/chapter". */
export const pictures = (game: string) =>
  call<Record<string, Picture>>("GET", `games/${encodeURIComponent(game)}/pictures`);
/** The key of a table's big screen, for its players. */
export const screenKey = (table: string) =>
  call<ScreenKey>("GET", `tables/${encodeURIComponent(table)}/screen`);
/** The address of this server to give to others. */
export const address = () => call<Address>("GET", "address");
/** After how many days without use tables are deleted here. */
export const privacy = (language: string) => call<Privacy>("GET", `privacy/${language}`);
export const games = () => call<GameInfo[]>("GET", "games");
/** The public tables that follow `after` in the list; "" starts at its beginning. */
export const publicTables = (after: string) =>
  call<TablePage>("GET", `tables?after=${encodeURIComponent(after)}`);
/** The tables at which we have seats, as `publicTables` gives the others. */
export const myTables = (after: string) =>
  call<MyTablePage>("GET", `me/tables?after=${encodeURIComponent(after)}`);
/** Take a table off our list. */
export const forgetTable = (table: string) =>
  call<null>("DELETE", `me/tables/${encodeURIComponent(table)}`);
/** Give up our seats without going to the table. */
export const leave = (table: string) =>
  call<Reply>("POST", `tables/${encodeURIComponent(table)}/commands`, {
    id: `leave-${Date.now()}-${Math.random().toString(36).slice(2, 10)}`,
    command: { do: "leave", seat: null },
  });
export const openTable = (wish: Partial<NewTable> & { game: string }) =>
  call<Opened>("POST", "tables", wish);
/** The table that a spoken code leads to now. */
export const tableOfCode = (code: string) =>
  call<Opened>("GET", `codes/${encodeURIComponent(code)}`);
/** Give the deal of the finished match at a table a link of its own. */
export const shareDeal = (table: string) =>
  call<Opened>("POST", `tables/${encodeURIComponent(table)}/deal`);
export const deal = (id: string) => call<SharedDeal>("GET", `deals/${encodeURIComponent(id)}`);
export const hints = (table: string, seat: number) =>
  call<Hint[]>("POST", `tables/${encodeURIComponent(table)}/hints?seat=${seat}`);
/** How far the adviser of a game is from being ready, once more than `after` steps are done. */
export const warmup = (game: string, after?: number) => {
  const query = after === undefined ? "" : `?after=${after}`;
  return call<Warmup>("GET", `games/${encodeURIComponent(game)}/warmup${query}`);
};
/** What shows that the draws of the finished match at a table were fair. */
export const proof = (table: string) =>
  call<Proof>("GET", `tables/${encodeURIComponent(table)}/proof`);
/** Who we are; null for a visitor without a name. */
export const me = () => call<Guest | null>("GET", "me");
export const enter = (wish: NewGuest) => call<Guest>("POST", "guests", wish);
export const rename = (wish: NewGuest) => call<Guest>("PUT", "me", wish);
/** A personal link for one more device; it ends the one before. */
export const recovery = () => call<Recovery>("POST", "me/recovery");
export const recoveryLeft = () => call<RecoveryLeft>("GET", "me/recovery");
export const revokeRecovery = () => call<null>("DELETE", "me/recovery");
export const devices = () => call<Device[]>("GET", "me/devices");
export const signOut = (device: string) =>
  call<null>("DELETE", `me/devices/${encodeURIComponent(device)}`);
export const signOutOthers = () => call<null>("DELETE", "me/devices?others");
export const signOutEverywhere = () => call<null>("DELETE", "me/devices");
/** Delete everything that is kept of us. */
export const deleteMe = () => call<null>("DELETE", "me");
/** The key with which the server signs its calls. */
export const pushKey = () => call<PushKey>("GET", "push");
/** Be called on this device when it is our turn and we are away. */
export const subscribe = (wish: PushSubscription) => call<null>("PUT", "me/push", wish);
export const unsubscribe = (endpoint: string) => call<null>("DELETE", "me/push", { endpoint });
export const recover = (token: string) => call<Guest>("POST", "recover", { token });
