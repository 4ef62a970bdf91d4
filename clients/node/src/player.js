/** Decides for a seat without knowing the rules: picks something up, asks for its targets, takes the best preview. */

import { GAMES } from "./games/registry.js";

/** The game's options message, packed; null, for the defaults, where this client does not know the game. */
export function optionsOf(protos, game, values) {
  return GAMES[game] ? protos.pack(GAMES[game].optionsType, values) : null;
}

export class Player {
  #protos;
  #seat;
  #game;

  /** `seat`: one that has had its first update. */
  constructor(protos, seat) {
    this.#protos = protos;
    this.#seat = seat;
    this.#game = GAMES[seat.game];
    if (!this.#game) throw new Error(`this client does not know how to play ${seat.game}`);
  }

  /** For the open decision: `action`, packed, and `text`, what it promises. */
  async choose() {
    const { latest, number } = this.#seat;
    const { view } = this.#protos.unpack(latest.common);
    const own = this.#protos.unpack(latest.own);
    const { plain, selections } = this.#game.offers(view, own, number);
    const target = await this.#findTarget(shuffled(selections));
    const action = target?.action ?? shuffled(plain)[0];
    const text = target?.preview?.text || JSON.stringify(action);
    return { action: this.#protos.pack(this.#game.actionType, action), text };
  }

  /** The best target of the first selection that has one; null where none has. */
  async #findTarget(selections) {
    for (const selection of selections) {
      const packed = this.#protos.pack(this.#game.selectionType, selection);
      const { targets } = this.#protos.unpack(await this.#seat.targets(packed));
      const legal = shuffled(targets.filter(({ action }) => action));
      if (legal.length) return legal.reduce((a, b) => (this.#worth(b) > this.#worth(a) ? b : a));
      const refined = targets.map((target) => this.#game.refine(selection, target));
      const isNew = (each) => each && JSON.stringify(each) !== JSON.stringify(selection);
      const found = await this.#findTarget(shuffled(refined.filter(isNew)));
      if (found) return found;
    }
    return null;
  }

  #worth({ preview }) {
    return preview ? this.#game.worth(preview) : 0;
  }
}

/** The items in random order. */
function shuffled(items) {
  const keyed = items.map((item) => ({ item, key: Math.random() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
}
