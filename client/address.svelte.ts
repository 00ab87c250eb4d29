/** Under which address others reach the server: what links begin with that are given to them. */
import * as api from "./api";

const LOCAL_NAMES = ["localhost", "127.0.0.1", "[::1]"];

class Address {
  origin = $state(location.origin);
  readonly host = $derived(new URL(this.origin).host);

  /** To others this machine's own name is their own machine; its address in the network is not. */
  async find(): Promise<void> {
    if (!LOCAL_NAMES.includes(location.hostname)) return;
    const told = await api.address().catch(() => undefined);
    if (told) this.origin = told.origin;
  }
}

export const address = new Address();
void address.find();
