/** The player's hand at the table: what is picked up, what it could do, and what a tap makes of it. */
import { create, fromBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { anyPack } from "@bufbuild/protobuf/wkt";
import {
  ActionSchema,
  SelectionSchema,
  TargetsSchema,
  type Target,
} from "$gen/arena/games/crowns/v1/crowns_pb";
import { failureOf } from "../../api/errors";
import { countsOf, standingOn } from "./pieces";
import { pickWhole, stillPicked, tapUnit, type Picked } from "./selection";
import type { Table } from "./table.svelte";
import { isLit, meaningOf, type Meaning } from "./taps";
import { words } from "./words";

const WORD_MS = 3_500;

/** What the game's own messages hold. */
type ActionInit = NonNullable<MessageInitShape<typeof ActionSchema>["action"]>;
type SelectionInit = NonNullable<MessageInitShape<typeof SelectionSchema>["selection"]>;

/** One player's dealings with a table. Spectators have one too, which does nothing but describe. */
export class Play {
  picked = $state.raw<Picked>(null);
  /** All targets of what is picked; empty until they are known. */
  targets = $state.raw<readonly Target[]>([]);
  /** Targets are on their way. */
  isLooking = $state(false);
  /** A word for a moment: why a tap did nothing, or what the services said. */
  word = $state("");

  readonly byTriangle = $derived(
    new Map(this.targets.flatMap((t) => (t.triangle === undefined ? [] : [[t.triangle, t]]))),
  );
  readonly lit = $derived(new Map([...this.byTriangle].filter(([, target]) => isLit(target))));
  readonly rivals = $derived(this.targets.filter((target) => target.rival !== undefined));
  /** The target of a card that is aimed at nothing. */
  readonly plain = $derived(
    this.targets.find((t) => t.triangle === undefined && t.rival === undefined) ?? null,
  );
  /** What is lit is to be lifted first: a card moves it, and where to is asked next. */
  readonly isLift = $derived([...this.lit.values()].some((target) => !target.action));
  /** Why nothing can be done with what is picked, if nothing can; empty otherwise. */
  readonly obstacle = $derived(
    this.targets.some(isLit) ? "" : (this.targets.find((target) => target.reason)?.reason ?? ""),
  );
  readonly isMyTurn = $derived.by(
    () => this.table.session.decision !== null && !this.table.session.isBotPlaying,
  );
  readonly shieldChoices = $derived.by(
    () => new Set(this.isMyTurn ? this.table.view?.shieldChoices : []),
  );

  readonly #known = new Map<string, readonly Target[]>();
  readonly #describe: (triangle: number) => string;
  #asked = 0;
  #looking: Promise<void> = Promise.resolve();
  #wordTimer = 0;
  #decision: bigint | null = null;

  constructor(
    readonly table: Table,
    describe: (triangle: number) => string,
  ) {
    this.#describe = describe;
  }

  /** Take note that the position changed: drop what does not hold any more. */
  refresh(): void {
    const { decision } = this.table.session;
    const picked = stillPicked(this.picked, this.table.pieces, this.table.hand);
    const hasChanged = decision !== this.#decision;
    this.#decision = decision;
    if (hasChanged) this.#known.clear();
    if (picked === null || hasChanged) this.#pick(picked);
  }

  /** A tap on a triangle, on the piece `id` where it hit one. Waits for targets that are on their way. */
  async tap(triangle: number, id: number | null): Promise<void> {
    if (this.isLooking) await this.#looking;
    const { seat } = this.table.session;
    const meaning = meaningOf(triangle, id, {
      picked: this.picked,
      targets: this.byTriangle,
      shieldChoices: this.shieldChoices,
      isOwn: (where) => this.table.formations.get(where)?.seat === seat,
    });
    this.#carryOut(meaning);
  }

  /** A tap on one of the picked formation's units, by its place from 0. */
  tapPlace(place: number): void {
    if (this.picked?.kind !== "group") return;
    const piece = standingOn(this.table.pieces, this.picked.triangle)[place];
    if (piece) this.#pick(tapUnit(this.picked, piece.id));
  }

  /** Pick up a card of the own hand, or put it back. */
  tapCard(card: number): void {
    const isPicked = this.picked?.kind === "card" && this.picked.card === card;
    this.#pick(isPicked ? null : { kind: "card", card });
  }

  /** Put down whatever is picked up. */
  clear(): void {
    this.#pick(null);
  }

  /** Do what a target stands for. */
  async take(target: Target): Promise<void> {
    if (target.action) await this.act(target.action.action);
    else if (target.reason) this.say(target.reason);
  }

  /** Send an action; says why when it is refused. */
  async act(action: ActionInit): Promise<void> {
    const { session } = this.table;
    const message = anyPack(ActionSchema, create(ActionSchema, { action }));
    const decision = action.case === "resign" ? 0n : (session.decision ?? 0n);
    this.#pick(null);
    try {
      await session.act({ case: "action", value: message }, decision);
    } catch (error) {
      this.say(failureOf(error).message);
    }
  }

  /** Show a word for a moment. */
  say(word: string): void {
    clearTimeout(this.#wordTimer);
    this.word = word;
    this.#wordTimer = Number(setTimeout(() => (this.word = ""), WORD_MS));
  }

  #carryOut(meaning: Meaning): void {
    switch (meaning.do) {
      case "gild":
        void this.act({ case: "chooseShield", value: { triangle: meaning.triangle } });
        return;
      case "act":
        void this.take(meaning.target);
        return;
      case "lift":
        if (this.picked?.kind === "card")
          this.#pick({ ...this.picked, triangle: meaning.triangle });
        return;
      case "unit":
        if (this.picked?.kind === "group") this.#pick(tapUnit(this.picked, meaning.id));
        return;
      case "pick":
        this.#pick(pickWhole(meaning.triangle, standingOn(this.table.pieces, meaning.triangle)));
        return;
      case "clear":
        this.#pick(null);
        this.say(meaning.why || this.#whyNot(meaning.triangle));
        return;
      case "describe":
        this.say(this.#describe(meaning.triangle));
    }
  }

  #whyNot(triangle: number): string {
    return this.isMyTurn ? words.hint.outOfReach : this.#describe(triangle);
  }

  #pick(picked: Picked): void {
    this.picked = picked;
    this.targets = [];
    if (picked) this.word = "";
    this.#looking = this.#look();
  }

  async #look(): Promise<void> {
    const asked = ++this.#asked;
    const selection = this.isMyTurn ? this.#selection() : null;
    this.isLooking = false;
    if (!selection) return;
    const key = JSON.stringify(selection);
    const known = this.#known.get(key);
    if (known) {
      this.targets = known;
      return;
    }
    this.isLooking = true;
    const found = await this.#ask(selection);
    if (asked !== this.#asked) return;
    this.isLooking = false;
    if (!found) {
      // Nobody said that nothing is in reach: let go, so that picking up again asks again.
      this.picked = null;
      return;
    }
    this.#known.set(key, found);
    this.targets = found;
  }

  async #ask(selection: SelectionInit): Promise<readonly Target[] | null> {
    const message = create(SelectionSchema, { selection });
    try {
      const answer = await this.table.session.targets(anyPack(SelectionSchema, message));
      if (!answer?.targets) return [];
      return fromBinary(TargetsSchema, answer.targets.value).targets;
    } catch (error) {
      this.say(failureOf(error).message);
      return null;
    }
  }

  #selection(): SelectionInit | null {
    const { picked } = this;
    if (!picked) return null;
    if (picked.kind === "card") {
      const { card, triangle } = picked;
      return { case: "cardInHand", value: triangle === undefined ? { card } : { card, triangle } };
    }
    const pieces = this.table.pieces.filter((piece) => picked.ids.has(piece.id));
    return { case: "group", value: { triangle: picked.triangle, ...countsOf(pieces) } };
  }
}
