import { describe, expect, it } from "vitest";
import { clockText, Countdown } from "$lib/api/clock";

describe("a clock", () => {
  it("runs on the browser's steady clock from what the server said", () => {
    const countdown = new Countdown(30_000, 1_000);
    expect(countdown.remainingMs(1_000)).toBe(30_000);
    expect(countdown.remainingMs(11_500)).toBe(19_500);
  });

  it("stops at nothing", () => {
    expect(new Countdown(5, 0).remainingMs(1_000)).toBe(0);
  });

  it("is shown in minutes and seconds, 0:00 only at the end", () => {
    expect(clockText(65_000)).toBe("1:05");
    expect(clockText(1)).toBe("0:01");
    expect(clockText(0)).toBe("0:00");
  });
});
