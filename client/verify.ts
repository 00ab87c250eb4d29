/**
 * Whether chance was fair: the server was bound before the match, our part is in the shuffle, and
 * every draw follows. Which card a case stands for is a matter of the rules: `ludotheque verify`
 * checks that.
 */
import { hex, unhex } from "./hex";
import { hmac, joined } from "./hmac";
import type { Proof } from "./messages";
import { sha256 } from "./sha256";
import type { Values } from "./words";

/** A draw as it is told: its name, the number of cases, and the case that was drawn. */
export type Draw = [name: number, cases: number, drawn: number];

/** What this page has seen itself: "" for what it has not seen, or not given. */
export interface Witness {
  /** The commitment that was shown before the match. */
  commitment: string;
  /** Our part of the shuffle. */
  seed: string;
}

/** What one check found. The page's words for it are under `verify`, as `<check>_<outcome>`. */
export interface Finding {
  check: "bound" | "published" | "replayed" | "contributed" | "drawn";
  outcome: "good" | "unknown" | "bad";
  values?: Values;
}

/** The findings in the order of the checks, up to the first that is bad. */
export async function verify(proof: Proof, witness: Witness): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const check of [isBound, isPublished, isContributed, isDrawn]) {
    const finding = await check(proof, witness);
    findings.push(finding);
    if (finding.outcome === "bad") break;
  }
  return findings;
}

const LABEL = new TextEncoder().encode("ludotheque server seed\0");

export const commitmentOf = (serverSeed: string): string =>
  hex(sha256(joined(LABEL, unhex(serverSeed))));

export const keyOf = (proof: Pick<Proof, "server_seed" | "client_seeds">): Uint8Array =>
  hmac(unhex(proof.server_seed), joined(...proof.client_seeds.map(unhex)));

function isBound(proof: Proof): Finding {
  const isSame = commitmentOf(proof.server_seed) === proof.commitment;
  return { check: "bound", outcome: isSame ? "good" : "bad" };
}

/** What this page saw before the match counts, whatever the server says of it. */
function isPublished(proof: Proof, { commitment }: Witness): Finding {
  if (commitment !== "")
    return { check: "published", outcome: proof.commitment === commitment ? "good" : "bad" };
  return { check: proof.is_replay ? "replayed" : "published", outcome: "unknown" };
}

function isContributed(proof: Proof, { seed }: Witness): Finding {
  if (seed === "") return { check: "contributed", outcome: "unknown" };
  return { check: "contributed", outcome: proof.client_seeds.includes(seed) ? "good" : "bad" };
}

const DRAWS_AT_A_TIME = 50; // about as many as fit between two frames of a slow phone

async function isDrawn(proof: Proof): Promise<Finding> {
  const key = keyOf(proof);
  for (const [place, [name, cases, drawn]] of proof.draws.entries()) {
    if (place % DRAWS_AT_A_TIME === DRAWS_AT_A_TIME - 1) await pause();
    const expected = caseOf(key, name, cases);
    if (expected === drawn) continue;
    return { check: "drawn", outcome: "bad", values: { number: place + 1, expected, drawn } };
  }
  return { check: "drawn", outcome: "good" };
}

const pause = () => new Promise((resolve) => setTimeout(resolve));

const NUMBERS = 2n ** 64n;

/** The case of the draw with this name. Numbers that would favour the low cases are skipped. */
export function caseOf(key: Uint8Array, name: number, cases: number): number {
  const bound = BigInt(cases);
  const unbiased = NUMBERS - (NUMBERS % bound);
  for (let attempt = 0; ; attempt++) {
    const number = numberOf(key, name, attempt);
    if (number < unbiased) return Number(number % bound);
  }
}

function numberOf(key: Uint8Array, name: number, attempt: number): bigint {
  const message = new DataView(new ArrayBuffer(16));
  message.setBigUint64(0, BigInt(name));
  message.setBigUint64(8, BigInt(attempt));
  const digest = hmac(key, new Uint8Array(message.buffer));
  return new DataView(digest.buffer).getBigUint64(0);
}
