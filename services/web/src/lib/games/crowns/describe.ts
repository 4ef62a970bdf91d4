/** Places and targets in words, for hints and screen readers. Pure. */
import type { Preview, Target, View } from "$gen/arena/games/crowns/v1/crowns_pb";
import { texts } from "../../../texts";
import { relicName, type RelicName } from "./names";

type NameOf = (seat: number) => string;

/** What is on a triangle, as several short sentences. */
export function describeTriangle(view: View, triangle: number, name: NameOf): string {
  const said: string[] = [];
  const gate = view.seats.findIndex((seat) => seat.gate === triangle);
  if (gate >= 0) said.push(texts.hint.gate(name(gate)));
  for (const each of view.formations) {
    if (each.triangle === triangle) said.push(`${texts.board.formation(name(each.seat), each)}.`);
  }
  for (const relic of relicsAt(view, triangle)) {
    said.push(`${texts.relic[relic].name}: ${texts.relic[relic].does}`);
  }
  return said.join(" ") || texts.hint.empty;
}

/** A triangle's name for screen readers: its number, what is on it, whether it is a target. */
export function labelOf(view: View, triangle: number, name: NameOf, target?: Target): string {
  const parts = [texts.board.triangle(triangle)];
  const gate = view.seats.findIndex((seat) => seat.gate === triangle);
  if (gate >= 0) parts.push(texts.board.gate(name(gate)));
  for (const each of view.formations) {
    if (each.triangle === triangle) parts.push(texts.board.formation(name(each.seat), each));
  }
  parts.push(...relicsAt(view, triangle).map((relic) => texts.relic[relic].name));
  if (view.snares.some((snare) => snare.triangle === triangle)) parts.push(texts.board.snared);
  if (target) parts.push(`${texts.board.target}: ${previewText(target.preview, name)}`);
  return parts.join(", ");
}

/** What acting on a target would do. */
export function previewText(preview: Preview | undefined, name: NameOf): string {
  if (!preview) return texts.preview.move;
  const words = texts.preview;
  const said: string[] = [];
  if (preview.wins) said.push(words.wins);
  if (preview.isBlocked) said.push(words.blocked);
  if (preview.kingsDefeated.length > 0) said.push(words.kings(preview.kingsDefeated.map(name)));
  if (preview.knightsDefeated > 0) said.push(words.knights(preview.knightsDefeated));
  const relics = preview.relics.map(relicName).filter((each) => each !== null);
  if (relics.length > 0) said.push(words.relics(relics));
  return said.join(" ") || words.move;
}

function relicsAt(view: View, triangle: number): RelicName[] {
  return view.relics
    .filter((each) => each.triangle === triangle)
    .map((each) => relicName(each.relic))
    .filter((each) => each !== null);
}
