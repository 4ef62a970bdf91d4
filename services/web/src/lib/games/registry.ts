/** The games this page can show. A game is one folder and one line here. */
import type { Component } from "svelte";
import type { Any } from "@bufbuild/protobuf/wkt";
import type { MatchSession } from "../api/match.svelte";

/** What a game's board is given. */
export interface BoardProps {
  session: MatchSession;
  /** What the game is made of, in its own message. */
  catalogue: Any | undefined;
  /** Name to show for a seat. */
  name: (seat: number) => string;
  /** Leave for the lobby; the match goes on. */
  onlobby: () => void;
  /** Start another match like this one. */
  onagain: () => void;
}

/** A choice to be made before a match. */
export interface Choice {
  readonly key: string;
  readonly label: string;
  readonly values: readonly { readonly value: number; readonly label: string }[];
}

/** A game as the page knows it. */
export interface GameEntry {
  readonly name: string;
  /** One line that makes people want to play it. */
  readonly tagline: string;
  /** How it is played, in a few sentences. */
  readonly rules: readonly string[];
  readonly players: readonly number[];
  readonly choices: readonly Choice[];
  /** The game's options message for what was chosen, by `Choice.key`. */
  options(chosen: Readonly<Record<string, number>>): Any;
  /** The component that shows a match; loaded when first needed. */
  board(): Promise<Component<BoardProps>>;
}

/** A game's line: its name for programs, its name for people, and where the rest of it is. */
interface Listing {
  readonly name: string;
  readonly title: string;
  readonly load: () => Promise<GameEntry>;
}

/** All games, the one that the lobby first opens with at the top. */
export const games: readonly [Listing, ...Listing[]] = [
  {
    name: "crowns",
    title: "Crowns",
    load: async () => (await import("./crowns/entry")).crowns,
  },
];

/** Whether this page has a board for the game of this name. */
export function isKnown(name: string): boolean {
  return games.some((game) => game.name === name);
}

/** What people call the game of this name; the name itself where this page does not know it. */
export function titleOf(name: string): string {
  const known = games.find((game) => game.name === name)?.title;
  return known ?? name.charAt(0).toUpperCase() + name.slice(1);
}

/** The game of this name, or null where this page does not know it. */
export async function findGame(name: string): Promise<GameEntry | null> {
  return (await games.find((game) => game.name === name)?.load()) ?? null;
}
