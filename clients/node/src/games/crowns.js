/** What a Crowns player may pick up. What can be done with it, the room says. */

export const crowns = {
  optionsType: "arena.games.crowns.v1.Options",
  actionType: "arena.games.crowns.v1.Action",
  selectionType: "arena.games.crowns.v1.Selection",

  offers(view, own, seat) {
    if (view.shield_choices.length) {
      const plain = view.shield_choices.map((triangle) => ({ choose_shield: { triangle } }));
      return { plain, selections: [] };
    }
    const mine = view.formations.filter((formation) => formation.seat === seat);
    const cards = view.has_moved || view.has_played_card ? [] : own.hand;
    return {
      selections: [
        ...mine.flatMap(groupsOf).map((group) => ({ group })),
        ...cards.map((card) => ({ card_in_hand: { card } })),
      ],
      // A turn may be ended after its first move; who cannot make that has nothing left but to resign.
      plain: [view.has_moved ? { end_turn: {} } : { resign: {} }],
    };
  },

  refine({ card_in_hand }, { action, reason, triangle }) {
    // A formation that Sneak may lift: its goal is still to be chosen.
    return card_in_hand && !action && !reason
      ? { card_in_hand: { ...card_in_hand, triangle } }
      : null;
  },

  worth(preview) {
    const { kings_defeated: kings, crowns: gained, knights_defeated: knights, relics } = preview;
    const value = 9 * kings.length + 6 * gained + 3 * knights + relics.length;
    return (preview.wins ? 1000 : 0) + value - (preview.is_blocked ? 1 : 0);
  },
};

/** Every group that a formation can send: all of its pieces, and each part of them. */
function groupsOf({ triangle, king, knights, golden }) {
  const groups = [];
  for (const k of king ? [false, true] : [false]) {
    for (let n = 0; n <= knights; n += 1) {
      for (let g = 0; g <= golden; g += 1) {
        if (k || n + g) groups.push({ triangle, king: k, knights: n, golden: g });
      }
    }
  }
  return groups;
}
