import { session } from "../session.svelte";
import { inherit } from "./focus";

/**
 * The heading of a page takes the focus when the page has come by a link or a button, so that it
 * is read out and the Tab key goes on from there. The first page is left as the browser opens it.
 */
export function heading(title: HTMLElement): void {
  title.tabIndex = -1;
  if (session.hasMoved) inherit(title);
}
