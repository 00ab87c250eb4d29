/** Whether chance was bound before the match: the key must give the commitment that was shown. */
import { sha256 } from "./sha256";

const LABEL = "ludotheque chance key\0";

export async function commitmentOf(key: string): Promise<string> {
  const label = new TextEncoder().encode(LABEL);
  return hex(await digest(new Uint8Array([...label, ...unhex(key)])));
}

export async function isBound(key: string, commitment: string): Promise<boolean> {
  return key !== "" && (await commitmentOf(key)) === commitment;
}

/** Browsers have SHA-256, but only on pages with a certificate; a table at home may have none. */
async function digest(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const subtle = globalThis.crypto?.subtle as SubtleCrypto | undefined;
  return subtle ? new Uint8Array(await subtle.digest("SHA-256", bytes)) : sha256(bytes);
}

function unhex(text: string): number[] {
  return (text.match(/../g) ?? []).map((pair) => parseInt(pair, 16));
}

function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
