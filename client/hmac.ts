/** HMAC-SHA-256 (RFC 2104). The browser's own is withheld from pages without a certificate. */
import { sha256 } from "./sha256";

const BLOCK_BYTES = 64;

export function hmac(key: Uint8Array, message: Uint8Array): Uint8Array {
  const block = new Uint8Array(BLOCK_BYTES);
  block.set(key.length > BLOCK_BYTES ? sha256(key) : key);
  const inner = sha256(joined(masked(block, 0x36), message));
  return sha256(joined(masked(block, 0x5c), inner));
}

const masked = (block: Uint8Array, mask: number) => block.map((byte) => byte ^ mask);

/** The bytes one after the other. */
export function joined(...parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}
