/** What a claimant of Singhasan may pick up, and what each phase asks for. What can be done with it, the room says. */

/** Resources that seats start with, by the number of claimants. */
const STARTING = { 2: [0, 4], 3: [0, 3, 6], 4: [0, 3, 5, 7], 5: [1, 3, 4, 6, 7] };
const COLOURS = ["CRIMSON", "SAFFRON", "EMERALD", "AZURE", "VIOLET"].map((it) => `COLOUR_${it}`);
const SIGILS = ["LION", "ELEPHANT", "PEACOCK", "SERPENT", "BULL"].map((it) => `SIGIL_${it}`);
const RESOURCES = ["gold", "steel", "song", "oath"];
/** By kind the powers at five answers, which are aimed at the map. */
const POWERS = ["WOODEN_HORSE", "CLEAN_THE_STABLES", "CHARM_THE_STONES", "WALLS_OF_TROY"];

export const singhasan = {
  optionsType: "arena.games.singhasan.v1.Options",
  actionType: "arena.games.singhasan.v1.Action",
  selectionType: "arena.games.singhasan.v1.Selection",

  offers(view, own, seat) {
    const schemes = own.hand.map((card) => ({ scheme: { card } }));
    if (view.phase === "PHASE_COURT") return { plain: [{ pass: {} }], selections: schemes };
    if (view.phase === "PHASE_ACT" && view.turn === seat) {
      const selections = [
        ...schemes,
        ...hires(view),
        ...warriors(view, seat),
        ...legends(view, seat),
      ];
      return { plain: [{ end_turn: {} }, ...purchase(view, seat)], selections };
    }
    return { plain: answers(view, seat), selections: [] };
  },

  refine({ legend, scheme }, { action, reason, rival, province, kind }) {
    if (action || reason) return null;
    if (legend) return { legend: { ...legend, province } };
    if (!scheme) return null;
    const where = scheme.province === undefined ? { province } : { to_province: province };
    return { scheme: { ...where, rival, kind, ...scheme } };
  },

  worth({ score, oaths }) {
    return score + oaths.length;
  },
};

/** What is asked for where nothing has to be picked up. */
function answers(view, seat) {
  const { resources, limit } = view.seats[seat];
  switch (view.phase) {
    case "PHASE_CLAIM":
      return [claim(view, seat)];
    case "PHASE_ANSWER":
      return [0, 1].map((answer) => ({ answer_question: { answer } }));
    case "PHASE_ACT":
      return view.offers
        .filter(({ rival, declined }) => (rival ?? seat) === seat && !declined.includes(seat))
        .map(({ offer }) => ({ answer_offer: { offer, accept: false } }));
    case "PHASE_SHIELD":
      return [true, false].map((shield) => ({ answer_aim: { shield } }));
    case "PHASE_CHOICE":
      return view.choice.options.map((_, option) => ({ choose: { option } }));
    case "PHASE_DISCARD":
      return [{ discard: { resources: part(resources, sum(resources) - limit) } }];
    case "PHASE_QUIZ":
      return [0, 1, 2].map((choice) => ({ answer_quiz: { choice } }));
    default:
      return [{ tap: { offset_ms: view.duel.mark_ms } }];
  }
}

/** The first colour and sigil that are free, from the own seat's on: everybody claims at the same time. */
function claim({ seats, players }, seat) {
  const firstFree = (names, taken) =>
    [...names.slice(seat), ...names].find((name) => !taken.includes(name));
  const amounts = [0, 0, 0, 0];
  for (let i = 0; i < STARTING[players][seat]; i += 1) amounts[i % 4] += 1;
  const colour = firstFree(
    COLOURS,
    seats.map((each) => each.colour),
  );
  const sigil = firstFree(
    SIGILS,
    seats.map((each) => each.sigil),
  );
  return { claim_seat: { colour, sigil, resources: part(amounts, sum(amounts)) } };
}

function hires({ row }) {
  return row.flatMap((card, slot) => (card ? [{ hire_card: { slot } }] : []));
}

/** Followers, of anybody, that stand where the seat holds Sway and has not marched from yet. */
function warriors({ presences, marched }, seat) {
  const strength = (presence) => presence.standing + presence.on_rifts;
  const swayed = presences.filter((mine) => {
    const here = presences.filter((each) => each.province === mine.province && each !== mine);
    return mine.seat === seat && here.every((each) => strength(each) < strength(mine));
  });
  return presences
    .filter(({ province, standing }) => standing && !marched.includes(province))
    .filter(({ province }) => swayed.some((mine) => mine.province === province))
    .map(({ province, seat: owner }) => ({ warrior: { province, owner } }));
}

function legends({ seats }, seat) {
  const woken = POWERS.filter((_, kind) => seats[seat].answers[kind] >= 5);
  return woken.map((power) => ({ legend: { power: `POWER_${power}` } }));
}

/** The top Conspiracy, where the seat can pay for it. */
function purchase(view, seat) {
  const { resources, conspiracy_change: change } = view.seats[seat];
  const cost = view.top_cost + change;
  if (!view.top_cost || sum(resources) < cost) return [];
  return [{ buy_conspiracy: { payment: part(resources, cost) } }];
}

/** So many resources out of those that are held, of what there is most of first. */
function part(held, count) {
  const left = [...held];
  const taken = { gold: 0, steel: 0, song: 0, oath: 0 };
  for (let i = 0; i < count; i += 1) {
    const kind = left.indexOf(Math.max(...left));
    left[kind] -= 1;
    taken[RESOURCES[kind]] += 1;
  }
  return taken;
}

function sum(amounts) {
  return amounts.reduce((total, each) => total + each, 0);
}
