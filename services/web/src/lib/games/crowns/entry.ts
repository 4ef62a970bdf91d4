/** Crowns, for the registry. */
import { create } from "@bufbuild/protobuf";
import { anyPack } from "@bufbuild/protobuf/wkt";
import { Board, OptionsSchema } from "$gen/arena/games/crowns/v1/crowns_pb";
import { texts } from "../../../texts";
import type { GameEntry } from "../registry";

const { lobby } = texts;

/** Two to six players on a triangle arena. */
export const crowns: GameEntry = {
  name: "crowns",
  players: [2, 3, 4, 5, 6],
  choices: [
    {
      key: "board",
      label: lobby.arena,
      values: [
        { value: Board.STANDARD, label: lobby.standard },
        { value: Board.LARGE, label: lobby.large },
      ],
    },
    {
      key: "turnSeconds",
      label: lobby.timer,
      values: [
        { value: 0, label: lobby.noTimer },
        ...[30, 60, 90].map((value) => ({ value, label: lobby.seconds(value) })),
      ],
    },
  ],
  options(chosen) {
    const { board = Board.STANDARD, turnSeconds = 0 } = chosen;
    return anyPack(OptionsSchema, create(OptionsSchema, { board, turnSeconds }));
  },
  board: async () => (await import("./Crowns.svelte")).default,
};
