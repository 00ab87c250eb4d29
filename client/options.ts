/** What the host may choose of a game's options, and what only a replay sets. */
import type { GameInfo, OptionInfo, TableInfo } from "./messages";
import { figure, type GameWords } from "./words";

type Values = TableInfo["options"];

export const valueOf = (option: OptionInfo, options: Values): unknown =>
  options[option.name] ?? option.default;

const isOfReplay = ({ of_replay }: OptionInfo, value: unknown): boolean =>
  Array.isArray(of_replay) ? of_replay.some((one) => one === value) : of_replay;

/** The values that the host may choose from. */
export const choicesOf = (option: OptionInfo): (boolean | number | string)[] =>
  option.values?.filter((value) => !isOfReplay(option, value)) ?? [];

/** The choice that a form names by this text. */
export const choiceNamed = (option: OptionInfo, text: string): unknown =>
  choicesOf(option).find((choice) => String(choice) === text);

/** A replay has set the option: it is shown, but cannot be changed. */
export const isSetByReplay = (option: OptionInfo, options: Values): boolean => {
  const value = valueOf(option, options);
  return value !== option.default && isOfReplay(option, value);
};

/** An option that only replays have is not shown at other tables. */
export const isShown = (option: OptionInfo, options: Values): boolean =>
  option.of_replay !== true || isSetByReplay(option, options);

export const textOf = (option: OptionInfo, options: Values, words: GameWords): string =>
  wordsFor(option, valueOf(option, options), words);

/** A number is told as a figure, any other value in the game's words. */
export const wordsFor = (option: OptionInfo, value: unknown, words: GameWords): string =>
  typeof value === "number" ? figure(value) : words.text(`options.${option.name}`, String(value));

/** What the replay of a deal asks for, such as the score to beat: label and value. */
export function goalsOf(
  info: GameInfo,
  options: Values,
  words: GameWords,
): { label: string; value: string }[] {
  return info.options
    .filter((option) => option.of_replay === true && isSetByReplay(option, options))
    .map((option) => ({
      label: words.text(`options.${option.name}`, "label"),
      value: textOf(option, options, words),
    }));
}
