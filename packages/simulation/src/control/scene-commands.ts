import { type ControlCommands, type ControlQuery, ControlRefused, type Given } from '@azimuth/device/control';
import type { Measuring } from '@azimuth/device/cores';
import {
  largestScene,
  parseScene,
  readyScene,
  readyScenes,
  type Scene,
  SceneCore,
  SceneError,
} from '../world/index.js';
import { numberIn, textIn } from './command-members.js';

/** Returns the core if it measures in a scene; undefined for a recording and for other cores. */
export async function sceneCoreIn(measuring: Measuring): Promise<SceneCore | undefined> {
  const core = await measuring.coreMade();
  return core instanceof SceneCore ? core : undefined;
}

/** Returns the core that measures in a scene. @throws ControlRefused if the scanner measures by another core */
export async function sceneCoreOf(measuring: Measuring): Promise<SceneCore> {
  const core = await sceneCoreIn(measuring);
  if (core !== undefined) return core;
  throw new ControlRefused('this scanner has no scene: it plays a recording, or uses another measuring core');
}

/** The command that replaces the whole scene. */
export function sceneCommands(measuring: Measuring): ControlCommands {
  return {
    scene: {
      mostBytes: largestScene,
      act: async (given) => {
        const core = await sceneCoreOf(measuring);
        refusing(() => core.replace(sceneOf(given)));
      },
    },
  };
}

/** Returns the queries for the scene as a file, the positions of everything in it, and the names of the ready scenes. */
export function sceneQueries(measuring: Measuring): Readonly<Record<string, ControlQuery>> {
  return {
    scene: async () => (await sceneCoreOf(measuring)).scene,
    'scene/places': async () => {
      const core = await sceneCoreOf(measuring);
      return { time: core.world.now, ...core.places() };
    },
    scenes: async () => ({
      scenes: readyScenes.map((name) => {
        const { name: title, description } = readyScene(name);
        return { name, title, description };
      }),
    }),
  };
}

/** Reads a scene: a name alone means a ready scene, anything else is the content of a scene file. @throws ControlRefused */
function sceneOf(given: Given): Scene {
  const members = Object.keys(given).length;
  // An empty body is a mistake, not a request for an empty scene.
  if (members === 0) throw new ControlRefused('expected a scene, or {"name": …} for a ready one');
  const { name } = given;
  return refusing(() =>
    members === 1 && typeof name === 'string' ? readyScene(name) : parseScene(given, 'scene'),
  );
}

/** @throws ControlRefused with the message of a SceneError that `act` throws */
function refusing<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof SceneError) throw new ControlRefused(error.message);
    throw error;
  }
}

/** m, as in a scene file. */
const farthest = 10_000;
/** Degrees, as in a scene file. */
const mostDegrees = 36_000;
/** Names that one message lists. */
const mostNames = 20;

/** The commands that add, move and remove actors. Each edit makes a new scene, and the next scan measures it. */
export function actorCommands(measuring: Measuring): ControlCommands {
  return {
    'actors/add': {
      mostBytes: largestScene,
      act: async (given) => {
        const core = await sceneCoreOf(measuring);
        const { scene } = core;
        const name = textIn(given, 'name');
        if (actorsNamed(name, scene).length > 0) {
          throw new ControlRefused(`there is already an actor ${JSON.stringify(name)}`);
        }
        checkActor(given, scene);
        core.replace(refusing(() => parseScene({ ...scene, actors: [...scene.actors, given] }, 'scene')));
      },
    },
    'actors/move': {
      accepts: ['name', 'x', 'y', 'heading'],
      act: async (given) => {
        const core = await sceneCoreOf(measuring);
        const { scene } = core;
        const index = actorNamed(textIn(given, 'name'), scene);
        const path = standing(
          numberIn(given, 'x', -farthest, farthest, 'm'),
          numberIn(given, 'y', -farthest, farthest, 'm'),
          given.heading === undefined ? 0 : numberIn(given, 'heading', -mostDegrees, mostDegrees, 'degrees'),
        );
        const actors = scene.actors.map((actor, at) => (at === index ? { ...actor, path } : actor));
        core.replace({ ...scene, actors });
      },
    },
    'actors/remove': {
      accepts: ['name'],
      act: async (given) => {
        const core = await sceneCoreOf(measuring);
        const { scene } = core;
        const index = actorNamed(textIn(given, 'name'), scene);
        core.replace({ ...scene, actors: scene.actors.filter((_, at) => at !== index) });
      },
    },
  };
}

/** The path of an actor that does not move: m, and degrees counter-clockwise. */
function standing(x: number, y: number, heading: number): Scene['actors'][number]['path'] {
  return { waypoints: [{ t: 0, x, y, heading }], repeat: 'stop', phase: 0 };
}

/** The index of the actor of this name. @throws ControlRefused unless exactly one actor has this name */
function actorNamed(name: string, scene: Scene): number {
  const [index, ...others] = actorsNamed(name, scene);
  const quoted = JSON.stringify(name);
  if (index === undefined) throw new ControlRefused(`there is no actor ${quoted}: ${namesIn(scene)}`);
  if (others.length === 0) return index;
  throw new ControlRefused(`${1 + others.length} actors have the name ${quoted}; expected a unique name`);
}

function actorsNamed(name: string, { actors }: Scene): readonly number[] {
  return actors.flatMap((actor, index) => (actor.name === name ? [index] : []));
}

function namesIn({ actors }: Scene): string {
  if (actors.length === 0) return 'the scene has none';
  const names = actors.slice(0, mostNames).map(({ name }) => JSON.stringify(name));
  const more = actors.length > mostNames ? `, and ${actors.length - mostNames} more` : '';
  return `the scene has ${names.join(', ')}${more}`;
}

/**
 * Checks an actor without the rest of the scene. So the messages name no index in the list of actors: the caller did not
 * write this list.
 * @throws ControlRefused
 */
function checkActor(given: Given, { materials }: Scene): void {
  try {
    parseScene({ materials, actors: [given] }, 'actor');
  } catch (error) {
    if (!(error instanceof SceneError)) throw error;
    throw new ControlRefused(error.message.replaceAll(/^actor: actors\[0\]/gm, 'actor'));
  }
}
