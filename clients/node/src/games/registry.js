/**
 * What this client knows of each game; all else it asks the room. Another game is one more module like `crowns.js`.
 *
 * optionsType, actionType, selectionType   full names of the game's messages
 * offers(view, own, seat)     what the seat may pick up (`selections`), and what it may do without that (`plain`), to be
 *                             done where nothing that was picked up has a target
 * refine(selection, target)   the selection that a target leads to where it is no action yet; otherwise null
 * worth(preview)              how much a preview promises, as a number
 */

import { crowns } from "./crowns.js";
import { singhasan } from "./singhasan.js";

export const GAMES = { crowns, singhasan };
