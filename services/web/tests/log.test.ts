import { beforeEach, describe, expect, it, vi } from "vitest";
import { line, MatchLog } from "$lib/match/log.svelte";
import { texts } from "../src/texts";

const store = new Map<string, string>();

beforeEach(() => {
  store.clear();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => store.get(key) ?? null,
    setItem: (key: string, value: string) => store.set(key, value),
  });
});

const textsOf = (log: MatchLog) => log.lines.map(({ text }) => text);

describe("a log", () => {
  it("tells every entry once, however often it comes", () => {
    const log = new MatchLog("m");
    log.tell(2n, [line(0, "two")]);
    log.tell(3n, [line(1, "three")]);
    log.tell(2n, [line(0, "two")]);
    expect(textsOf(log)).toEqual(["two", "three"]);
  });

  it("says where something is missing", () => {
    const log = new MatchLog("m");
    log.tell(9n, [line(0, "nine")]);
    expect(textsOf(log)).toEqual([texts.log.gap, "nine"]);
  });

  it("goes on after a reload where it was", () => {
    const log = new MatchLog("m");
    log.tell(2n, [line(0, "two")]);
    log.keep();
    const again = new MatchLog("m");
    again.tell(2n, [line(0, "two")]);
    again.tell(3n, [line(0, "three")]);
    expect(textsOf(again)).toEqual(["two", "three"]);
    expect(new MatchLog("other").lines).toEqual([]);
  });

  it("begins anew where what was kept makes no sense", () => {
    store.set("arena.log.m", '{"told":"x","lines":[]}');
    expect(new MatchLog("m").lines).toEqual([]);
  });
});
