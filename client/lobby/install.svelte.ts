/** The browser's offer to install the page as an app, kept until the player asks for it. */
interface InstallEvent extends Event {
  prompt(): Promise<void>;
}

class Install {
  private event = $state.raw<InstallEvent>();

  constructor() {
    addEventListener("beforeinstallprompt", (event) => {
      event.preventDefault();
      this.event = event as InstallEvent;
    });
    addEventListener("appinstalled", () => (this.event = undefined));
  }

  get ready(): boolean {
    return this.event !== undefined;
  }

  ask(): void {
    void this.event?.prompt();
    this.event = undefined;
  }
}

export const install = new Install();
