/** Places and targets in words, for hints and screen readers. Pure. */
import type { Preview, Target, View } from "$gen/arena/games/crowns/v1/crowns_pb";
import { relicName, type RelicName } from "./names";
import { words } from "./words";

type NameOf = (seat: number) => string;

/** What is on a triangle, as several short sentences. */
export function describeTriangle(view: View, triangle: number, name: NameOf): string {
  const said: string[] = [];
  const gate = view.seats.findIndex((seat) => seat.gate === triangle);
  if (gate >= 0) said.push(words.hint.gate(name(gate)));
  for (const each of view.formations) {
    if (each.triangle === triangle) said.push(`${words.board.formation(name(each.seat), each)}.`);
  }
  for (const relic of relicsAt(view, triangle)) {
    said.push(`${words.relic[relic].name}: ${words.relic[relic].does}`);
  }
  return said.join(" ") || words.hint.empty;
}

/** A triangle's name for screen readers: its number, what is on it, whether it is a target. */
export function labelOf(view: View, triangle: number, name: NameOf, target?: Target): string {
  const parts = [words.board.triangle(triangle)];
  const gate = view.seats.findIndex((seat) => seat.gate === triangle);
  if (gate >= 0) parts.push(words.board.gate(name(gate)));
  for (const each of view.formations) {
    if (each.triangle !== triangle) continue;
    parts.push(words.board.formation(name(each.seat), each));
    if (each.king && view.seats[each.seat]?.isBearer) parts.push(words.board.bearer);
    if (gate >= 0 && gate !== each.seat && view.seats[gate]?.isAlive)
      parts.push(words.board.blockaded);
  }
  parts.push(...relicsAt(view, triangle).map((relic) => words.relic[relic].name));
  if (view.snares.some((snare) => snare.triangle === triangle)) parts.push(words.board.snared);
  if (target) parts.push(`${words.board.target}: ${previewText(target.preview, name)}`);
  return parts.join(", ");
}

/** What acting on a target would do. */
export function previewText(preview: Preview | undefined, name: NameOf): string {
  if (!preview) return words.preview.move;
  const say = words.preview;
  const said: string[] = [];
  if (preview.wins) said.push(say.wins);
  if (preview.isBlocked) said.push(say.blocked);
  if (preview.kingsDefeated.length > 0) said.push(say.kings(preview.kingsDefeated.map(name)));
  if (preview.knightsDefeated > 0) said.push(say.knights(preview.knightsDefeated));
  const relics = preview.relics.map(relicName).filter((each) => each !== null);
  if (relics.length > 0) said.push(say.relics(relics));
  return said.join(" ") || say.move;
}

function relicsAt(view: View, triangle: number): RelicName[] {
  return view.relics
    .filter((each) => each.triangle === triangle)
    .map((each) => relicName(each.relic))
    .filter((each) => each !== null);
}
