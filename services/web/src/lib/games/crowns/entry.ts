/** Crowns, for the registry. */
import { create } from "@bufbuild/protobuf";
import { anyPack } from "@bufbuild/protobuf/wkt";
import { Board, OptionsSchema } from "$gen/arena/games/crowns/v1/crowns_pb";
import type { GameEntry } from "../registry";
import { words } from "./words";

const { choice } = words;

/** Two to six players on a triangle arena. */
export const crowns: GameEntry = {
  name: "crowns",
  tagline: words.tagline,
  rules: words.rules,
  players: [2, 3, 4, 5, 6],
  choices: [
    {
      key: "board",
      label: choice.arena,
      values: [
        { value: Board.STANDARD, label: choice.standard },
        { value: Board.LARGE, label: choice.large },
      ],
    },
    {
      key: "turnSeconds",
      label: choice.timer,
      values: [
        { value: 0, label: choice.noTimer },
        ...[30, 60, 90].map((value) => ({ value, label: choice.seconds(value) })),
      ],
    },
  ],
  options(chosen) {
    const { board = Board.STANDARD, turnSeconds = 0 } = chosen;
    return anyPack(OptionsSchema, create(OptionsSchema, { board, turnSeconds }));
  },
  board: async () => (await import("./Crowns.svelte")).default,
};
