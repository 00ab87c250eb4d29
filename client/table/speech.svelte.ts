/**
 * What a screen reader is told of the match, one sentence after the other.
 *
 * What a player has to remember is taken away once it has been spoken, so that nobody can read it
 * back; screen readers take a sentence when it appears.
 */
const SENTENCES_KEPT = 40;
const FLEETING_MS = 5000;

export interface Sentence {
  number: number;
  text: string;
}

export class Speech {
  sentences = $state.raw<Sentence[]>([]);
  private said = 0;

  say(text: string, isLasting: boolean): void {
    if (text === "") return;
    const number = ++this.said;
    this.sentences = [...this.sentences, { number, text }].slice(-SENTENCES_KEPT);
    if (!isLasting) setTimeout(() => this.remove(number), FLEETING_MS);
  }

  clear(): void {
    this.sentences = [];
  }

  private remove(gone: number): void {
    this.sentences = this.sentences.filter(({ number }) => number !== gone);
  }
}
