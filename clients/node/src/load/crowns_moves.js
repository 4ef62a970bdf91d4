/**
 * Legal Crowns moves without an engine and without asking: enough of them to keep a match going.
 *
 * Only single steps, and never an attack where there is another way: so matches last, and what is measured is moves.
 * Cards stay in the hand. Everything that is returned is legal by the view; not everything that is legal is returned.
 */

/** Triangles along one edge of the arena, by the view's `board`. */
const SIDES = { 1: 4, 2: 5 };

/** For each triangle those that border it. Ids go row by row; all rows share their columns. */
function bordersOf(side) {
  const rows = Array.from({ length: 2 * side }, (_, row) => {
    const count = 2 * side + 1 + 2 * Math.min(row, 2 * side - 1 - row);
    return { count, column: (4 * side - 1 - count) / 2 };
  });
  const ids = new Map();
  rows.forEach(({ count, column }, row) => {
    for (let place = 0; place < count; place += 1) ids.set(`${row}:${column + place}`, ids.size);
  });
  return [...ids.keys()].map((key) => {
    const [row, column] = key.split(":").map(Number);
    const standsOnItsBase = (row + column + side - 1) % 2 === 0;
    const across = standsOnItsBase ? row + 1 : row - 1;
    const around = [`${row}:${column - 1}`, `${row}:${column + 1}`, `${across}:${column}`];
    return around.map((each) => ids.get(each)).filter((id) => id !== undefined);
  });
}

const BORDERS = Object.fromEntries(
  Object.entries(SIDES).map(([board, side]) => [board, bordersOf(side)]),
);

/** An action for the seat that is awaited: the fields of `Action`. */
export function chooseMove(view, seat) {
  if (view.shield_choices.length) return { choose_shield: { triangle: view.shield_choices[0] } };
  const standing = new Map(view.formations.map((each) => [each.triangle, each]));
  const held = new Set(view.snares.filter((each) => each.is_active).map((each) => each.triangle));
  const mine = view.formations.filter((each) => each.seat === seat);
  const free = mine.filter((each) => !held.has(each.triangle));
  // Snares that leave no move at all are void.
  return (
    step(view, free, standing, false) ??
    step(view, free, standing, true) ??
    step(view, mine, standing, false) ??
    step(view, mine, standing, true) ??
    (view.has_moved ? { end_turn: {} } : { resign: {} })
  );
}

/** One step of a random formation; null where none can make one. */
function step(view, formations, standing, attacks) {
  const offset = Math.floor(Math.random() * formations.length);
  for (let i = 0; i < formations.length; i += 1) {
    const from = formations[(i + offset) % formations.length];
    const around = BORDERS[view.board][from.triangle];
    const turn = Math.floor(Math.random() * around.length);
    for (let j = 0; j < around.length; j += 1) {
      const to = around[(j + turn) % around.length];
      const group = groupFor(from, standing.get(to), attacks);
      if (group) return { move: { from_triangle: from.triangle, to_triangle: to, ...group } };
    }
  }
  return null;
}

/** The pieces that can go where `there` stands; null where none can. */
function groupFor(from, there, attacks) {
  if (!there) return attacks ? null : onePiece(from);
  const power = there.knights + there.golden + (there.king ? 1 : 0);
  if (there.seat === from.seat) return attacks || power > 2 ? null : onePiece(from);
  const { king, knights, golden } = from;
  const isStrongEnough = knights + golden + (king ? 1 : 0) >= power;
  return attacks && isStrongEnough ? { king, knights, golden } : null;
}

/** One piece of a formation: a Knight where there is one. */
function onePiece({ knights, golden }) {
  if (knights) return { king: false, knights: 1, golden: 0 };
  return golden ? { king: false, knights: 0, golden: 1 } : { king: true, knights: 0, golden: 0 };
}
