/** A name for somebody who has not given one. */
import { texts } from "../../texts";

/** "Guest 4711". */
export function guestName(random: () => number = Math.random): string {
  return texts.lobby.guest(1000 + Math.floor(random() * 9000));
}
