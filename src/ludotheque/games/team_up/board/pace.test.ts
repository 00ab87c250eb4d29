import { expect, test } from "vitest";
import { Pace, RATIOS } from "./pace";

const feed = (pace: Pace, ...times: number[]) =>
  times.filter((time) => pace.isTooSlow(time)).length;
const slow = Array<number>(15).fill(80);
const quick = Array<number>(15).fill(16);

test("slow frames make the picture coarser step by step, until it is hopeless", () => {
  const pace = new Pace();
  const ratios = RATIOS.map(() => {
    const { ratio, isHopeless } = pace;
    expect(isHopeless).toBe(false);
    expect(feed(pace, ...slow)).toBe(1);
    return ratio;
  });
  expect(ratios).toEqual([...RATIOS]);
  expect(pace.isHopeless).toBe(true);
});

test("quick frames, a few slow ones among them and pauses change nothing", () => {
  const pace = new Pace();
  expect(feed(pace, ...quick, 400, 300, ...quick, ...slow.map(() => 5000))).toBe(0);
  expect(pace.level).toBe(0);
});
