import { describe, expect, it } from "vitest";
import { parseRoute, routeTo, type Route } from "$lib/route";

describe("addresses", () => {
  it("lead back to the page they were made for", () => {
    const all: Route[] = [
      { page: "lobby" },
      { page: "match", matchId: "abc", seat: 3 },
      { page: "watch", matchId: "abc" },
      { page: "table", code: "K7Q2MN" },
    ];
    for (const route of all) expect(parseRoute(routeTo(route))).toEqual(route);
  });

  it("of a match without a seat lead to watching it", () => {
    expect(parseRoute("#/match/abc")).toEqual({ page: "watch", matchId: "abc" });
  });

  it("that make no sense lead to the lobby", () => {
    for (const hash of ["", "#/match", "#/match/abc/x", "#/watch", "#/nowhere/1"]) {
      expect(parseRoute(hash)).toEqual({ page: "lobby" });
    }
  });
});
