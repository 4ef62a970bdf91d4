/** Every word about Crowns, in one place. Sentences that services send are shown as they come. */
import { listed, plural } from "../../ui/phrases";
import type { RelicName } from "./names";
import type { Counts } from "./pieces";

const parts = ({ king, knights, golden }: Counts, one: (name: string) => string) =>
  listed([
    ...(king ? [one("King")] : []),
    ...(golden > 0 ? [golden === 1 ? one("Golden Knight") : `${golden} Golden Knights`] : []),
    ...(knights > 0 ? [knights === 1 ? one("Knight") : `${knights} Knights`] : []),
  ]);

/** "King and 2 Knights", as labels say it. */
const pieces = (counts: Counts) => parts(counts, (name) => name);

/** "the King and a Knight", as sentences say it. */
const thePieces = (counts: Counts) =>
  parts(counts, (name) => (name === "King" ? "the King" : `a ${name}`));

const relics: Record<RelicName, { name: string; a: string; does: string }> = {
  crown: {
    name: "Crown",
    a: "a Crown",
    does: "Only a King can take it. Three make a Crown Bearer.",
  },
  horse: { name: "Horse", a: "a Horse", does: "Two more moves this turn." },
  shield: { name: "Shield", a: "a Shield", does: "Turns one Knight golden." },
  boat: { name: "Boat", a: "a Boat", does: "A new Knight at your Gate." },
  loot: { name: "Loot card", a: "a Loot card", does: "One card for your hand." },
  fallen: {
    name: "Fallen Crown",
    a: "a Fallen Crown",
    does: "A fallen King's Crown. Counts like any other; only a King can take it.",
  },
};

/** All words of the game. */
export const words = {
  title: "Crowns",
  tagline: "Three Crowns, one Gate, and everybody in the way.",
  choice: {
    arena: "Arena",
    standard: "Standard",
    large: "Large",
    timer: "Turn timer",
    noTimer: "None",
    seconds: (seconds: number) => `${seconds} s`,
  },
  rules: [
    "Move one to three pieces that stand together. The slowest sets the pace: Kings 1, Knights 2, Golden Knights 3.",
    "Attack with at least as many pieces as stand there. A Golden Knight takes the blow once and turns plain.",
    "End on a relic to use it. Horse: two more moves. Shield: a Golden Knight. Boat: a new Knight. Loot: a card. Only Kings pick up Crowns.",
    "With three Crowns, walk your King home onto your own Gate. Or be the last King standing.",
  ],
  cards:
    "Play one card a turn, before your first move. Rivals on your Gate block it: a Boat strikes at them instead of bringing a Knight.",
  seat: {
    crowns: (count: number) => plural(count, "Crown", "Crowns"),
    knights: (board: number, reserve: number) =>
      `${board} Knights on the board, ${reserve} in reserve`,
    cards: (count: number) => plural(count, "card", "cards"),
    missed: (row: number, all: number) => `Missed turns: ${row} in a row, ${all} in all`,
    bearer: "Crown Bearer",
    out: "out",
    blockaded: "Gate blockaded",
  },
  hint: {
    yourTurn: "Your turn: tap a formation of yours.",
    movesLeft: (moves: number) =>
      `${plural(moves, "move", "moves")} left. Move on, or end your turn.`,
    chooseTarget: "Tap a lit triangle.",
    chooseLift: "Tap one of your lit formations to lift it.",
    chooseLanding: "Tap a lit triangle to set it down.",
    chooseShield: "A Shield: tap the formation whose Knight turns golden.",
    chooseRival: "Whom?",
    noTarget: "Nothing is in reach of that.",
    waitFor: (name: string) => `${name} is thinking.`,
    waitForShield: (name: string) => `${name} is placing a Shield.`,
    ended: "The match is over.",
    out: "Your King has fallen. You can keep watching.",
    outOfReach: "That is out of reach.",
    sending: "Sending",
    empty: "An empty triangle.",
    gate: (name: string) => `${name}'s Gate.`,
    bearerHome: "You carry three Crowns: bring your King home to your Gate!",
  },
  action: {
    endTurn: "End turn",
    play: "Play card",
    putBack: "Clear",
    hand: "Your hand",
    emptyHand: "No cards",
    deck: (deck: number, discard: number) => `Deck ${deck} · played ${discard}`,
  },
  menu: {
    recenter: "Recenter board",
    numbers: "Show triangle numbers",
    hideNumbers: "Hide triangle numbers",
  },
  resignDetail: "Your King falls and leaves a Fallen Crown behind. There is no way back.",
  piece: { king: "King", knight: "Knight", golden: "Golden Knight" },
  pieces,
  relic: relics,
  board: {
    label: "The arena. Arrow keys move between triangles, Enter taps.",
    triangle: (id: number) => `Triangle ${id}`,
    gate: (name: string) => `Gate of ${name}`,
    blockaded: "blockaded",
    bearer: "Crown Bearer",
    formation: (name: string, counts: Counts) => `${name}: ${pieces(counts)}`,
    snared: "snared",
    target: "target",
  },
  preview: {
    move: "Move here.",
    blocked: "A Golden Knight stops the attack and turns plain.",
    knights: (count: number) => `Defeats ${count === 1 ? "a Knight" : `${count} Knights`}.`,
    kings: (names: readonly string[]) => `Defeats the King of ${listed(names)}.`,
    relics: (names: readonly RelicName[]) =>
      `Takes ${listed(names.map((name) => relics[name].a))}.`,
    wins: "Wins the match.",
  },
  log: {
    round: (round: number) => `Round ${round}`,
    moved: (name: string, counts: Counts) => `${name} moves ${thePieces(counts)}.`,
    captured: (name: string, rival: string, counts: Counts) =>
      `${name} defeats ${thePieces(counts)} of ${rival}.`,
    blocked: (name: string, rival: string) => `A golden shield of ${rival} stops ${name}.`,
    collected: (name: string, relic: RelicName) => `${name} takes ${relics[relic].a}.`,
    appeared: (relic: RelicName) => `A ${relics[relic].name} appears.`,
    wasted: (name: string, relic: RelicName, reason: string) =>
      `${name} gets nothing from ${relics[relic].a}: ${reason}`,
    crowns: (name: string, crowns: number) => `${name} holds ${plural(crowns, "Crown", "Crowns")}.`,
    bearer: (name: string) => `${name} is the Crown Bearer!`,
    movesGained: (name: string, moves: number) =>
      `${name} has ${plural(moves, "move", "moves")} left.`,
    gilded: (name: string) => `A Knight of ${name} turns golden.`,
    spawned: (name: string) => `${name} places a Knight at the Gate.`,
    shieldStruck: (name: string, rival: string) =>
      `${name}'s Gate strikes back: a golden shield of ${rival} breaks.`,
    knightStruck: (name: string, rival: string) =>
      `${name}'s Gate strikes down a Knight of ${rival}.`,
    kingStruck: (name: string, rival: string) =>
      `${name}'s Gate strikes down the King of ${rival}!`,
    drew: (name: string, card: string) => `${name} draws ${card}.`,
    aCard: "a card",
    played: (name: string, card: string) => `${name} plays ${card}.`,
    reshuffled: "The played cards are shuffled into a new deck.",
    snared: (name: string) => `A Snare holds a formation of ${name}.`,
    freed: (name: string) => `A Snare on ${name} ends.`,
    eliminated: (name: string, by: string) => `${by} topples the King of ${name}!`,
    resigned: (name: string) => `${name} gives up.`,
    missed: (name: string) => `${name} misses a turn.`,
    botTakes: (name: string) => `A bot takes over for ${name}.`,
    personBack: (name: string) => `${name} is back.`,
    won: (name: string) => `${name} wins!`,
    level: "The match ends level.",
  },
  ending: {
    escape: "Three Crowns, and home through the Gate.",
    last_king: "The last King standing.",
    limit: "It went on too long without a person in it.",
  } as Record<string, string>,
  card: {
    unknown: (number: number) => `Card ${number}`,
  },
  keys: [
    ["Arrows", "move between triangles"],
    ["Enter, Space", "tap the triangle"],
    ["1 2 3", "single out, add or drop a piece"],
    ["Esc", "clear the selection"],
    ["E", "end the turn"],
    ["Q W A", "first, second, third card"],
    ["+ −  0", "zoom, recenter"],
    ["L", "log"],
  ] as const,
};
