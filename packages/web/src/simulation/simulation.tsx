import { useEffect, useMemo } from 'preact/hooks';
import { scanner } from '../connection/current.js';
import { PageContent } from '../parts/panels.js';
import { FloorPlan } from '../plan/floor-plan.js';
import { directionOfKey, useDrag } from '../plan/gestures.js';
import { gridLayer } from '../plan/grid-layer.js';
import { Plan, toScreen } from '../plan/plan.js';
import { ClockAndPower, Contamination, Inputs, ScenePicker, Temperature } from './controls.js';
import { mapLayer } from './map-layer.js';
import type { Place } from './place.js';
import { PlannedFaults } from './planned-faults.js';
import { actorsLayer, sceneLayer } from './scene-layer.js';
import { SimulationState } from './simulation-state.js';
import '../style/forms.css';
import '../style/simulation.css';

export default function Simulation() {
  const link = scanner();
  const { simulation, plan, layers } = useMemo(() => {
    const simulation = new SimulationState(link);
    return {
      simulation,
      plan: new Plan(),
      layers: [gridLayer, mapLayer(simulation), sceneLayer(simulation), actorsLayer(simulation)],
    };
  }, [link]);
  useEffect(() => {
    simulation.polling.open();
    return () => simulation.polling.close();
  }, [simulation]);
  const scene = simulation.scene.value;
  useEffect(() => {
    if (scene !== undefined) plan.fit(simulation.bounds);
  }, [scene, plan, simulation]);
  const now = simulation.overview.value;
  return (
    <PageContent title="Simulation">
      <p class="lead">
        What is around this virtual scanner: drag what moves, make it hot or dirty, let time pass. A real
        scanner has no such page.
      </p>
      {scene !== undefined && (
        <section class="panel scene-panel">
          <FloorPlan plan={plan} layers={layers} label={`The scene ${now?.scene ?? ''} from above`}>
            <ActorHandles simulation={simulation} plan={plan} />
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
          <ScenePicker simulation={simulation} now={now} />
          <Temperature simulation={simulation} now={now} />
          <Contamination simulation={simulation} now={now} />
          <Inputs simulation={simulation} now={now} />
          <ClockAndPower simulation={simulation} now={now} />
          <PlannedFaults simulation={simulation} />
        </div>
      )}
    </PageContent>
  );
}

interface Properties {
  readonly simulation: SimulationState;
  readonly plan: Plan;
}

/** m that an arrow key moves an actor by. */
const step = 0.1;

function ActorHandles({ simulation, plan }: Properties) {
  const places = simulation.places.value;
  return (
    <div class="actor-handles">
      {[...(places?.actors ?? [])].map(([name, place]) => (
        <Handle key={name} simulation={simulation} plan={plan} name={name} place={place} />
      ))}
    </div>
  );
}

function Handle({ simulation, plan, name, place }: Properties & { name: string; place: Place }) {
  const { left, top } = toScreen(plan.viewport.value, place);
  const drag = useDrag(
    plan,
    () => {
      simulation.drag(name, place);
      return ({ at }) => simulation.drag(name, { ...at, heading: place.heading });
    },
    () => void simulation.drop(),
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
        simulation.drag(name, { ...place, x: place.x + step * direction.x, y: place.y + step * direction.y });
        void simulation.drop();
      }}
      {...drag}
    >
      <span class="small">{name}</span>
    </button>
  );
}
