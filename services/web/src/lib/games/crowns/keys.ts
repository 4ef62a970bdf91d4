/** What keys mean at a match, apart from those of the board itself. Pure. */

/** What to do. */
export type KeyAction =
  | { do: "unit" | "card"; place: number }
  | { do: "clear" | "end" | "recenter" | "log" }
  | { do: "zoom"; factor: number };

const KEYS: Record<string, KeyAction> = {
  "1": { do: "unit", place: 0 },
  "2": { do: "unit", place: 1 },
  "3": { do: "unit", place: 2 },
  q: { do: "card", place: 0 },
  w: { do: "card", place: 1 },
  a: { do: "card", place: 2 },
  e: { do: "end" },
  l: { do: "log" },
  "0": { do: "recenter" },
  "+": { do: "zoom", factor: 1.25 },
  "=": { do: "zoom", factor: 1.25 },
  "-": { do: "zoom", factor: 0.8 },
  escape: { do: "clear" },
};

/** The meaning of a key; null while text is typed, a dialog is open or the browser is meant. */
export function keyAction(event: KeyboardEvent): KeyAction | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  const target = event.target as Element | null;
  if (target?.closest?.("input, textarea, select, dialog, [role=menu]")) return null;
  return KEYS[event.key.toLowerCase()] ?? null;
}
