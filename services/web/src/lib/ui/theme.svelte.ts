/** Light, dark, or as the device is set. */

const KEY = "arena.theme";
const CHOICES = ["auto", "light", "dark"] as const;

/** What can be chosen. */
export type ThemeChoice = (typeof CHOICES)[number];

/** The chosen theme, put on the document and kept in local storage. */
class Theme {
  choice = $state<ThemeChoice>("auto");
  readonly #device = matchMedia("(prefers-color-scheme: dark)");

  constructor() {
    const stored = localStorage.getItem(KEY);
    this.choice = CHOICES.find((each) => each === stored) ?? "auto";
    this.#device.addEventListener("change", () => this.#apply());
    this.#apply();
  }

  /** On to the next choice. */
  next(): void {
    this.choice = CHOICES[(CHOICES.indexOf(this.choice) + 1) % CHOICES.length] ?? "auto";
    localStorage.setItem(KEY, this.choice);
    this.#apply();
  }

  #apply(): void {
    const isDark = this.choice === "dark" || (this.choice === "auto" && this.#device.matches);
    document.documentElement.dataset.theme = isDark ? "dark" : "light";
  }
}

/** The page's theme. */
export const theme = new Theme();
