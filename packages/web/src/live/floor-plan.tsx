import { effect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { ThemeColours } from './colours.js';
import { followGestures, type PlanEvents } from './gestures.js';
import { type Layer, pixelRatioOf } from './layer.js';
import type { Plan } from './plan.js';
import '../style/live.css';

interface Props extends PlanEvents {
  readonly plan: Plan;
  /** From the bottom to the top; the same ones as long as the plan is shown. */
  readonly layers: readonly Layer[];
  /** What it shows, in words for people who do not see it. */
  readonly label: string;
  /** Stands over the layers: SVG that projects by `plan.viewport`, buttons, read-outs. */
  readonly children?: ComponentChildren;
}

/** A floor plan in metres: layers of canvases that zoom and pan together, and what its children put above them. */
export function FloorPlan({ plan, layers, label, onPress, onEnter, onStep, children }: Props) {
  const element = useRef<HTMLDivElement>(null);
  const events = useRef<PlanEvents>({});
  events.current = { onPress, onEnter, onStep };
  useEffect(() => {
    const { current } = element;
    if (current === null) return;
    const theme = new ThemeColours(current);
    const size = new ResizeObserver(() => plan.resize(current.clientWidth, current.clientHeight));
    plan.resize(current.clientWidth, current.clientHeight);
    size.observe(current);
    const stopGestures = followGestures(current, plan, () => events.current);
    const canvases = current.querySelectorAll('canvas');
    const stopLayers = layers.map((layer, index) => {
      const canvas = canvases[index];
      return canvas === undefined ? () => {} : keepDrawn(layer, canvas, plan, theme);
    });
    return () => {
      for (const stop of stopLayers) stop();
      stopGestures();
      size.disconnect();
      theme.stop();
    };
  }, [plan, layers]);
  return (
    <div class="plan" ref={element} role="application" aria-label={label}>
      {layers.map(({ name }) => (
        <canvas key={name} data-layer={name} />
      ))}
      {children}
    </div>
  );
}

/** Draws a layer now, and whenever something changes that it shows. */
function keepDrawn(layer: Layer, canvas: HTMLCanvasElement, plan: Plan, theme: ThemeColours): () => void {
  const context = canvas.getContext('2d');
  if (context === null) return () => {};
  return effect(() => {
    const isShown = layer.isShown?.() ?? true;
    canvas.hidden = !isShown;
    if (!isShown) return;
    const viewport = plan.viewport.value;
    const pixelRatio = pixelRatioOf(layer, viewport, devicePixelRatio);
    const width = Math.round(viewport.width * pixelRatio);
    const height = Math.round(viewport.height * pixelRatio);
    if (width === 0 || height === 0) return;
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0);
    context.clearRect(0, 0, viewport.width, viewport.height);
    layer.draw({ context, viewport, colours: theme.colours.value, pixelRatio });
  });
}
