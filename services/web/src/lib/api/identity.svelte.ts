/** Who sits at this browser: a guest account, kept in local storage. */
import type { Api } from "./transport";
import { persistently } from "./requests";

const KEY = "arena.identity";
/** A token that ends sooner than this is not worth starting a match with. */
const SPARE_MS = 60 * 60 * 1000;

/** A guest account. */
export interface Identity {
  name: string;
  playerId: string;
  token: string;
  expireTimeMs: number;
}

/** The signed-in guest, if any. */
export class IdentityStore {
  current = $state.raw<Identity | null>(null);
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
    this.current = read(storage);
  }

  /** The token to send with calls, or null. */
  readonly token = (): string | null => this.current?.token ?? null;

  /** The guest of this name: the one already here, or a new account. */
  async signIn(api: Api, name: string, nowMs: number): Promise<Identity> {
    const known = this.current;
    if (known && known.name === name && known.expireTimeMs - SPARE_MS > nowMs) return known;
    const answer = await persistently((signal) => api.matchmaking.signIn({ name }, { signal }));
    const { playerId, token } = answer;
    return this.#keep({ name, playerId, token, expireTimeMs: Number(answer.expireTimeMs) });
  }

  /** Forget the account: its token does not hold any more. */
  forget(): void {
    this.current = null;
    this.#storage.removeItem(KEY);
  }

  #keep(identity: Identity): Identity {
    this.current = identity;
    this.#storage.setItem(KEY, JSON.stringify(identity));
    return identity;
  }
}

function read(storage: Storage): Identity | null {
  try {
    const stored: unknown = JSON.parse(storage.getItem(KEY) ?? "null");
    return isIdentity(stored) ? stored : null;
  } catch {
    return null;
  }
}

function isIdentity(value: unknown): value is Identity {
  if (typeof value !== "object" || value === null) return false;
  const { name, playerId, token, expireTimeMs } = value as Record<string, unknown>;
  const areStrings = [name, playerId, token].every((each) => typeof each === "string");
  return areStrings && typeof expireTimeMs === "number";
}
