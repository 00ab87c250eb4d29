/** What this browser remembers. Storage may be forbidden; then nothing is remembered. */
export interface Remembered {
  get(): string;
  set(value: string): void;
}

/** Kept for good, or in `sessionStorage` until the page is closed. */
export function remembered(
  name: string,
  otherwise: string,
  storage: () => Storage = () => localStorage,
): Remembered {
  const key = `ludotheque.${name}`;
  let value: string | undefined;
  return {
    get() {
      value ??= read(storage, key) ?? otherwise;
      return value;
    },
    set(next) {
      value = next;
      try {
        storage().setItem(key, next);
      } catch {
        // Then only this page remembers it.
      }
    },
  };
}

function read(storage: () => Storage, key: string): string | undefined {
  try {
    return storage().getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}
