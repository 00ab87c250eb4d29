/** Sets of small numbers as the bits of one number: how rules keep hands, piles and votes. */

/** Whether a number is in the set. JavaScript's own operators stop at 32 bits. */
export const has = (bits: number, number: number): boolean =>
  Math.floor(bits / 2 ** number) % 2 === 1;

/** The numbers whose bits are set, in rising order. */
export function numbers(bits: number): number[] {
  const found: number[] = [];
  for (let number = 0; 2 ** number <= bits; number++) if (has(bits, number)) found.push(number);
  return found;
}
