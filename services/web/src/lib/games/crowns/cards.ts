/** What is written on cards: the services tell, the page knows none. Pure. */
import { fromBinary } from "@bufbuild/protobuf";
import type { Any } from "@bufbuild/protobuf/wkt";
import { CatalogueSchema, type Card } from "$gen/arena/games/crowns/v1/crowns_pb";
import { words } from "./words";

/** A character as shown. */
export type CardFace = Pick<Card, "name" | "ability" | "colour" | "text" | "flavour">;

/** The faces of all cards, by number. */
export function facesOf(catalogue: Any | undefined): (number: number) => CardFace {
  const cards = catalogue ? fromBinary(CatalogueSchema, catalogue.value).cards : [];
  const faces = new Map(cards.map((card) => [card.number, card]));
  return (number) => faces.get(number) ?? unknown(number);
}

function unknown(number: number): CardFace {
  return { name: words.card.unknown(number), ability: "", colour: "", text: "", flavour: "" };
}
