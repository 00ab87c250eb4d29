import { afterEach, beforeEach, expect, test, vi } from "vitest";

const page = { visibilityState: "visible" };
const server = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetModules();
  vi.stubGlobal("addEventListener", vi.fn());
  vi.stubGlobal("document", page);
  vi.stubGlobal("fetch", server);
  page.visibilityState = "visible";
  server.mockReset().mockRejectedValue(new TypeError("no network"));
});
afterEach(() => void vi.useRealTimers());

async function opened(onLine: boolean) {
  vi.stubGlobal("navigator", { onLine });
  return (await import("./reach.svelte")).reach;
}

test.each([true, false])(
  "a page that asks for nothing notices that the server is back; online at first: %s",
  async (onLine) => {
    const reach = await opened(onLine);
    const back = vi.fn();
    reach.onBack(back);
    reach.lose();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(reach.isOffline).toBe(true);
    server.mockImplementation(async () => new Response("null"));
    await vi.advanceTimersByTimeAsync(20_000);
    expect(reach.isOffline).toBe(false);
    expect(back).toHaveBeenCalledOnce();
  },
);

test("the server is asked only while it cannot be reached and the page is seen", async () => {
  const reach = await opened(true);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(server).not.toHaveBeenCalled();
  page.visibilityState = "hidden";
  reach.lose();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(server).not.toHaveBeenCalled();
});

test("neither what was kept nor an error means that the server is back", async () => {
  const reach = await opened(false);
  server.mockResolvedValueOnce(new Response("", { status: 502 }));
  server.mockResolvedValueOnce(new Response("null", { headers: { "X-Kept": "1" } }));
  await vi.advanceTimersByTimeAsync(20_000);
  expect(server.mock.calls.length).toBeGreaterThan(2);
  expect(reach.isOffline).toBe(true);
});
