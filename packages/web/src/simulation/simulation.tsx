import { useEffect, useMemo } from 'preact/hooks';
import { scanner } from '../connection/current.js';
import { PageContent } from '../parts/panels.js';
import { FloorPlan } from '../plan/floor-plan.js';
import { directionOfKey, useDrag } from '../plan/gestures.js';
import { gridLayer } from '../plan/grid-layer.js';
import { Plan, toScreen } from '../plan/plan.js';
import { ClockAndPower, Contamination, Inputs, ScenePicker, Temperature } from './controls.js';
import { PlannedFaults } from './planned-faults.js';
import { actorsLayer, sceneLayer } from './scene-layer.js';
import { SimulatedWorld } from './simulated-world.js';
import '../style/forms.css';
import '../style/simulation.css';
import type { Place } from './surroundings.js';

export default function Simulation() {
  const link = scanner();
  const { world, plan, layers } = useMemo(() => {
    const world = new SimulatedWorld(link);
    return { world, plan: new Plan(), layers: [gridLayer, sceneLayer(world), actorsLayer(world)] };
  }, [link]);
  useEffect(() => {
    world.looking.open();
    return () => world.looking.close();
  }, [world]);
  const scene = world.scene.value;
  useEffect(() => {
    if (scene !== undefined) plan.fit(world.bounds);
  }, [scene, plan, world]);
  const now = world.surroundings.value;
  return (
    <PageContent title="Simulation">
      <p class="lead">
        What is around this virtual scanner: drag what moves, make it hot or dirty, let time pass. A real
        scanner has no such page.
      </p>
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
    </PageContent>
  );
}

interface Properties {
  readonly world: SimulatedWorld;
  readonly plan: Plan;
}

/** m that an arrow key moves an actor by. */
const step = 0.1;

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
  const { left, top } = toScreen(plan.viewport.value, place);
  const drag = useDrag(
    plan,
    () => {
      world.hold(name, place);
      return ({ at }) => world.hold(name, { ...at, heading: place.heading });
    },
    () => void world.settle(),
  );
  return (
    <button
      type="button"
      class="actor-handle"
      style={{ left: `${left}px`, top: `${top}px` }}
      aria-label={`${name}, at ${place.x.toFixed(2)} m ahead, ${place.y.toFixed(2)} m to the left`}
      title={`${name}: drag it, or use the arrow keys`}
      onKeyDown={(event) => {
        const direction = directionOfKey(event.key);
        if (direction === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        world.hold(name, { ...place, x: place.x + step * direction.x, y: place.y + step * direction.y });
        void world.settle();
      }}
      {...drag}
    >
      <span class="small">{name}</span>
    </button>
  );
}
