/** The one line that says what to do next. Pure. */
import type { View } from "$gen/arena/games/crowns/v1/crowns_pb";
import type { Picked } from "./selection";
import { words } from "./words";

/** All that the line depends on. */
export interface HintContext {
  readonly view: View;
  readonly seat: number | null;
  readonly isMyTurn: boolean;
  readonly isSending: boolean;
  readonly isLooking: boolean;
  readonly picked: Picked;
  readonly litCount: number;
  readonly hasRivals: boolean;
  readonly hasPlain: boolean;
  /** Card's own line while one is picked up. */
  readonly cardText: string;
  /** What is lit is to be lifted, and its goal still to be chosen. */
  readonly isLift: boolean;
  /** Why nothing can be done with what is picked up, where the services said. */
  readonly obstacle: string;
  name(seat: number): string;
}

/** What to do, or whom to wait for. */
export function hintOf(context: HintContext): string {
  const { view, seat } = context;
  const hint = words.hint;
  if (view.ended) return hint.ended;
  if (context.isSending) return hint.sending;
  if (context.isMyTurn) return ownTurn(context);
  if (seat !== null && view.seats[seat]?.isAlive === false) return hint.out;
  return (view.shieldChoices.length > 0 ? hint.waitForShield : hint.waitFor)(
    context.name(view.turn),
  );
}

function ownTurn(context: HintContext): string {
  const { view, seat, picked } = context;
  const hint = words.hint;
  if (view.shieldChoices.length > 0) return hint.chooseShield;
  if (picked?.kind === "card") return withCard(context);
  if (picked && (context.isLooking || context.litCount > 0)) return hint.chooseTarget;
  if (picked) return hint.noTarget;
  if (view.hasMoved) return hint.movesLeft(view.movesLeft);
  if (seat !== null && view.seats[seat]?.isBearer) return hint.bearerHome;
  return hint.yourTurn;
}

function withCard({
  picked,
  cardText,
  hasRivals,
  hasPlain,
  litCount,
  obstacle,
  isLift,
}: HintContext): string {
  const hint = words.hint;
  if (obstacle) return `${cardText} ${obstacle}`;
  if (hasRivals) return `${cardText} ${hint.chooseRival}`;
  if (hasPlain || litCount === 0) return cardText;
  const isLanding = picked?.kind === "card" && picked.triangle !== undefined;
  if (isLanding) return hint.chooseLanding;
  return `${cardText} ${isLift ? hint.chooseLift : hint.chooseTarget}`;
}
