/** Which part of a picture is seen: scale and shift over the fitted picture. Pure. */

/** A drawn point p is seen at p * scale + (x, y), in pixels from the frame's centre. */
export interface Viewport {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

/** The whole picture, as it first appears. */
export const FITTED: Viewport = { scale: 1, x: 0, y: 0 };

const LARGEST = 5;

/** Size of the frame in pixels. */
export interface Frame {
  readonly width: number;
  readonly height: number;
}

/** Scale by `factor` so that what is under the point (pixels from the centre) stays there. */
export function zoomedAt(
  view: Viewport,
  factor: number,
  at: { x: number; y: number },
  frame: Frame,
) {
  const scale = Math.min(LARGEST, Math.max(1, view.scale * factor));
  const change = scale / view.scale;
  return held(
    { scale, x: at.x - (at.x - view.x) * change, y: at.y - (at.y - view.y) * change },
    frame,
  );
}

/** Shift by pixels. */
export function panned(view: Viewport, dx: number, dy: number, frame: Frame): Viewport {
  return held({ ...view, x: view.x + dx, y: view.y + dy }, frame);
}

/** Shift as little as needed to bring a point (pixels from the centre in the fitted picture) well into the frame. */
export function revealing(view: Viewport, at: { x: number; y: number }, frame: Frame): Viewport {
  const shift = (place: number, extent: number) => {
    const limit = extent * 0.4;
    return place > limit ? limit - place : place < -limit ? -limit - place : 0;
  };
  if (view.scale === 1) return view;
  const dx = shift(at.x * view.scale + view.x, frame.width);
  const dy = shift(at.y * view.scale + view.y, frame.height);
  return panned(view, dx, dy, frame);
}

/** The nearest viewport that does not push the picture's middle out of the frame. */
function held({ scale, x, y }: Viewport, frame: Frame): Viewport {
  const room = (extent: number) => (extent * scale) / 2 - extent * 0.1;
  const limit = (value: number, extent: number) =>
    Math.min(room(extent), Math.max(-room(extent), value));
  return { scale, x: limit(x, frame.width), y: limit(y, frame.height) };
}
