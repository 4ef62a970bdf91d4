/** A finger that rests on a triangle looks at it; lifting it then is no tap. */

const REST_MS = 350;

/** Follows one finger. */
export class Peek {
  readonly #show: (triangle: number | null) => void;
  #timer = 0;
  #wasShown = false;

  /** `show` is called with the triangle that is looked at, and with null when that ends. */
  constructor(show: (triangle: number | null) => void) {
    this.#show = show;
  }

  /** A finger came down on a triangle. */
  down(triangle: number): void {
    clearTimeout(this.#timer);
    this.#wasShown = false;
    this.#timer = Number(
      setTimeout(() => {
        this.#wasShown = true;
        this.#show(triangle);
      }, REST_MS),
    );
  }

  /** It was lifted, or went on to drag. */
  up(): void {
    clearTimeout(this.#timer);
    if (this.#wasShown) this.#show(null);
  }

  /** Whether the click that follows was only a look. Asked once for each click. */
  swallows(): boolean {
    const wasShown = this.#wasShown;
    this.#wasShown = false;
    return wasShown;
  }
}
