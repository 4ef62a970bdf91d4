/** What is written on cards, as far as the services have told. Pure. */
import { texts } from "../../../texts";

/** A character as shown. */
export interface CardFace {
  readonly name: string;
  readonly ability: string;
  /** gold red violet blue green white black, or empty while unknown. */
  readonly colour: string;
  /** What it does, one line. */
  readonly text: string;
  readonly flavour: string;
}

/** The face of a card that nothing is known of. */
export function unknownFace(number: number): CardFace {
  return { name: texts.card.unknown(number), ability: "", colour: "", text: "", flavour: "" };
}
