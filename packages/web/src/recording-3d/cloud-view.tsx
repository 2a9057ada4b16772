import { counted } from '@azimuth/model';
import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { ScaleBar } from '../live/live-view.js';
import { scalePixels, ThemeColours } from '../plan/colours.js';
import {
  CloudPicture,
  type Colouring,
  extentOf,
  firstOrbit,
  type Orbit,
  shadedBy,
  turned,
  zoomed,
} from './cloud-picture.js';
import type { Cloud } from './pcd.js';

/** Points that are drawn while the cloud turns; when it rests, all are drawn. */
const mostWhileTurning = 300_000;
/** ms without a change until all points are drawn. */
const restAfter = 150;

const above: Orbit = { ...firstOrbit, yaw: 0, pitch: Math.PI / 2 };
const ahead: Orbit = { ...firstOrbit, yaw: 0, pitch: 0 };

/** A point cloud to turn and to zoom. */
export function CloudView({ cloud }: { cloud: Cloud }) {
  const colouring = useSignal<Colouring>('height');
  const orbit = useSignal(firstOrbit);
  const isDark = useSignal(false);
  const stage = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const shown = colouring.value;
  const shaded = useMemo(() => shadedBy(shown, cloud), [cloud, shown]);
  const extent = useMemo(() => extentOf(cloud), [cloud]);

  useEffect(() => {
    const element = stage.current;
    if (element === null) return;
    return followOrbitGestures(element, orbit);
  }, [orbit]);

  useEffect(() => {
    const [element, drawn] = [stage.current, canvas.current];
    const context = drawn?.getContext('2d');
    if (element === null || drawn === null || !context) return;
    const theme = new ThemeColours(element);
    let picture = new CloudPicture(1, 1);
    let frame = 0;
    let rest: ReturnType<typeof setTimeout> | undefined;
    const paint = (step: number) => {
      const ratio = Math.min(2, devicePixelRatio);
      const width = Math.max(1, Math.round(element.clientWidth * ratio));
      const height = Math.max(1, Math.round(element.clientHeight * ratio));
      if (picture.width !== width || picture.height !== height) {
        picture = new CloudPicture(width, height);
        drawn.width = width;
        drawn.height = height;
      }
      isDark.value = theme.colours.peek().isDark;
      const pixels = scalePixels(isDark.peek());
      const dot = Math.max(1, Math.round(1.5 * ratio));
      picture.draw({ cloud, extent, shades: shaded.shades, pixels, orbit: orbit.peek(), dot }, step);
      const bytes = new Uint8ClampedArray(picture.pixels.buffer);
      context.putImageData(new ImageData(bytes, width, height), 0, 0);
    };
    const changed = () => {
      clearTimeout(rest);
      const step = Math.max(1, Math.ceil(cloud.count / mostWhileTurning));
      if (step > 1) rest = setTimeout(() => paint(1), restAfter);
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => paint(step));
    };
    const stopOrbit = orbit.subscribe(changed);
    const stopColours = theme.colours.subscribe(changed);
    const size = new ResizeObserver(changed);
    size.observe(element);
    return () => {
      size.disconnect();
      stopColours();
      stopOrbit();
      theme.stop();
      cancelAnimationFrame(frame);
      clearTimeout(rest);
    };
  }, [cloud, extent, shaded, orbit, isDark]);

  const look = (from: Orbit) => () => {
    orbit.value = from;
  };
  return (
    <div class="cloud">
      <div class="row">
        <fieldset class="row choices">
          <legend class="hidden-text">View</legend>
          <button type="button" onClick={look(firstOrbit)} aria-keyshortcuts="f" title="Show everything: f">
            Fit
          </button>
          <button type="button" onClick={look(above)}>
            From above
          </button>
          <button type="button" onClick={look(ahead)}>
            From behind
          </button>
          <button type="button" onClick={look(turned(ahead, { yaw: Math.PI / 2, pitch: 0 }))}>
            From the right
          </button>
        </fieldset>
        {cloud.strengths !== undefined && (
          <select
            aria-label="Colours"
            value={shown}
            onChange={({ currentTarget: { value } }) => {
              colouring.value = value === 'strength' ? 'strength' : 'height';
            }}
          >
            <option value="height">Colour: height</option>
            <option value="strength">Colour: RSSI</option>
          </select>
        )}
      </div>
      <div class="cloud-stage">
        <div
          class="cloud-surface"
          ref={stage}
          role="application"
          aria-label={`Point cloud of ${counted(cloud.count, 'point')}. Arrow keys turn it, plus and minus zoom.`}
        >
          <canvas ref={canvas} />
        </div>
        <div class="zoom">
          <button
            type="button"
            aria-label="Zoom in"
            title="Zoom in: +"
            onClick={() => {
              orbit.value = zoomed(orbit.peek(), 1.4);
            }}
          >
            +
          </button>
          <button
            type="button"
            aria-label="Zoom out"
            title="Zoom out: -"
            onClick={() => {
              orbit.value = zoomed(orbit.peek(), 1 / 1.4);
            }}
          >
            −
          </button>
        </div>
      </div>
      <div class="legend small">
        <span>
          {shown === 'strength' ? `RSSI ${Math.round(shaded.from)}` : `Height ${metres(shaded.from)}`}
        </span>
        <ScaleBar isDark={isDark.value} />
        <span>{shown === 'strength' ? Math.round(shaded.to) : metres(shaded.to)}</span>
        <span class="soft">Drag to turn, wheel or two fingers to zoom.</span>
      </div>
    </div>
  );
}

function metres(value: number): string {
  return `${value.toFixed(2).replace('-', '−')} m`;
}

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
function followOrbitGestures(element: HTMLElement, orbit: Signal<Orbit>): () => void {
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
