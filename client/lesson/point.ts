/** Mark the part of a board that a lesson speaks about: an element with `data-point="name"`. */
export function pointAt(board: HTMLElement | undefined, name: string, _when: unknown): () => void {
  const found = name === "" ? null : (board?.querySelector(`[data-point="${name}"]`) ?? null);
  found?.setAttribute("data-pointed", "");
  found?.scrollIntoView({ block: "nearest" });
  return () => found?.removeAttribute("data-pointed");
}
