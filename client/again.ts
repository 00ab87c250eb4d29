/**
 * Reloading the page when a part of it did not arrive.
 *
 * A part that failed cannot be asked for again: browsers may keep the failure, and a new version of
 * the server has its parts under other names. A page that lacks a part has no move under way, so
 * nothing is lost by loading it whole; but never in a circle.
 */
const KEY = "ludotheque.loaded_again";
const RARELY = 60_000; // milliseconds between two loadings that nobody asked for
const PAUSE = 1_000;

/**
 * Stands in for a missing part: while it is shown, wait for the server, then reload the page.
 * `stuck` is called instead if that was done a moment ago, or if this browser cannot remember
 * whether it was.
 */
export function loadAgain(stuck: () => void): () => () => void {
  return () => {
    let isShown = true;
    if (mayLoad()) void whenServerIsThere().then(() => isShown && load());
    else stuck();
    return () => (isShown = false);
  };
}

async function whenServerIsThere(): Promise<void> {
  while (!(await isServerThere())) await pause();
}

function load(): void {
  sessionStorage.setItem(KEY, String(Date.now()));
  location.reload();
}

function mayLoad(): boolean {
  try {
    sessionStorage.setItem(`${KEY}.probe`, "");
    return Date.now() - Number(sessionStorage.getItem(KEY)) > RARELY;
  } catch {
    return false;
  }
}

/** A proxy before a server that is not there answers too, with a 502. */
const isServerThere = (): Promise<boolean> =>
  fetch("/api/me", { cache: "no-store" }).then(
    (answer) => answer.status < 500,
    () => false,
  );

const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE));
