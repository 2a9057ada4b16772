import { counted } from '@azimuth/model';
import { type Signal, useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import { Choice, choosing, setting } from '../parts/inputs.js';
import { scalePixels, useCanvasDrawing } from '../plan/colours.js';
import { ScaleBar, ZoomButtons } from '../plan/floor-plan.js';
import { followPointers } from '../plan/gestures.js';
import type { Cloud } from './cloud.js';
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

/** Points that are drawn while the cloud turns; when it rests, all are drawn. */
const mostWhileTurning = 300_000;
/** ms without a change until all points are drawn. */
const restAfter = 150;

const ahead: Orbit = { ...firstOrbit, yaw: 0, pitch: 0 };
const views = [
  ['From above', { ...ahead, pitch: Math.PI / 2 }],
  ['From behind', ahead],
  ['From the right', turned(ahead, { yaw: Math.PI / 2, pitch: 0 })],
] as const;

export function CloudView({ cloud }: { cloud: Cloud }) {
  const colouring = useSignal<Colouring>('height');
  const orbit = useSignal(firstOrbit);
  const isDark = useSignal(false);
  const canvas = useRef<HTMLCanvasElement>(null);
  const shown = colouring.value;
  const shaded = useMemo(() => shadedBy(shown, cloud), [cloud, shown]);
  const extent = useMemo(() => extentOf(cloud), [cloud]);

  const stage = useCanvasDrawing(
    (element, theme) => {
      const target = canvas.current;
      const context = target?.getContext('2d');
      if (target === null || !context) return;
      let picture = new CloudPicture(1, 1);
      let frame = 0;
      let rest: ReturnType<typeof setTimeout> | undefined;
      const paint = (step: number) => {
        const ratio = Math.min(2, devicePixelRatio);
        const width = Math.max(1, Math.round(element.clientWidth * ratio));
        const height = Math.max(1, Math.round(element.clientHeight * ratio));
        if (picture.width !== width || picture.height !== height) {
          picture = new CloudPicture(width, height);
          target.width = width;
          target.height = height;
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
      const stopGestures = followOrbitGestures(element, orbit);
      const end = () => {
        stopGestures();
        stopColours();
        stopOrbit();
        cancelAnimationFrame(frame);
        clearTimeout(rest);
      };
      return { resized: changed, end };
    },
    [cloud, extent, shaded, orbit, isDark],
  );

  const viewFrom = (from: Orbit) => setting(orbit, from);
  return (
    <div class="spaced">
      <div class="row">
        <fieldset class="row">
          <legend class="hidden-text">View</legend>
          <button
            type="button"
            onClick={viewFrom(firstOrbit)}
            aria-keyshortcuts="f"
            title="Show everything: f"
          >
            Fit
          </button>
          {views.map(([words, from]) => (
            <button key={words} type="button" onClick={viewFrom(from)}>
              {words}
            </button>
          ))}
        </fieldset>
        {cloud.strengths !== undefined && (
          <Choice
            label="Colours"
            {...choosing(colouring)}
            options={[
              ['height', 'Colour: height'],
              ['strength', 'Colour: RSSI'],
            ]}
          />
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
        <ZoomButtons
          zoom={(factor) => {
            orbit.value = zoomed(orbit.peek(), factor);
          }}
        />
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
 * Turns a cloud by events of its element. A drag and the arrow keys turn it; wheel, two fingers, `+` and `-` zoom; `f`
 * shows all of it.
 * @returns a function that stops it
 */
function followOrbitGestures(element: HTMLElement, orbit: Signal<Orbit>): () => void {
  const change = (to: Orbit) => {
    orbit.value = to;
  };
  return followPointers(element, {
    onZoom: (factor) => change(zoomed(orbit.peek(), factor)),
    onDrag: (right, down) => change(turned(orbit.peek(), { yaw: -right * perPixel, pitch: down * perPixel })),
    onKey: (event) => {
      const act = byKey[event.key];
      if (act === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      change(act(orbit.peek()));
    },
  });
}
