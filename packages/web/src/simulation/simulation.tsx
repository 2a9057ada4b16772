import { useEffect, useMemo, useRef } from 'preact/hooks';
import { scanner } from '../connection/current.js';
import { FloorPlan } from '../plan/floor-plan.js';
import { gridLayer } from '../plan/grid-layer.js';
import { Plan, toPlan, toScreen } from '../plan/plan.js';
import { ClockAndPower, Contamination, Inputs, ScenePicker, Temperature } from './controls.js';
import { PlannedFaults } from './planned-faults.js';
import { actorsLayer, sceneLayer } from './scene-layer.js';
import { SimulatedWorld } from './simulated-world.js';
import '../style/forms.css';
import '../style/maintain.css';
import '../style/simulation.css';
import type { Place } from './surroundings.js';

/** What is around a virtual scanner. */
export function Simulation() {
  const link = scanner();
  const { world, plan, layers } = useMemo(() => {
    const world = new SimulatedWorld(link);
    return { world, plan: new Plan(), layers: [gridLayer, sceneLayer(world), actorsLayer(world)] };
  }, [link]);
  useEffect(() => {
    const stop = new AbortController();
    void world.follow(stop.signal);
    return () => stop.abort();
  }, [world]);
  const scene = world.scene.value;
  useEffect(() => {
    if (scene !== undefined) plan.fit(world.bounds);
  }, [scene, plan, world]);
  const now = world.surroundings.value;
  return (
    <div class="content">
      <header class="lead">
        <h1>Simulation</h1>
        <p class="soft">
          What is around this virtual scanner: drag what moves, make it hot or dirty, let time pass. A real
          scanner has no such page.
        </p>
      </header>
      {scene !== undefined && (
        <section class="panel scene-panel">
          <FloorPlan plan={plan} layers={layers} label={`The scene ${now?.scene ?? ''} from above`}>
            <ActorHandles world={world} plan={plan} />
          </FloorPlan>
          <p class="soft small">
            The arrow is the scanner.{' '}
            {scene.actors.length > 0
              ? 'Drag an actor to put it there: then it walks no more. It walks again if you begin the scene again.'
              : 'Nothing moves in this scene.'}{' '}
            The live view shows what the scanner sees of it.
          </p>
        </section>
      )}
      {now === undefined ? (
        <p class="soft">Reading the state of the simulation …</p>
      ) : (
        <div class="panels">
          <ScenePicker world={world} now={now} />
          <Temperature world={world} now={now} />
          <Contamination world={world} now={now} />
          <Inputs world={world} now={now} />
          <ClockAndPower world={world} now={now} />
          <PlannedFaults world={world} />
        </div>
      )}
    </div>
  );
}

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
function ActorHandles({ world, plan }: Properties) {
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
