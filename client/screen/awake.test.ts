import { expect, test, vi } from "vitest";
import { stayAwake } from "./awake";

const release = vi.fn();
let grant: (lock: object) => void = () => undefined;
vi.stubGlobal("navigator", {
  wakeLock: { request: () => new Promise((resolve) => (grant = resolve)) },
});
vi.stubGlobal("document", {
  visibilityState: "visible",
  addEventListener: vi.fn(),
  removeEventListener: vi.fn(),
});

test("a screen that is left may go dark, also if it is granted to stay awake only then", async () => {
  const leave = stayAwake();
  leave();
  grant({ release });
  await vi.waitFor(() => expect(release).toHaveBeenCalledOnce());
});
