import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { ViewSchema } from "$gen/arena/games/crowns/v1/crowns_pb";
import { hintOf, type HintContext } from "$lib/games/crowns/hint";
import { words } from "$lib/games/crowns/words";

const { hint } = words;
const seats = [{ isAlive: true }, { isAlive: true }];

function say(
  changes: Partial<HintContext>,
  view: Parameters<typeof create<typeof ViewSchema>>[1] = {},
) {
  return hintOf({
    view: create(ViewSchema, { seats, turn: 0, movesLeft: 1, ...view }),
    seat: 0,
    isMyTurn: true,
    isSending: false,
    isLooking: false,
    picked: null,
    litCount: 0,
    hasRivals: false,
    hasPlain: false,
    cardText: "What it does.",
    obstacle: "",
    isLift: false,
    name: (seat) => ["Ada", "Bo"][seat] ?? "?",
    ...changes,
  });
}

const group = { kind: "group", triangle: 4, ids: new Set([1]), isWhole: true } as const;
const card = { kind: "card", card: 9 } as const;

describe("the hint", () => {
  it("says whose turn it is to whoever waits", () => {
    expect(say({ isMyTurn: false }, { turn: 1 })).toBe(hint.waitFor("Bo"));
    expect(say({ isMyTurn: false, seat: null })).toBe(hint.waitFor("Ada"));
  });

  it("leads through a move", () => {
    expect(say({})).toBe(hint.yourTurn);
    expect(say({ picked: group, litCount: 3 })).toBe(hint.chooseTarget);
    expect(say({ picked: group })).toBe(hint.noTarget);
    expect(say({}, { hasMoved: true, movesLeft: 2 })).toBe(hint.movesLeft(2));
  });

  it("leads a Sneak through both its steps", () => {
    expect(say({ picked: card, litCount: 2, isLift: true })).toContain(hint.chooseLift);
    expect(say({ picked: { ...card, triangle: 4 }, litCount: 9 })).toBe(hint.chooseLanding);
  });

  it("says why a card cannot be played", () => {
    expect(say({ picked: card, obstacle: "Too late." })).toBe("What it does. Too late.");
  });

  it("puts a Shield first and sends the Bearer home", () => {
    expect(say({ picked: group }, { shieldChoices: [4, 5] })).toBe(hint.chooseShield);
    const bearer = [{ isAlive: true, isBearer: true }];
    expect(say({}, { seats: bearer })).toBe(hint.bearerHome);
  });

  it("tells the fallen and the end", () => {
    expect(say({ isMyTurn: false }, { seats: [{ isAlive: false }] })).toBe(hint.out);
    expect(say({}, { ended: { how: "escape", winner: 0 } })).toBe(hint.ended);
  });
});
