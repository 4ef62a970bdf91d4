/** The browser's steady clock as something to draw by. */
import { createSubscriber } from "svelte/reactivity";

const TICK_MS = 250;

const subscribe = createSubscriber((update) => {
  const timer = setInterval(update, TICK_MS);
  return () => clearInterval(timer);
});

/** Milliseconds on the steady clock; whoever reads it while drawing is drawn again four times a second. */
export function now(): number {
  subscribe();
  return performance.now();
}
