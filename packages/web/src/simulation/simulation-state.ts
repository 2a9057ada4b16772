import { ClientError, SimulationError } from '@azimuth/client';
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { ScannerLink } from '../connection/scanner-link.js';
import { tellFailure } from '../parts/dialogs.js';
import { Polling } from '../parts/waiting.js';
import type { PlanBounds } from '../plan/plan.js';
import {
  type ActorOutlines,
  actorsOf,
  housingsOf,
  type Outline,
  outlinesOf,
  overviewIn,
  type Places,
  placesIn,
  type ReadyScene,
  readyScenesIn,
  type SimulationOverview,
  vehiclesOf,
} from './control-port-data.js';
import { type FaultRow, faultRowsIn } from './fault-draft.js';
import { cornersOfMap, type MapWalls, mapIn } from './map-layer.js';
import type { Place } from './place.js';

/** ms between two reads of the places. Only browsers on the computer of the scanner can read them. */
const pollInterval = 200;
/** Number of reads of the places after which the rest is read, too. */
const pollsPerFullRead = 5;

interface SceneShown {
  readonly outlines: readonly Outline[];
  readonly actors: readonly ActorOutlines[];
  readonly vehicles: readonly ActorOutlines[];
  readonly map: MapWalls | undefined;
}

/** State of the simulation of a virtual scanner, while a page shows it. */
export class SimulationState {
  readonly #link: ScannerLink;
  readonly #overview: Signal<SimulationOverview | undefined> = signal(undefined);
  readonly overview: ReadonlySignal<SimulationOverview | undefined> = this.#overview;
  readonly #scene: Signal<SceneShown | undefined> = signal(undefined);
  /** Undefined if the scanner has no scene. */
  readonly scene: ReadonlySignal<SceneShown | undefined> = this.#scene;
  readonly #places: Signal<Places | undefined> = signal(undefined);
  readonly places: ReadonlySignal<Places | undefined> = this.#places;
  readonly #faults: Signal<readonly FaultRow[] | undefined> = signal(undefined);
  /** Undefined if faults cannot be planned for this scanner. */
  readonly faults: ReadonlySignal<readonly FaultRow[] | undefined> = this.#faults;
  readonly #readyScenes: Signal<readonly ReadyScene[]> = signal([]);
  readonly readyScenes: ReadonlySignal<readonly ReadyScene[]> = this.#readyScenes;
  #polls = 0;
  /** The actor that is being dragged: its place on this page counts. */
  #dragged: string | undefined;

  constructor(link: ScannerLink) {
    this.#link = link;
  }

  /** Reads the state repeatedly while it is open. While the scanner does not answer, the last state stays. */
  readonly polling = new Polling(pollInterval, async () => {
    try {
      if (this.#polls % pollsPerFullRead === 0) await this.#readAll();
      if (this.#scene.peek() !== undefined) await this.#readPlaces();
      this.#polls++;
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      this.#polls = 0;
    }
  });

  /** Carries out a command of the control port, and shows the reason if it fails. */
  async command(name: string, given: object = {}): Promise<void> {
    try {
      await this.#link.scanner.simulation.command(name, given);
      await this.#readAll();
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      tellFailure(error.message);
    }
  }

  /** Changes to a scene that comes with the scanner. */
  async choose(name: string): Promise<void> {
    this.#scene.value = undefined;
    await this.command('scene', { name });
  }

  /** Shows an actor at another place. `drop` sends the place to the scanner. */
  drag(name: string, place: Place): void {
    this.#dragged = name;
    const places = this.#places.peek();
    if (places === undefined) return;
    this.#places.value = { ...places, actors: new Map(places.actors).set(name, place) };
  }

  /** Leaves an actor at the place where it is shown. It no longer walks. */
  async drop(): Promise<void> {
    const name = this.#dragged;
    const place = name === undefined ? undefined : this.#places.peek()?.actors.get(name);
    if (name !== undefined && place !== undefined) {
      const { x, y, heading } = place;
      await this.command('actors/move', { name, x: rounded(x), y: rounded(y), heading });
    }
    this.#dragged = undefined;
  }

  /** The rectangle around the scanner and everything that stands still. */
  get bounds(): PlanBounds {
    const { outlines = [], map } = this.#scene.peek() ?? {};
    const points = [
      { x: 0, y: 0 },
      ...outlines.flatMap(({ points }) => points),
      ...(map === undefined ? [] : cornersOfMap(map)),
    ];
    return {
      minX: Math.min(...points.map(({ x }) => x)),
      maxX: Math.max(...points.map(({ x }) => x)),
      minY: Math.min(...points.map(({ y }) => y)),
      maxY: Math.max(...points.map(({ y }) => y)),
    };
  }

  async #readAll(): Promise<void> {
    const { simulation } = this.#link.scanner;
    const before = this.#overview.peek()?.scene;
    const now = overviewIn(await simulation.read());
    this.#overview.value = now;
    if (this.#readyScenes.peek().length === 0) {
      this.#readyScenes.value = readyScenesIn(await simulation.read('scenes'));
    }
    await this.#readFaults();
    if (this.#scene.peek() === undefined || before !== now.scene) await this.#readScene();
  }

  async #readFaults(): Promise<void> {
    try {
      this.#faults.value = faultRowsIn(await this.#link.scanner.simulation.read('faults'));
    } catch (error) {
      if (!(error instanceof SimulationError)) throw error;
      this.#faults.value = undefined;
    }
  }

  async #readScene(): Promise<void> {
    try {
      const scene = await this.#link.scanner.simulation.read('scene');
      this.#scene.value = {
        outlines: [...outlinesOf(scene), ...housingsOf(scene)],
        actors: actorsOf(scene),
        vehicles: vehiclesOf(scene),
        map: mapIn(scene),
      };
    } catch (error) {
      // A scanner that plays a recording has no scene.
      if (!(error instanceof SimulationError)) throw error;
      this.#scene.value = undefined;
    }
  }

  async #readPlaces(): Promise<void> {
    const read = placesIn(await this.#link.scanner.simulation.read('scene/places'));
    const dragged = this.#dragged;
    const place = dragged === undefined ? undefined : this.#places.peek()?.actors.get(dragged);
    this.#places.value =
      dragged === undefined || place === undefined
        ? read
        : { ...read, actors: new Map(read.actors).set(dragged, place) };
  }
}

/** To mm. */
function rounded(metres: number): number {
  return Math.round(metres * 1000) / 1000;
}
