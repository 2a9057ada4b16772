import type { Signal } from '@preact/signals';
import { firstOrbit, type Orbit, turned, zoomed } from './orbit.js';

/** Radians for each CSS pixel of a drag. */
const perPixel = 0.008;
/** Radians for each press of an arrow key. */
const perKey = Math.PI / 36;
const keyZoom = 1.25;

const byKey: Readonly<Record<string, (orbit: Orbit) => Orbit>> = {
  ArrowLeft: (orbit) => turned(orbit, { yaw: perKey, pitch: 0 }),
  ArrowRight: (orbit) => turned(orbit, { yaw: -perKey, pitch: 0 }),
  ArrowUp: (orbit) => turned(orbit, { yaw: 0, pitch: -perKey }),
  ArrowDown: (orbit) => turned(orbit, { yaw: 0, pitch: perKey }),
  '+': (orbit) => zoomed(orbit, keyZoom),
  '=': (orbit) => zoomed(orbit, keyZoom),
  '-': (orbit) => zoomed(orbit, 1 / keyZoom),
  f: () => firstOrbit,
};

/**
 * Turns a cloud by what is done on its element: a drag and the arrow keys turn it; wheel, two fingers, `+` and `-` zoom;
 * `f` shows all of it.
 * @returns stops it
 */
export function followOrbitGestures(element: HTMLElement, orbit: Signal<Orbit>): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const down = new Map<number, { readonly x: number; readonly y: number }>();
  element.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      const pixels = event.deltaY * (event.deltaMode === 0 ? 1 : event.deltaMode === 1 ? 16 : 240);
      orbit.value = zoomed(orbit.peek(), Math.exp(-pixels * (event.ctrlKey ? 0.01 : 0.0015)));
    },
    { passive: false, signal },
  );
  const onDown = (event: PointerEvent) => {
    if (event.button > 1) return;
    down.set(event.pointerId, { x: event.clientX, y: event.clientY });
    element.setPointerCapture(event.pointerId);
  };
  const onMove = (event: PointerEvent) => {
    const before = down.get(event.pointerId);
    if (before === undefined) return;
    const place = { x: event.clientX, y: event.clientY };
    const other = [...down].find(([id]) => id !== event.pointerId)?.[1];
    if (other === undefined) {
      const by = { yaw: (before.x - place.x) * perPixel, pitch: (place.y - before.y) * perPixel };
      orbit.value = turned(orbit.peek(), by);
    } else {
      const was = Math.hypot(before.x - other.x, before.y - other.y);
      const is = Math.hypot(place.x - other.x, place.y - other.y);
      if (was >= 1) orbit.value = zoomed(orbit.peek(), is / was);
    }
    down.set(event.pointerId, place);
  };
  const onUp = (event: PointerEvent) => down.delete(event.pointerId);
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = byKey[event.key];
    if (act === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    orbit.value = act(orbit.peek());
  };
  // The keys need the focus.
  element.tabIndex = 0;
  element.addEventListener('pointerdown', onDown, { signal });
  element.addEventListener('pointermove', onMove, { signal });
  element.addEventListener('pointerup', onUp, { signal });
  element.addEventListener('pointercancel', onUp, { signal });
  element.addEventListener('keydown', onKey, { signal });
  return () => stop.abort();
}
