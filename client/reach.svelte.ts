/** Whether the server can be reached, as far as the browser and our last request know. */
const KEPT = "X-Kept"; // the mark that the service worker puts on what it has kept

const ASK_MS = 4000; // while the server cannot be reached: whether it is back

class Reach {
  isOffline = $state(!navigator.onLine);
  private readonly callbacks = new Set<() => void>();
  private timer: ReturnType<typeof setInterval> | undefined;

  constructor() {
    addEventListener("offline", () => this.lose());
    addEventListener("online", () => this.find());
    if (this.isOffline) this.lose();
  }

  /** An answer has come: from the server, or from what was kept of an earlier one. */
  hear(answer: Response): void {
    if (answer.headers.has(KEPT)) this.lose();
    else this.find();
  }

  lose(): void {
    this.isOffline = true;
    this.timer ??= setInterval(() => void this.ask(), ASK_MS);
  }

  /** Calls back whenever the server can be reached again, until what it returns is called. */
  onBack(callback: () => void): () => void {
    this.callbacks.add(callback);
    return () => this.callbacks.delete(callback);
  }

  /** A page that asks for nothing itself has to find out too. */
  private async ask(): Promise<void> {
    if (document.visibilityState !== "visible") return;
    const answer = await fetch("/api/me").catch(() => undefined);
    if (answer?.ok) this.hear(answer);
  }

  private find(): void {
    if (!this.isOffline) return;
    this.isOffline = false;
    clearInterval(this.timer);
    this.timer = undefined;
    for (const callback of this.callbacks) callback();
  }
}

export const reach = new Reach();
