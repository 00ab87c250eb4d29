/** SHA-256 (FIPS 180-4), for pages where the browser's own is withheld. */

/** The first 32 bits of the fractional part of a root of each of the first primes. */
function roots(count: number, root: (prime: number) => number): number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) {
    if (isPrime(n)) found.push(((root(n) % 1) * 2 ** 32) | 0);
  }
  return found;
}

function isPrime(n: number): boolean {
  for (let d = 2; d * d <= n; d++) if (n % d === 0) return false;
  return true;
}

const START = roots(8, Math.sqrt);
const K = roots(64, Math.cbrt);

export function sha256(message: Uint8Array): Uint8Array {
  const state = Int32Array.from(START);
  const padded = pad(message);
  for (let at = 0; at < padded.byteLength; at += 64) compress(state, new DataView(padded, at, 64));
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, place) => digest.setInt32(4 * place, word));
  return new Uint8Array(digest.buffer);
}

function pad(message: Uint8Array): ArrayBuffer {
  const padded = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64);
  padded.set(message);
  padded[message.length] = 0x80;
  new DataView(padded.buffer).setUint32(padded.length - 4, message.length * 8);
  return padded.buffer;
}

const turn = (x: number, n: number) => (x >>> n) | (x << (32 - n));
const at = (words: Int32Array | number[], place: number) => words[place] ?? 0;

function compress(state: Int32Array, block: DataView): void {
  const w = new Int32Array(64);
  for (let t = 0; t < 64; t++) {
    if (t < 16) w[t] = block.getInt32(4 * t);
    else {
      const [x, y] = [at(w, t - 15), at(w, t - 2)];
      const s0 = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
      const s1 = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
      w[t] = at(w, t - 16) + s0 + at(w, t - 7) + s1;
    }
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let t = 0; t < 64; t++) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + at(K, t) + at(w, t)) | 0;
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, place) => (state[place] = at(state, place) + word));
}
