import { useRef } from 'preact/hooks';
import type { Plan } from '../live/plan.js';
import { toPlan, toScreen } from '../live/viewport.js';
import type { SimulatedWorld } from './simulated-world.js';
import type { Place } from './surroundings.js';

interface Properties {
  readonly world: SimulatedWorld;
  readonly plan: Plan;
}

/** m that an arrow key moves an actor by. */
const step = 0.1;
const steps: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [step, 0],
  ArrowDown: [-step, 0],
  ArrowLeft: [0, step],
  ArrowRight: [0, -step],
};

/** A handle for each actor: it is dragged, or moved with the arrow keys. */
export function ActorHandles({ world, plan }: Properties) {
  const places = world.places.value;
  return (
    <div class="actor-handles">
      {[...(places?.actors ?? [])].map(([name, place]) => (
        <Handle key={name} world={world} plan={plan} name={name} place={place} />
      ))}
    </div>
  );
}

function Handle({ world, plan, name, place }: Properties & { name: string; place: Place }) {
  const isDragged = useRef(false);
  const { left, top } = toScreen(plan.viewport.value, place);
  return (
    <button
      type="button"
      class="actor-handle"
      style={{ left: `${left}px`, top: `${top}px` }}
      aria-label={`${name}, at ${place.x.toFixed(2)} m ahead, ${place.y.toFixed(2)} m to the left`}
      title={`${name}: drag it, or use the arrow keys`}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.stopPropagation();
        event.currentTarget.setPointerCapture(event.pointerId);
        isDragged.current = true;
        world.hold(name, place);
      }}
      onPointerMove={(event) => {
        if (!isDragged.current) return;
        event.stopPropagation();
        const frame = event.currentTarget.closest('.plan')?.getBoundingClientRect();
        if (frame === undefined) return;
        const point = { left: event.clientX - frame.left, top: event.clientY - frame.top };
        world.hold(name, { ...toPlan(plan.viewport.peek(), point), heading: place.heading });
      }}
      onPointerUp={(event) => {
        if (!isDragged.current) return;
        event.stopPropagation();
        isDragged.current = false;
        void world.settle();
      }}
      onKeyDown={(event) => {
        const [ahead, toLeft] = steps[event.key] ?? [];
        if (ahead === undefined || toLeft === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        world.hold(name, { ...place, x: place.x + ahead, y: place.y + toLeft });
        void world.settle();
      }}
    >
      <span class="small">{name}</span>
    </button>
  );
}
