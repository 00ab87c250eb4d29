/**
 * Our part of the shuffle. When the commitment of the next match is shown, the page of every seated
 * player adds random bytes, so that the server alone cannot choose the draws. What it saw and gave
 * is remembered until the match is over and can be checked.
 */
import type { Setting } from "./connection";
import { hex } from "./hex";
import type { Contribute, Reply, TableInfo } from "./messages";
import { remembered } from "./storage";
import type { Witness } from "./verify";

const SEED_BYTES = 16;

/** The commitment that was shown before a match of the table. */
const shown = (table: string, match: number) =>
  remembered(`commitment.${table}.${match}`, "", () => sessionStorage);

/** What we gave to the shuffle that the commitment binds. */
const given = (table: string, commitment: string) =>
  remembered(`seed.${table}.${commitment}`, "", () => sessionStorage);

export class Shuffle {
  private readonly offered = new Set<string>(); // commitments that we have sent a seed for

  constructor(private readonly send: (command: Contribute) => Promise<Reply>) {}

  /** To be called with every update of the table. */
  see({ table, you, me }: Setting): void {
    if (table.status !== "gathering" || table.replay !== null) return;
    shown(table.id, table.match + 1).set(table.commitment);
    if (me === null || you.length === 0) this.offered.clear();
    else if (!table.contributors.includes(me)) this.offer(table);
  }

  private offer(table: TableInfo): void {
    if (this.offered.has(table.commitment)) return;
    this.offered.add(table.commitment);
    void this.contribute(table);
  }

  /** A player who stands up and sits down again gives the same seed. */
  private async contribute({ id, commitment }: TableInfo): Promise<void> {
    const seed = given(id, commitment).get() || randomSeed();
    const reply = await this.send({ do: "contribute", seed, commitment });
    if (reply.done) given(id, commitment).set(seed);
  }
}

const randomSeed = () => hex(crypto.getRandomValues(new Uint8Array(SEED_BYTES)));

/** What this page remembers of a match, and of its part of the shuffle that `commitment` binds. */
export const witnessOf = (table: string, match: number, commitment: string): Witness => ({
  commitment: shown(table, match).get(),
  seed: given(table, commitment).get(),
});
