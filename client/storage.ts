/** What this browser remembers. Storage may be forbidden; then nothing is remembered. */
export interface Remembered {
  get(): string;
  set(value: string): void;
}

export function remembered(name: string, otherwise: string): Remembered {
  const key = `ludotheque.${name}`;
  let value: string | undefined;
  return {
    get() {
      value ??= read(key) ?? otherwise;
      return value;
    },
    set(next) {
      value = next;
      try {
        localStorage.setItem(key, next);
      } catch {
        // Only this page remembers, then.
      }
    },
  };
}

function read(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}
