/**
 * Makes a group of buttons one stop of the Tab key: the arrow keys walk in it, Home and End jump.
 *
 *     <div role="group" aria-label="…" {@attach roving}> <button>…</button> … </div>
 *
 * Buttons that come and go are followed, and the focus goes to the neighbour of one that has gone.
 * For a grid give the number of columns: `roving.grid(6)`.
 */
import type { Attachment } from "svelte/attachments";
import { isFocusLost } from "./focus";

const BUTTONS = "button:not([disabled]), [data-roving]";

function attach(columns: () => number): Attachment<HTMLElement> {
  return (group) => {
    const buttons = () => [...group.querySelectorAll<HTMLElement>(BUTTONS)];
    let held: HTMLElement | undefined; // the button that has the focus
    let place = 0; // and where it stands
    const settle = (current?: HTMLElement) => {
      const all = buttons();
      const stop =
        current ?? all.find((b) => b === document.activeElement || b.tabIndex === 0) ?? all[0];
      for (const button of all) button.tabIndex = button === stop ? 0 : -1;
    };
    const onFocus = (event: FocusEvent) => {
      const target = (event.target as HTMLElement).closest<HTMLElement>(BUTTONS);
      if (!target) return;
      settle(target);
      held = target;
      place = buttons().indexOf(target);
    };
    const onBlur = () => {
      const left = held; // the browser also reports this of a button that is about to disappear
      queueMicrotask(() => {
        if (held === left && left?.isConnected) held = undefined;
      });
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      const all = buttons();
      const here = all.indexOf(document.activeElement as HTMLElement);
      if (here < 0) return;
      const there = next(event.key, here, all.length, columns());
      if (there === undefined) return;
      event.preventDefault();
      all[there]?.focus();
    };
    /** When the focused button disappears, as a played card does, its neighbour takes the focus. */
    const inherit = () => {
      if (!held || held.isConnected) return;
      held = undefined;
      const all = buttons();
      if (isFocusLost()) all[Math.min(place, all.length - 1)]?.focus();
    };
    const observer = new MutationObserver(() => {
      settle();
      inherit();
    });
    observer.observe(group, { childList: true, subtree: true, attributeFilter: ["disabled"] });
    group.addEventListener("focusin", onFocus);
    group.addEventListener("focusout", onBlur);
    group.addEventListener("keydown", onKey);
    settle();
    return () => {
      observer.disconnect();
      group.removeEventListener("focusin", onFocus);
      group.removeEventListener("focusout", onBlur);
      group.removeEventListener("keydown", onKey);
    };
  };
}

/** The place that a key leads to from `here` among `count` things in rows of `columns`. */
export function next(
  key: string,
  here: number,
  count: number,
  columns: number,
): number | undefined {
  const down = columns > 1 ? columns : 1;
  const steps: Record<string, number> = {
    ArrowRight: 1,
    ArrowLeft: -1,
    ArrowDown: down,
    ArrowUp: -down,
  };
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  const step = steps[key];
  if (step === undefined) return undefined;
  const there = here + step;
  if (columns > 1 && Math.abs(step) > 1) return there >= 0 && there < count ? there : here;
  return (there + count) % count;
}

export const roving: Attachment<HTMLElement> & {
  grid: (columns: number | (() => number)) => Attachment<HTMLElement>;
} = Object.assign(
  attach(() => 1),
  {
    grid: (columns: number | (() => number)) =>
      attach(typeof columns === "number" ? () => columns : columns),
  },
);
