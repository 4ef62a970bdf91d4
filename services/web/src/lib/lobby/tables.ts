/** Private tables: a queue for those who know its code. Whoever opens one says what is played there. */
import { create } from "@bufbuild/protobuf";
import { AnySchema, type Any } from "@bufbuild/protobuf/wkt";

/** What is played at a table. */
export interface TableWish {
  readonly game: string;
  readonly players: number;
  readonly options: Any;
}

/** Letters and digits that are not taken for one another. */
const LETTERS = "abcdefghjkmnpqrstuvwxyz23456789";
const LENGTH = 8;

/** A code for a new table. */
export function newCode(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(LENGTH));
  return [...bytes].map((byte) => LETTERS[byte % LETTERS.length]).join("");
}

/** The table at which the people of a match meet again. */
export function rematchCode(matchId: string): string {
  return `again-${matchId}`;
}

/** Remember, in this tab, what the table it opens is for: a reload must not forget it. */
export function stashTable(code: string, { game, players, options }: TableWish): void {
  const { typeUrl, value } = options;
  const stored = { game, players, typeUrl, value: [...value] };
  sessionStorage.setItem(keyOf(code), JSON.stringify(stored));
}

/** What this tab opened the table for; null where it only has the code. */
export function stashedTable(code: string): TableWish | null {
  try {
    const stored = JSON.parse(sessionStorage.getItem(keyOf(code)) ?? "null");
    if (stored === null) return null;
    const { game, players, typeUrl, value } = stored;
    return {
      game,
      players,
      options: create(AnySchema, { typeUrl, value: Uint8Array.from(value) }),
    };
  } catch {
    return null;
  }
}

function keyOf(code: string): string {
  return `arena.table.${code}`;
}
