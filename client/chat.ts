/** What somebody said, in the reader's own language. */
import { REACTIONS, type ChatLine } from "./messages";
import { t } from "./session.svelte";

export const spoken = ({ text, phrase }: ChatLine): string =>
  phrase ? t(`phrases.${phrase}`) : text;

/** Nothing is left of what guests said who are muted or have gone for good. */
export const isSaid = ({ text, phrase }: ChatLine): boolean => text !== "" || phrase !== "";

export const isReaction = ({ text }: ChatLine): boolean =>
  (REACTIONS as readonly string[]).includes(text);
