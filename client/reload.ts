/**
 * Reloads the page when a part of it did not arrive.
 *
 * The part alone cannot be fetched again: browsers may remember the failure, and a new version of
 * the server names its parts differently. A page that lacks a part has no move under way, so a
 * reload loses nothing; but it must not repeat without end.
 */
const KEY = "ludotheque.reloaded_at";
const RELOAD_INTERVAL_MS = 60_000; // a page reloads itself at most this often
const RETRY_PAUSE_MS = 1_000;

/**
 * An attachment for what is shown instead of a missing part: waits for the server, then reloads.
 * Calls `stuck` instead if the page reloaded itself a moment ago, or if this browser cannot store
 * when it did.
 */
export function reloadOnceServerIsBack(stuck: () => void): () => () => void {
  return () => {
    let isShown = true;
    if (mayReload()) void whenServerIsThere().then(() => isShown && reload());
    else stuck();
    return () => (isShown = false);
  };
}

async function whenServerIsThere(): Promise<void> {
  while (!(await isServerThere())) await pause();
}

function reload(): void {
  sessionStorage.setItem(KEY, String(Date.now()));
  location.reload();
}

function mayReload(): boolean {
  try {
    sessionStorage.setItem(`${KEY}.probe`, "");
    return Date.now() - Number(sessionStorage.getItem(KEY)) > RELOAD_INTERVAL_MS;
  } catch {
    return false;
  }
}

/** A proxy answers for a server that is down, with a 502. */
const isServerThere = (): Promise<boolean> =>
  fetch("/api/me", { cache: "no-store" }).then(
    (answer) => answer.status < 500,
    () => false,
  );

const pause = () => new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE_MS));
