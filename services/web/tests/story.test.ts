import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { EventSchema } from "$gen/arena/games/crowns/v1/crowns_pb";
import { lineOf, merged } from "$lib/games/crowns/story";

const cast = {
  name: (seat: number) => ["Ada", "Bo"][seat] ?? "?",
  card: (n: number) => `card ${n}`,
};
const drawn = (index: number, card: number) =>
  create(EventSchema, { index, event: { case: "cardDrawn", value: { seat: 0, card } } });

it("a seat's own events replace the common ones of their index", () => {
  const moved = create(EventSchema, { index: 0, event: { case: "moved", value: {} } });
  const events = merged([moved, drawn(1, 0)], [drawn(1, 17)]);
  expect(events.map((event) => event.index)).toEqual([0, 1]);
  expect(lineOf(events[1]!, cast)?.text).toBe("Ada draws card 17.");
});

it("a card drawn by somebody else stays a card", () => {
  expect(lineOf(drawn(0, 0), cast)?.text).toBe("Ada draws a card.");
});

it("every kind of event is either told or silent on purpose", () => {
  const silent = ["turnBegan", "turnEnded"];
  const kinds = EventSchema.oneofs[0]!.fields.map((field) => field.localName);
  for (const kind of kinds) {
    const event = create(EventSchema, { event: { case: kind, value: { relic: 1 } } as never });
    expect(lineOf(event, cast) === null, kind).toBe(silent.includes(kind));
  }
});

it("sentences name pieces with their articles", () => {
  const value = { seat: 0, king: true, knights: 2, golden: 1 };
  const moved = create(EventSchema, { event: { case: "moved", value } });
  expect(lineOf(moved, cast)?.text).toBe("Ada moves the King, a Golden Knight and 2 Knights.");
});
