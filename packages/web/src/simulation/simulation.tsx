import { useEffect, useMemo } from 'preact/hooks';
import { scanner } from '../connection/current.js';
import { FloorPlan } from '../live/floor-plan.js';
import { gridLayer } from '../live/grid-layer.js';
import { Plan } from '../live/plan.js';
import { ActorHandles } from './actor-handles.js';
import { ClockAndPower, Contamination, Inputs, ScenePicker, Temperature } from './controls.js';
import { PlannedFaults } from './planned-faults.js';
import { actorsLayer, sceneLayer } from './scene-layer.js';
import { SimulatedWorld } from './simulated-world.js';
import '../style/forms.css';
import '../style/maintain.css';
import '../style/simulation.css';

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
