/** Whether the server can be reached, as far as the browser and our last request know. */
const KEPT = "X-Kept"; // the mark that the service worker puts on what it has kept

class Reach {
  isOffline = $state(!navigator.onLine);
  private readonly callbacks = new Set<() => void>();

  constructor() {
    addEventListener("offline", () => this.lose());
    addEventListener("online", () => this.find());
  }

  /** An answer has come: from the server, or from what was kept of an earlier one. */
  hear(answer: Response): void {
    if (answer.headers.has(KEPT)) this.lose();
    else this.find();
  }

  lose(): void {
    this.isOffline = true;
  }

  /** Calls back whenever the server can be reached again, until what it returns is called. */
  onBack(callback: () => void): () => void {
    this.callbacks.add(callback);
    return () => this.callbacks.delete(callback);
  }

  private find(): void {
    if (!this.isOffline) return;
    this.isOffline = false;
    for (const callback of this.callbacks) callback();
  }
}

export const reach = new Reach();
