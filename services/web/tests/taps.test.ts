import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { TargetSchema } from "$gen/arena/games/crowns/v1/crowns_pb";
import { pickWhole } from "$lib/games/crowns/selection";
import { meaningOf, type TapContext } from "$lib/games/crowns/taps";

const legal = create(TargetSchema, {
  triangle: 10,
  action: { action: { case: "move", value: { fromTriangle: 4, toTriangle: 10 } } },
});
const tooFar = create(TargetSchema, { triangle: 11, reason: "Too far." });
const liftable = create(TargetSchema, { triangle: 12 });
const picked = pickWhole(4, [{ id: 1, seat: 0, kind: "king", triangle: 4 }]);
const OWN = new Set([4, 10, 12, 20]);

function context(changes: Partial<TapContext> = {}): TapContext {
  return {
    picked,
    targets: new Map([
      [10, legal],
      [11, tooFar],
      [12, liftable],
    ]),
    shieldChoices: new Set(),
    isOwn: (triangle) => OWN.has(triangle),
    ...changes,
  };
}

describe("a tap", () => {
  it("on a lit triangle acts, even where an own formation stands", () => {
    expect(meaningOf(10, 7, context())).toEqual({ do: "act", target: legal });
  });

  it("on an own formation that is not lit picks that", () => {
    expect(meaningOf(20, 9, context())).toEqual({ do: "pick", triangle: 20 });
  });

  it("on any other triangle clears and says why it is no target", () => {
    expect(meaningOf(11, null, context())).toEqual({ do: "clear", why: "Too far.", triangle: 11 });
    expect(meaningOf(30, null, context())).toEqual({ do: "clear", why: "", triangle: 30 });
  });

  it("on a unit of what is picked singles it out", () => {
    expect(meaningOf(4, 1, context())).toEqual({ do: "unit", id: 1 });
  });

  it("beside the units of what is picked takes the whole again", () => {
    expect(meaningOf(4, null, context())).toEqual({ do: "pick", triangle: 4 });
  });

  it("on a formation that a card may lift lifts it", () => {
    const sneak = context({ picked: { kind: "card", card: 9 } });
    expect(meaningOf(12, 3, sneak)).toEqual({ do: "lift", triangle: 12 });
  });

  it("with nothing picked tells what is there", () => {
    const empty = context({ picked: null, targets: new Map() });
    expect(meaningOf(30, null, empty)).toEqual({ do: "describe", triangle: 30 });
  });

  it("while a Shield must be placed does nothing else", () => {
    const gilding = context({ shieldChoices: new Set([20]) });
    expect(meaningOf(20, 9, gilding)).toEqual({ do: "gild", triangle: 20 });
    expect(meaningOf(10, null, gilding)).toEqual({ do: "describe", triangle: 10 });
  });
});
