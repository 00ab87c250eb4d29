/** What the whole page shares: who we are, the games, the language, the look. */
import * as api from "./api";
import { AVATARS, type GameInfo, type Guest } from "./messages";
import type { Pace } from "./director";
import { reach } from "./reach.svelte";
import { parse, type Route } from "./router";
import * as haptics from "./haptics";
import * as sounds from "./sound";
import { remembered } from "./storage";
import { PageWords, type Values } from "./words";

export const LANGUAGES = { fr: "Français", en: "English", de: "Deutsch" } as const;
export type Language = keyof typeof LANGUAGES;
export type Theme = "auto" | "light" | "dark";

const keptLanguage = remembered("language", "");
const keptTheme = remembered("theme", "auto");
const keptPace = remembered("pace", "");
const keptEmotes = remembered("bots-react", "yes");
const keptConfirm = remembered("confirm-moves", "no");
const keptHandFirst = remembered("hand-first", "yes");
const keptGuest = remembered("guest", "");

class Session {
  private readonly sections = new Set<string>(); // of words that have been asked for
  words = $state.raw<PageWords>();
  language = $state<Language>(firstLanguage());
  theme = $state(keptTheme.get() as Theme);
  muted = $state(sounds.isMuted());
  hasHaptics = $state(haptics.hasHaptics());
  botsReact = $state(keptEmotes.get() === "yes");
  /** A first press selects a move, a second one plays it. */
  confirmsMoves = $state(keptConfirm.get() === "yes");
  /** A phone begins with the hand where a big screen shows the table. */
  handFirst = $state(keptHandFirst.get() === "yes");
  private usualPace = $state<Pace>("normal");
  private chosenPace = $state(keptPace.get() as Pace | "");
  /** How fast the page tells what happens: as chosen, or as is usual where we are. */
  readonly pace = $derived(this.chosenPace || this.usualPace);
  private guest = $state.raw<Guest | null>(lastGuest());
  private isSure = false; // the server has said who we are
  games = $state.raw<GameInfo[]>([]);
  /** All is there that a page is made of; before that it would have to be laid out again. */
  isReady = $state(false);
  route = $state.raw<Route>(parse(location.pathname, location.search));
  problem = $state("");
  /** Another page than the first is shown. */
  hasMoved = false;
  /** The match that is to begin as soon as its table is there, with bots of this level. */
  starting: { table: string; bots: string } | undefined;
  /** Says who we are before something is done that needs it. */
  introducing = $state<((guest: Guest | null) => void) | undefined>();

  async start(): Promise<void> {
    this.setTheme(this.theme);
    addEventListener("popstate", () => this.arrive());
    try {
      await Promise.all([
        this.speak(this.language),
        api.games().then((games) => (this.games = games)),
        this.recognize(),
      ]);
      this.isReady = true;
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
    }
  }

  /** Who we are: as the server said last, on an earlier visit if it cannot be reached now. */
  get me(): Guest | null {
    return this.guest;
  }

  set me(guest: Guest | null) {
    this.guest = guest;
    keptGuest.set(guest ? JSON.stringify(guest) : "");
  }

  /** Ask the server who we are. Without an answer we stay who we were. */
  private async recognize(): Promise<void> {
    try {
      this.me = await api.me();
      this.isSure = true;
    } catch {
      const stop = reach.onBack(() => {
        stop();
        void this.recognize();
      });
    }
  }

  /** Fetch words that only a few pages need; from then on they come with every language. */
  async learn(section: string): Promise<void> {
    if (this.sections.has(section)) return;
    const words = await api.moreWords(this.language, section);
    this.sections.add(section);
    this.words = this.words?.with(section, words);
  }

  async speak(language: Language): Promise<void> {
    let words = new PageWords(await api.words(language), language);
    for (const section of this.sections) {
      words = words.with(section, await api.moreWords(language, section));
    }
    this.words = words;
    this.language = language;
    document.documentElement.lang = language;
    api.offline.text = t("offline.text");
  }

  setLanguage(language: Language): void {
    keptLanguage.set(language);
    void this.speak(language);
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    keptTheme.set(theme);
    if (theme === "auto") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = theme;
  }

  setPace(pace: Pace): void {
    this.chosenPace = pace;
    keptPace.set(pace);
  }

  /** This pace is usual until the function that it returns is called. */
  withPace(pace: Pace): () => void {
    this.usualPace = pace;
    return () => (this.usualPace = "normal");
  }

  setMuted(muted: boolean): void {
    this.muted = muted;
    sounds.setMuted(muted);
  }

  setHaptics(hasHaptics: boolean): void {
    this.hasHaptics = hasHaptics;
    haptics.setHaptics(hasHaptics);
  }

  setBotsReact(botsReact: boolean): void {
    this.botsReact = botsReact;
    keptEmotes.set(botsReact ? "yes" : "no");
  }

  setConfirmsMoves(confirmsMoves: boolean): void {
    this.confirmsMoves = confirmsMoves;
    keptConfirm.set(confirmsMoves ? "yes" : "no");
  }

  setHandFirst(handFirst: boolean): void {
    this.handFirst = handFirst;
    keptHandFirst.set(handFirst ? "yes" : "no");
  }

  go(path: string, replace = false): void {
    if (replace) history.replaceState(null, "", path);
    else history.pushState(null, "", path);
    this.arrive();
  }

  private arrive(): void {
    this.hasMoved = true;
    this.route = parse(location.pathname, location.search);
    scrollTo(0, 0);
  }

  /** Who we are; a visitor without a name is given one, and a picture, to be changed at any time. */
  async someone(): Promise<Guest> {
    if (!this.isSure) await this.recognize();
    const avatar = Math.floor(Math.random() * AVATARS);
    return (this.me ??= await api.enter({ name: t(`avatars.${avatar}`), avatar }));
  }

  /** Who we are; a visitor without a name is asked for one first. Null if none is given. */
  async known(): Promise<Guest | null> {
    // As a new guest we would lose the seats of the one that we may be.
    if (!this.isSure) await this.recognize();
    if (this.me) return this.me;
    return new Promise((resolve) => {
      this.introducing = (guest) => {
        this.introducing = undefined;
        resolve(guest);
      };
    });
  }

  /** We are nobody here any more: nothing that was kept for us on this device stays. */
  leave(): void {
    localStorage.clear();
    this.me = null;
    this.setLanguage(this.language);
    this.setTheme(this.theme);
    this.go("/");
  }

  /** The day of a moment in milliseconds since 1970, as the reader writes it. */
  day(at: number): string {
    return new Intl.DateTimeFormat(this.language, { dateStyle: "medium" }).format(at);
  }

  /** A moment in milliseconds since 1970, as the reader writes it. */
  moment(at: number): string {
    const style = { dateStyle: "medium", timeStyle: "short" } as const;
    return new Intl.DateTimeFormat(this.language, style).format(at);
  }

  game(slug: string): GameInfo | undefined {
    return this.games.find((info) => info.game === slug);
  }
}

function lastGuest(): Guest | null {
  try {
    return JSON.parse(keptGuest.get() || "null") as Guest | null;
  } catch {
    return null;
  }
}

function firstLanguage(): Language {
  const wanted = [keptLanguage.get(), ...navigator.languages];
  for (const name of wanted) {
    const language = name.slice(0, 2).toLowerCase();
    if (language in LANGUAGES) return language as Language;
  }
  return "en";
}

export const session = new Session();

/** A word of the page: `t("lobby.join")`. */
export function t(key: string, values?: Values): string {
  return session.words?.text(key, values) ?? "";
}
