import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Peek } from "$lib/games/crowns/peek";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function peeking() {
  const shown: (number | null)[] = [];
  return { shown, peek: new Peek((triangle) => shown.push(triangle)) };
}

it("a short touch is a tap", () => {
  const { shown, peek } = peeking();
  peek.down(7);
  vi.advanceTimersByTime(200);
  peek.up();
  vi.advanceTimersByTime(1_000);
  expect(shown).toEqual([]);
  expect(peek.swallows()).toBe(false);
});

it("a finger that rests looks, and lifting it is no tap, once", () => {
  const { shown, peek } = peeking();
  peek.down(7);
  vi.advanceTimersByTime(400);
  peek.up();
  expect(shown).toEqual([7, null]);
  expect(peek.swallows()).toBe(true);
  expect(peek.swallows()).toBe(false);
});
