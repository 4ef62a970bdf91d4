/** Pieces as things with an identity of their own, so that they can be seen to move. Pure. */
import type { Event, Formation, View } from "$gen/arena/games/crowns/v1/crowns_pb";

/** What a piece is. */
export type Kind = "king" | "golden" | "knight";

/** One piece on the board. */
export interface Piece {
  readonly id: number;
  readonly seat: number;
  readonly kind: Kind;
  readonly triangle: number;
}

/** How many pieces of each kind, as formations and moves name them. */
export interface Counts {
  readonly king: boolean;
  readonly knights: number;
  readonly golden: number;
}

const ORDER: Record<Kind, number> = { king: 0, golden: 1, knight: 2 };

/** Counts of some pieces. */
export function countsOf(pieces: readonly Piece[]): Counts {
  const of = (kind: Kind) => pieces.filter((piece) => piece.kind === kind).length;
  return { king: of("king") > 0, knights: of("knight"), golden: of("golden") };
}

/** Pieces on one triangle, King first, then Golden Knights. */
export function standingOn(pieces: readonly Piece[], triangle: number): Piece[] {
  return pieces
    .filter((piece) => piece.triangle === triangle)
    .sort((a, b) => ORDER[a.kind] - ORDER[b.kind] || a.id - b.id);
}

/** Follows the pieces of a match from update to update. */
export class PieceBox {
  #pieces: readonly Piece[] = [];
  #nextId = 1;

  /** The pieces now, in order of their ids. */
  get pieces(): readonly Piece[] {
    return this.#pieces;
  }

  /** Take over a position. `events` say which pieces went where; what they do not explain appears or disappears. */
  update(view: View, events: readonly Event[]): readonly Piece[] {
    const pieces = events.reduce((before, event) => this.#afterEvent(before, event), this.#pieces);
    this.#pieces = this.#reconciled(pieces, view.formations);
    return this.#pieces;
  }

  #afterEvent(pieces: readonly Piece[], { event }: Event): readonly Piece[] {
    switch (event.case) {
      case "moved": {
        const { seat, fromTriangle, toTriangle } = event.value;
        return relocate(pieces, seat, fromTriangle, toTriangle, event.value);
      }
      case "captured": {
        const { rival, triangle } = event.value;
        return pieces.filter((piece) => piece.seat !== rival || piece.triangle !== triangle);
      }
      case "blocked":
        return recast(pieces, event.value.rival, event.value.toTriangle, "golden", "knight");
      case "gilded":
        return recast(pieces, event.value.seat, event.value.triangle, "knight", "golden");
      case "cardPlayed": {
        const { seat, triangle, toTriangle } = event.value;
        if (triangle === undefined || toTriangle === undefined) return pieces;
        return pieces.map((piece) =>
          piece.seat === seat && piece.triangle === triangle
            ? { ...piece, triangle: toTriangle }
            : piece,
        );
      }
      default:
        return pieces;
    }
  }

  #reconciled(pieces: readonly Piece[], formations: readonly Formation[]): readonly Piece[] {
    const left = [...pieces];
    const kept: Piece[] = [];
    const missing: Omit<Piece, "id">[] = [];
    for (const { triangle, seat, king, knights, golden } of formations) {
      const wanted: [Kind, number][] = [
        ["king", king ? 1 : 0],
        ["golden", golden],
        ["knight", knights],
      ];
      for (const [kind, count] of wanted) {
        for (let each = 0; each < count; each += 1) {
          const found = left.findIndex(
            (p) => p.seat === seat && p.triangle === triangle && p.kind === kind,
          );
          if (found < 0) missing.push({ seat, kind, triangle });
          else kept.push(...left.splice(found, 1));
        }
      }
    }
    return [...kept, ...missing.map((piece) => this.#place(piece, left))].sort(
      (a, b) => a.id - b.id,
    );
  }

  #place(piece: Omit<Piece, "id">, left: Piece[]): Piece {
    // There is one King of each seat: wherever it turns up, it is the same one.
    const known = left.findIndex(
      (each) => each.kind === "king" && piece.kind === "king" && each.seat === piece.seat,
    );
    const [same] = known < 0 ? [] : left.splice(known, 1);
    return { ...piece, id: same?.id ?? this.#nextId++ };
  }
}

function relocate(
  pieces: readonly Piece[],
  seat: number,
  from: number,
  to: number,
  counts: Counts,
): readonly Piece[] {
  const due: Record<Kind, number> = {
    king: counts.king ? 1 : 0,
    golden: counts.golden,
    knight: counts.knights,
  };
  return pieces.map((piece) => {
    if (piece.seat !== seat || piece.triangle !== from || due[piece.kind] === 0) return piece;
    due[piece.kind] -= 1;
    return { ...piece, triangle: to };
  });
}

function recast(
  pieces: readonly Piece[],
  seat: number,
  triangle: number,
  from: Kind,
  to: Kind,
): readonly Piece[] {
  const found = pieces.findIndex(
    (piece) => piece.seat === seat && piece.triangle === triangle && piece.kind === from,
  );
  return pieces.map((piece, place) => (place === found ? { ...piece, kind: to } : piece));
}
