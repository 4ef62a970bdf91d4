/** One match as one seat sees it: the newest update, the clock, and what the seat asks for. */

export class Seat {
  /** The newest sequence seen: what to resume behind. */
  sequence = 0;
  /** The game's name, known with the first update. */
  game = "";
  /** Who plays each seat now. */
  holders = [];
  /** The newest update. */
  latest = null;
  /** How many actions of this seat were stored. */
  moves = 0;
  /** Milliseconds that the platform has given back to the clocks. */
  givenBackMs = 0;

  #session;
  #counter = 0;
  #ask;
  #deadline = Infinity;
  /** Updates that `updates` has not handed out yet. */
  #unread = [];
  #failure = null;
  #wake = () => {};

  /** `session`: random, made anew at every start of the program. `ask` sends a request until it is answered. */
  constructor(matchId, number, session, ask) {
    this.matchId = matchId;
    this.number = number;
    this.#session = session;
    this.#ask = ask;
  }

  /** The decision that is open for this seat; undefined while it has nothing to decide. */
  get decision() {
    return this.latest.awaited.find(({ seat }) => seat === this.number)?.decision;
  }

  /** How the match ended; null while it goes on. */
  get outcome() {
    return this.latest.outcome;
  }

  /** Whether a bot plays this seat for its person, as after too many missed turns. */
  get hasBot() {
    return this.holders[this.number].is_bot;
  }

  /** Whether `updates` has handed out all that has come. */
  get isUpToDate() {
    return this.#unread.length === 0;
  }

  /** Milliseconds left to decide; Infinity while no clock runs. */
  get remainingMs() {
    return Math.max(0, this.#deadline - performance.now());
  }

  /** Every update from the first snapshot to the one that ends the match. For one reader. */
  async *updates() {
    for (;;) {
      for (let update; (update = this.#unread.shift());) {
        yield update;
        if (update.outcome) return;
      }
      if (this.#failure) throw this.#failure;
      await new Promise((resolve) => (this.#wake = () => resolve(null)));
    }
  }

  /** Act in the open decision. Returns once the action (an Any of the game's) is stored for good. */
  async act(action) {
    const acted = await this.#wish({ decision: this.decision ?? 0, action });
    this.moves += 1;
    return acted;
  }

  /** Hand the seat to a bot. */
  leave() {
    return this.#wish({ leave: {} });
  }

  /** Take the seat back from its bot. */
  takeBack() {
    return this.#wish({ take_back: {} });
  }

  /** What can be done with a selection: an Any of the game's for another. */
  async targets(selection) {
    return (await this.#ask(this, { targets: { selection } })).targets.targets;
  }

  /** A new wish takes a new counter; every repeat of it keeps the key. One at a time: callers wait for it. */
  async #wish(wish) {
    this.#counter += 1;
    const key = { session: this.#session, counter: this.#counter };
    return (await this.#ask(this, { act: { key, ...wish } })).acted;
  }

  /** For the stream: an update has come. */
  receive(update) {
    if (update.sequence <= this.sequence && !update.reset) return; // seen before a stream broke
    this.sequence = update.sequence;
    this.latest = update;
    this.givenBackMs += update.given_back_ms;
    if (update.game) this.game = update.game;
    if (update.seats.length) this.holders = update.seats;
    // Counted by our own monotonic clock: nobody's wall clock is asked.
    const hasClock = update._remaining_ms !== undefined;
    this.#deadline = hasClock ? performance.now() + update.remaining_ms : Infinity;
    this.#unread.push(update);
    this.#wake();
  }

  /** For the stream: nothing more will come. */
  fail(error) {
    this.#failure = error;
    this.#wake();
  }
}
