/** Pan and zoom by mouse, touch and wheel over one element. Taps pass through as clicks; drags do not. */
import { FITTED, panned, revealing, zoomedAt, type Frame, type Viewport } from "./viewport";

/** A pointer that moved less than this many pixels meant a tap. */
const TAP_SLOP = 8;
const SETTLE_MS = 160;

interface Spot {
  x: number;
  y: number;
}

/** Follows an element's pointers. `view` is what to draw. */
export class PanZoom {
  view = $state.raw<Viewport>(FITTED);
  /** Fingers or wheel are at work: draw fast rather than sharp. */
  isMoving = $state(false);

  readonly #spots = new Map<number, Spot>();
  #element: HTMLElement | null = null;
  #travelled = 0;
  #settle = 0;

  /** For `use:` on the frame. */
  readonly attach = (element: HTMLElement) => {
    this.#element = element;
    const end = new AbortController();
    const { signal } = end;
    element.addEventListener("pointerdown", this.#down, { signal });
    element.addEventListener("pointermove", this.#move, { signal });
    for (const name of ["pointerup", "pointercancel"] as const)
      element.addEventListener(name, this.#up, { signal });
    element.addEventListener("wheel", this.#wheel, { signal, passive: false });
    element.addEventListener("click", this.#swallowDrag, { signal, capture: true });
    return { destroy: () => end.abort() };
  };

  /** Back to the whole picture. */
  recenter(): void {
    this.view = FITTED;
  }

  /** Zoom about the middle, for keys. */
  zoom(factor: number): void {
    this.view = zoomedAt(this.view, factor, { x: 0, y: 0 }, this.#frame());
  }

  /** Bring a point of the fitted picture into view, for keys. */
  reveal(at: Spot): void {
    this.view = revealing(this.view, at, this.#frame());
  }

  #frame(): Frame {
    const { clientWidth: width = 1, clientHeight: height = 1 } = this.#element ?? {};
    return { width, height };
  }

  #fromCentre(event: { clientX: number; clientY: number }): Spot {
    const box = this.#element?.getBoundingClientRect() ?? new DOMRect();
    return {
      x: event.clientX - box.left - box.width / 2,
      y: event.clientY - box.top - box.height / 2,
    };
  }

  #down = (event: PointerEvent) => {
    if (event.button !== 0) return;
    if (this.#spots.size === 0) this.#travelled = 0;
    this.#spots.set(event.pointerId, this.#fromCentre(event));
    if (this.#spots.size > 1) this.#travelled = TAP_SLOP + 1;
  };

  #move = (event: PointerEvent) => {
    const before = this.#spots.get(event.pointerId);
    if (!before) return;
    const now = this.#fromCentre(event);
    const [dx, dy] = [now.x - before.x, now.y - before.y];
    this.#travelled += Math.hypot(dx, dy);
    if (this.#travelled <= TAP_SLOP) return;
    this.#element?.setPointerCapture(event.pointerId);
    this.isMoving = true;
    const other = [...this.#spots].find(([id]) => id !== event.pointerId)?.[1];
    this.#spots.set(event.pointerId, now);
    this.view = other
      ? this.#pinched(before, now, other)
      : panned(this.view, dx, dy, this.#frame());
  };

  #pinched(before: Spot, now: Spot, other: Spot): Viewport {
    const spread = (spot: Spot) => Math.max(1, Math.hypot(spot.x - other.x, spot.y - other.y));
    const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
    const moved = panned(this.view, (now.x - before.x) / 2, (now.y - before.y) / 2, this.#frame());
    return zoomedAt(moved, spread(now) / spread(before), middle, this.#frame());
  }

  #up = (event: PointerEvent) => {
    this.#spots.delete(event.pointerId);
    if (this.#spots.size === 0) this.isMoving = false;
  };

  #wheel = (event: WheelEvent) => {
    event.preventDefault();
    const step = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    const factor = Math.exp(-event.deltaY * step * (event.ctrlKey ? 0.01 : 0.0018));
    this.view = zoomedAt(this.view, factor, this.#fromCentre(event), this.#frame());
    this.isMoving = true;
    clearTimeout(this.#settle);
    this.#settle = Number(setTimeout(() => (this.isMoving = false), SETTLE_MS));
  };

  #swallowDrag = (event: MouseEvent) => {
    if (this.#travelled <= TAP_SLOP) return;
    this.#travelled = 0;
    event.stopPropagation();
    event.preventDefault();
  };
}
