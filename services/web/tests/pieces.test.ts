import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { EventSchema, FormationSchema, ViewSchema } from "$gen/arena/games/crowns/v1/crowns_pb";
import { PieceBox, standingOn } from "$lib/games/crowns/pieces";

type FormationInit = MessageInitShape<typeof FormationSchema>;
type EventInit = NonNullable<MessageInitShape<typeof EventSchema>["event"]>;

function update(box: PieceBox, formations: FormationInit[], ...events: EventInit[]) {
  const view = create(ViewSchema, { formations });
  const happened = events.map((event, index) => create(EventSchema, { index, event }));
  return box.update(view, happened);
}

const start: FormationInit[] = [
  { triangle: 4, seat: 0, king: true, knights: 2 },
  { triangle: 91, seat: 1, king: true, knights: 1, golden: 1 },
];

describe("pieces", () => {
  it("keep who they are when they move", () => {
    const box = new PieceBox();
    const before = update(box, start);
    const [knight] = before.filter((piece) => piece.seat === 0 && piece.kind === "knight");
    const after = update(
      box,
      [
        { triangle: 4, seat: 0, king: true, knights: 1 },
        { triangle: 6, seat: 0, knights: 1 },
        start[1]!,
      ],
      { case: "moved", value: { seat: 0, fromTriangle: 4, toTriangle: 6, knights: 1 } },
    );
    expect(after.find((piece) => piece.id === knight?.id)?.triangle).toBe(6);
    expect(after).toHaveLength(before.length);
  });

  it("change their kind in place when gilded and when a golden shield breaks", () => {
    const box = new PieceBox();
    const ids = new Set(update(box, start).map((piece) => piece.id));
    const after = update(
      box,
      [
        { triangle: 4, seat: 0, king: true, knights: 1, golden: 1 },
        { triangle: 91, seat: 1, king: true, knights: 2 },
      ],
      { case: "gilded", value: { seat: 0, triangle: 4 } },
      { case: "blocked", value: { seat: 0, rival: 1, fromTriangle: 4, toTriangle: 91 } },
    );
    expect(new Set(after.map((piece) => piece.id))).toEqual(ids);
  });

  it("leave when they are defeated", () => {
    const box = new PieceBox();
    update(box, start);
    const after = update(
      box,
      [
        { triangle: 91, seat: 0, knights: 2 },
        { triangle: 4, seat: 0, king: true },
      ],
      { case: "moved", value: { seat: 0, fromTriangle: 4, toTriangle: 91, knights: 2 } },
      { case: "captured", value: { seat: 0, rival: 1, triangle: 91, king: true, knights: 1 } },
    );
    expect(after.filter((piece) => piece.seat === 1)).toEqual([]);
    expect(standingOn(after, 91)).toHaveLength(2);
  });

  it("follow the position where events do not explain it", () => {
    const box = new PieceBox();
    const before = update(box, start);
    const after = update(box, [{ triangle: 50, seat: 0, king: true, knights: 3 }]);
    const kingOf = (pieces: typeof after) => pieces.find((p) => p.seat === 0 && p.kind === "king");
    expect(standingOn(after, 50).map((piece) => piece.kind)).toEqual([
      "king",
      "knight",
      "knight",
      "knight",
    ]);
    expect(kingOf(after)?.id).toBe(kingOf(before)?.id);
  });
});
