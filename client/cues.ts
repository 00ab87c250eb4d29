/** What a fact sounds like; the same in every game. */
import type { Fact } from "./messages";
import type { SoundName } from "./sound";

const SOUNDS: Record<string, SoundName> = {
  reveal: "flip",
  turn: "flip",
  place: "place",
  gain: "take",
  loss: "lose",
  call: "take",
  verdict: "flip",
};

/** The sound of a fact for this viewer: good and bad luck is heard by those who have it. */
export function cueOf(fact: Fact, viewer: number): SoundName | undefined {
  if (fact.kind === "award" || fact.kind === "penalty") {
    if (fact.values["seat"] !== viewer) return undefined;
    return fact.kind === "award" ? "take" : "lose";
  }
  return SOUNDS[fact.kind];
}
