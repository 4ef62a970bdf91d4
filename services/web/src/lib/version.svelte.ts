/** Whether the server has a newer page than this one. Asked when the page comes back to the fore, answered once. */

const PATH = "/version.json";
const EVERY_MS = 5 * 60 * 1000;

class Version {
  isOld = $state(false);
  #wasAsked = false;

  constructor() {
    setInterval(() => void this.#check(), EVERY_MS);
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") void this.#check();
    });
  }

  /** Not now: do not ask again. */
  dismiss(): void {
    this.isOld = false;
  }

  async #check(): Promise<void> {
    if (this.#wasAsked) return;
    try {
      const answer = await fetch(PATH, { cache: "no-store" });
      const { version } = (await answer.json()) as { version?: unknown };
      if (typeof version !== "string" || version === __VERSION__) return;
      this.#wasAsked = this.isOld = true;
    } catch {
      // The server is away or has no such file: nothing to say about versions.
    }
  }
}

/** This page's version. */
export const version = new Version();
