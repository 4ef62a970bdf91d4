/**
 * Pan and zoom by mouse, touch and wheel over one element. Taps pass through as clicks; drags do not.
 *
 * While something moves, one style of one element changes each frame, and no layout is read: the picture is a layer of
 * its own that was drawn before and is only shifted, or stretched. Once it rests, it is drawn anew at its new size.
 */
import { FITTED, panned, revealing, zoomedAt, type Viewport } from "./viewport";

/** A pointer that moved less than this many pixels meant a tap. */
const TAP_SLOP = 8;
const SETTLE_MS = 160;

interface Spot {
  x: number;
  y: number;
}

/** Moves a plane within a frame. */
export class PanZoom {
  readonly #spots = new Map<number, Spot>();
  #view: Viewport = FITTED;
  /** The scale at which the plane was last drawn. */
  #drawnScale = 1;
  #frame: HTMLElement | null = null;
  #plane: HTMLElement | null = null;
  #drawing: ElementCSSInlineStyle | null = null;
  /** An animation that stands still: browsers hand its changes on without laying out or painting anything. */
  readonly #pose = new KeyframeEffect(null, null, { duration: 1, fill: "both" });
  /** Where the frame is on the screen; read as a gesture begins. */
  #box = new DOMRect();
  #travelled = 0;
  #settle = 0;

  /** For `use:` on what is drawn within the plane, its origin at the plane's middle. */
  readonly drawing = (drawing: ElementCSSInlineStyle) => {
    this.#drawing = drawing;
  };

  /** For `use:` on the frame. Its first child is the plane, as big as it is. */
  readonly attach = (frame: HTMLElement) => {
    this.#frame = frame;
    this.#plane = frame.firstElementChild as HTMLElement;
    this.#pose.target = this.#plane;
    new Animation(this.#pose).pause();
    this.#rest();
    const end = new AbortController();
    const { signal } = end;
    frame.addEventListener("pointerdown", this.#down, { signal });
    frame.addEventListener("pointermove", this.#move, { signal, passive: true });
    for (const name of ["pointerup", "pointercancel"] as const)
      frame.addEventListener(name, this.#up, { signal });
    frame.addEventListener("wheel", this.#wheel, { signal, passive: false });
    frame.addEventListener("click", this.#swallowDrag, { signal, capture: true });
    return { destroy: () => end.abort() };
  };

  /** Back to the whole picture. */
  recenter(): void {
    this.#view = FITTED;
    this.#rest();
  }

  /** Zoom about the middle, for keys. */
  zoom(factor: number): void {
    this.#measure();
    this.#view = zoomedAt(this.#view, factor, { x: 0, y: 0 }, this.#box);
    this.#rest();
  }

  /** Bring a point of the fitted picture into view, for keys. */
  reveal(at: Spot): void {
    this.#measure();
    this.#view = revealing(this.#view, at, this.#box);
    this.#show();
  }

  #measure(): void {
    if (this.#frame) this.#box = this.#frame.getBoundingClientRect();
  }

  #fromCentre({ clientX, clientY }: { clientX: number; clientY: number }): Spot {
    const { left, top, width, height } = this.#box;
    return { x: clientX - left - width / 2, y: clientY - top - height / 2 };
  }

  #down = (event: PointerEvent) => {
    if (event.button !== 0) return;
    if (this.#spots.size === 0) {
      this.#travelled = 0;
      this.#measure();
    }
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
    this.#begin(event.pointerId);
    const other = [...this.#spots].find(([id]) => id !== event.pointerId)?.[1];
    this.#spots.set(event.pointerId, now);
    this.#view = other ? this.#pinched(before, now, other) : panned(this.#view, dx, dy, this.#box);
    this.#show();
  };

  /** A drag is under way: its pointer is the frame's alone. */
  #begin(pointer: number): void {
    if (this.#frame?.hasPointerCapture(pointer)) return;
    this.#frame?.setPointerCapture(pointer);
    this.#frame?.classList.add("is-moving");
  }

  #pinched(before: Spot, now: Spot, other: Spot): Viewport {
    const spread = (spot: Spot) => Math.max(1, Math.hypot(spot.x - other.x, spot.y - other.y));
    const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
    const [dx, dy] = [(now.x - before.x) / 2, (now.y - before.y) / 2];
    const moved = panned(this.#view, dx, dy, this.#box);
    return zoomedAt(moved, spread(now) / spread(before), middle, this.#box);
  }

  #up = (event: PointerEvent) => {
    if (this.#spots.delete(event.pointerId) && this.#spots.size === 0) this.#rest();
  };

  #wheel = (event: WheelEvent) => {
    event.preventDefault();
    const step = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    const factor = Math.exp(-event.deltaY * step * (event.ctrlKey ? 0.01 : 0.0018));
    this.#measure();
    this.#view = zoomedAt(this.#view, factor, this.#fromCentre(event), this.#box);
    this.#show();
    clearTimeout(this.#settle);
    this.#settle = Number(setTimeout(() => this.#rest(), SETTLE_MS));
  };

  #swallowDrag = (event: MouseEvent) => {
    if (this.#travelled <= TAP_SLOP) return;
    this.#travelled = 0;
    event.stopPropagation();
    event.preventDefault();
  };

  /** Shift and stretch what is drawn already. */
  #show(): void {
    const { x, y, scale } = this.#view;
    const transform = `translate(${x}px, ${y}px) scale(${scale / this.#drawnScale})`;
    this.#pose.setKeyframes([{ transform }, { transform }]);
  }

  /** Nothing moves any more: draw sharply, at the size that is seen. */
  #rest(): void {
    this.#frame?.classList.remove("is-moving");
    this.#drawnScale = this.#view.scale;
    if (this.#drawing) this.#drawing.style.transform = `scale(${this.#drawnScale})`;
    this.#show();
  }
}
