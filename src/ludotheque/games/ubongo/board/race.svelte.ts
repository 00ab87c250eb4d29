/**
 * The viewer's own cards in a race: where they lie, which one is chosen, what is under way.
 *
 * A card is drawn where it was put before the server has answered, and goes back if it says no. A
 * call locks the cards in the same way.
 */
import type { BoardProps } from "$client/board";
import {
  isBlackRound,
  isInside,
  layMove,
  linksOf,
  overlap,
  placeOf,
  spotOf,
  turned,
  type Laid,
  type Link,
  type Spot,
} from "./model";
import { CALL, FIELD, IN_HAND, TAKE_BACK, type Notes, type View } from "./rules";

interface Sent {
  place: number;
  token: number;
  isDone: boolean;
}

export class Race {
  /** The card of the hand that tools and keys act on, or −1. */
  chosen = $state(-1);
  /** Where the chosen card is held above the field, if it is. */
  floating = $state<Spot>();
  /** The card that has just been put down, to be animated. */
  settled = $state(-1);
  /** A call is under way, or has been made in this round. */
  isCalling = $state(false);
  /** How many moves were refused. */
  refusals = $state(0);
  private sent = $state<Record<number, Sent>>({});
  private count = 0;

  constructor(private readonly board: () => BoardProps<View, Notes>) {}

  readonly hand = $derived.by(() => {
    const { view, viewer } = this.board();
    return (view.hands[viewer] ?? []).slice(0, view.cards);
  });
  readonly places = $derived.by(() => {
    const { view, viewer } = this.board();
    return Array.from(
      { length: view.cards },
      (_, i) => this.sent[i]?.place ?? view.places[viewer]?.[i] ?? IN_HAND,
    );
  });
  readonly laid = $derived.by(() =>
    this.places.flatMap((place, i): Laid[] => {
      const card = this.hand[i] ?? -1;
      return place >= 0 && card >= 0 ? [{ i, card, spot: spotOf(place) }] : [];
    }),
  );
  readonly isOpen = $derived.by(() => {
    const { notes, viewer } = this.board();
    return notes.may_lay && viewer >= 0 && !this.isCalling;
  });
  /** A card counts as soon as it lies here: it reaches the server before the call. */
  readonly canCall = $derived.by(() => {
    const { legal, notes } = this.board();
    return legal.includes(CALL) || (this.isOpen && this.laid.length >= notes.call_needs);
  });

  spot(i: number): Spot | undefined {
    return this.laid.find((card) => card.i === i)?.spot;
  }

  isFree(i: number, spot: Spot): boolean {
    return isInside(spot) && !this.laid.some((card) => card.i !== i && overlap(card.spot, spot));
  }

  /** What faces what, with the chosen card where it is held. */
  readonly links = $derived.by(() =>
    this.floating ? this.linksWith(this.chosen, this.floating) : this.linksOf(this.laid),
  );

  /** What faces what with card `i` there, or away from the field. */
  linksWith(i: number, spot: Spot | undefined): Link[] {
    const held = spot ? [{ i, card: this.hand[i] ?? -1, spot }] : [];
    return this.linksOf([...this.without(i), ...held]);
  }

  /** The laid cards but one. */
  without(i: number): Laid[] {
    return this.laid.filter((card) => card.i !== i);
  }

  private linksOf(cards: Laid[]): Link[] {
    return linksOf(cards, isBlackRound(this.board().view));
  }

  /** Whether a card lies where the server knows it to be. */
  isKnown(i: number): boolean {
    return this.sent[i] === undefined;
  }

  choose(i: number): void {
    this.chosen = i;
    this.floating = undefined;
  }

  /** Hold a card above the field: where it lies, or in a free place near the middle. */
  pickUp(i: number, x: number, y: number): void {
    this.chosen = i;
    this.floating = this.spot(i) ?? this.freeSpot(i, x, y);
  }

  /** Hold a card above the spot that a hint names. */
  ready(i: number, spot: Spot): void {
    this.chosen = i;
    this.floating = spot;
  }

  move(dx: number, dy: number): void {
    const from = this.floating ?? this.spot(this.chosen);
    if (!from) return;
    const to = { ...from, x: from.x + dx, y: from.y + dy };
    this.floating = isInside(to) ? to : from;
  }

  /** Turn the chosen card; one that lies is laid again right away if there is room. */
  turn(by = 1): void {
    const { chosen, floating } = this;
    const from = floating ?? this.spot(chosen);
    if (!from) return;
    const to = turned(from, by, (spot) => this.isFree(chosen, spot));
    this.board().sound("flip");
    if (floating || !this.isFree(chosen, to)) this.floating = to;
    else void this.lay(chosen, to);
  }

  async lay(i: number, spot: Spot): Promise<void> {
    const { sound, tell, words } = this.board();
    if (!this.isFree(i, spot)) {
      sound("refuse");
      tell(words.text("objections", isInside(spot) ? "covered" : "outside"));
      return;
    }
    this.choose(i);
    if (placeOf(spot) === this.places[i]) return;
    sound("place");
    this.settled = i;
    await this.send(i, placeOf(spot), layMove(i, spot));
  }

  async takeBack(i: number): Promise<void> {
    if (this.chosen === i) this.choose(-1);
    if (this.places[i] === IN_HAND) return;
    this.board().sound("play");
    await this.send(i, IN_HAND, TAKE_BACK + i);
  }

  /** Nobody waits for the answer: the call stands unless the server refuses it. */
  async call(): Promise<void> {
    if (this.isCalling || !this.canCall) return;
    this.isCalling = true;
    this.board().sound("play");
    const reply = await this.board().play(CALL);
    this.isCalling = reply.done;
  }

  /** Another view is shown: what was answered before it is in it. */
  settle(): void {
    for (const [i, { isDone }] of Object.entries(this.sent))
      if (isDone) delete this.sent[Number(i)];
  }

  reset(): void {
    this.choose(-1);
    this.settled = -1;
    this.sent = {};
  }

  private async send(i: number, place: number, move: number): Promise<void> {
    const token = ++this.count;
    this.sent[i] = { place, token, isDone: false };
    const reply = await this.board().play(move);
    if (!reply.done) this.refusals += 1;
    const sent = this.sent[i];
    if (sent?.token !== token) return;
    const { view, viewer } = this.board();
    if (!reply.done || view.places[viewer]?.[i] === place) delete this.sent[i];
    else sent.isDone = true;
  }

  private freeSpot(i: number, x: number, y: number): Spot {
    let best: Spot = { x: FIELD / 2, y: FIELD / 2, turn: 0 };
    let nearest = Infinity;
    for (let row = 0; row < FIELD; row++) {
      for (let column = 0; column < FIELD; column++) {
        const spot = { x: column, y: row, turn: 0 };
        const distance = Math.hypot(column + 1.5 - x, row + 1 - y);
        if (distance >= nearest || !this.isFree(i, spot)) continue;
        nearest = distance;
        best = spot;
      }
    }
    return best;
  }
}
