import type { ReadonlySignal } from '@preact/signals';
import type { Layer, Pen } from '../plan/floor-plan.js';
import { toScreen } from '../plan/plan.js';
import type { ActorOutlines, Outline, Places } from './control-port-data.js';
import { type Place, placed } from './place.js';

/** The parts of a simulation that are drawn: a part of `SimulationState`. */
interface VisibleSimulation {
  readonly scene: ReadonlySignal<
    | {
        readonly outlines: readonly Outline[];
        readonly actors: readonly ActorOutlines[];
        readonly vehicles: readonly ActorOutlines[];
      }
    | undefined
  >;
  readonly places: ReadonlySignal<Places | undefined>;
}

/** CSS pixels of the arrow that is the scanner. */
const arrow = 9;
const origin: Place = { x: 0, y: 0, heading: 0 };

/** Draws the bodies of a scene that do not move. */
export function sceneLayer(simulation: Pick<VisibleSimulation, 'scene'>): Layer {
  return {
    name: 'scene',
    draw(pen) {
      for (const outline of simulation.scene.value?.outlines ?? [])
        stroke(pen, outline, origin, pen.colours.soft);
    },
  };
}

/** The vehicles, the actors and the scanner, where they are now. */
export function actorsLayer(simulation: VisibleSimulation): Layer {
  return {
    name: 'actors',
    draw(pen) {
      const places = simulation.places.value;
      if (places === undefined) return;
      const { actors = [], vehicles = [] } = simulation.scene.value ?? {};
      drawEach(pen, vehicles, places.vehicles, pen.colours.ink);
      drawEach(pen, actors, places.actors, pen.colours.accent);
      drawScanner(pen, places.scanner);
    },
  };
}

function drawEach(
  pen: Pen,
  all: readonly ActorOutlines[],
  places: ReadonlyMap<string, Place>,
  colour: string,
): void {
  for (const { name, outlines } of all) {
    const place = places.get(name);
    if (place === undefined) continue;
    for (const outline of outlines) stroke(pen, outline, place, colour);
  }
}

function stroke({ context, viewport }: Pen, outline: Outline, at: Place, colour: string): void {
  context.beginPath();
  for (const [index, point] of outline.points.entries()) {
    const { left, top } = toScreen(viewport, placed(point, at));
    if (index === 0) context.moveTo(left, top);
    else context.lineTo(left, top);
  }
  if (outline.closed) context.closePath();
  context.lineWidth = 2;
  context.strokeStyle = colour;
  if (outline.kind === 'fog') {
    context.globalAlpha = 0.2;
    context.fillStyle = colour;
    context.fill();
    context.globalAlpha = 1;
    context.setLineDash([4, 4]);
  }
  context.stroke();
  context.setLineDash([]);
}

function drawScanner({ context, viewport, colours }: Pen, place: Place): void {
  const { left, top } = toScreen(viewport, place);
  context.save();
  context.translate(left, top);
  context.rotate((-place.heading * Math.PI) / 180);
  context.beginPath();
  context.moveTo(0, -arrow);
  context.lineTo(arrow * 0.7, arrow);
  context.lineTo(0, arrow * 0.5);
  context.lineTo(-arrow * 0.7, arrow);
  context.closePath();
  context.fillStyle = colours.ink;
  context.fill();
  context.restore();
}
