import { type ControlCommands, ControlRefused, type Given, type Measuring } from '@azimuth/device';
import type { Scene } from '../scene/index.js';
import { numberIn, textIn } from './given.js';
import { type Scenes, sceneCoreOf, withScenes } from './scene.js';

/** As in a scene file: m, and degrees. */
const farthest = 10_000;
const mostTurned = 36_000;
/** Names that one message tells. */
const mostNames = 20;

/** What moves in the scene. Every edit makes another scene, which is seen from the next turn on. */
export function actorCommands(measuring: Measuring): ControlCommands {
  return {
    'actors/add': {
      large: true,
      act: async (given) => {
        const core = await sceneCoreOf(measuring);
        await withScenes((scenes) => {
          const { scene } = core;
          const name = textIn(given, 'name');
          if (actorsCalled(name, scene).length > 0) {
            throw new ControlRefused(`there is an actor ${JSON.stringify(name)} already`);
          }
          checkAlone(given, scene, scenes);
          core.replace(scenes.parseScene({ ...scene, actors: [...scene.actors, given] }, 'scene'));
        });
      },
    },
    'actors/move': {
      takes: ['name', 'x', 'y', 'heading'],
      act: async (given) => {
        const core = await sceneCoreOf(measuring);
        const { scene } = core;
        const index = actorNamed(textIn(given, 'name'), scene);
        const path = standing(
          numberIn(given, 'x', -farthest, farthest, 'm'),
          numberIn(given, 'y', -farthest, farthest, 'm'),
          given.heading === undefined ? 0 : numberIn(given, 'heading', -mostTurned, mostTurned, 'degrees'),
        );
        const actors = scene.actors.map((actor, at) => (at === index ? { ...actor, path } : actor));
        core.replace({ ...scene, actors });
      },
    },
    'actors/remove': {
      takes: ['name'],
      act: async (given) => {
        const core = await sceneCoreOf(measuring);
        const { scene } = core;
        const index = actorNamed(textIn(given, 'name'), scene);
        core.replace({ ...scene, actors: scene.actors.filter((_, at) => at !== index) });
      },
    },
  };
}

/** The path of an actor that stands: m, and degrees counter-clockwise. */
function standing(x: number, y: number, heading: number): Scene['actors'][number]['path'] {
  return { waypoints: [{ t: 0, x, y, heading }], repeat: 'stop', phase: 0 };
}

/** Where an actor is in the list. @throws ControlRefused unless there is one of this name, and no other */
function actorNamed(name: string, scene: Scene): number {
  const [index, ...others] = actorsCalled(name, scene);
  const spoken = JSON.stringify(name);
  if (index === undefined) throw new ControlRefused(`there is no actor ${spoken}: ${namesIn(scene)}`);
  if (others.length === 0) return index;
  throw new ControlRefused(
    `${1 + others.length} actors are called ${spoken}, and none can be told from the others`,
  );
}

function actorsCalled(name: string, { actors }: Scene): readonly number[] {
  return actors.flatMap((actor, index) => (actor.name === name ? [index] : []));
}

function namesIn({ actors }: Scene): string {
  if (actors.length === 0) return 'the scene has none';
  const names = actors.slice(0, mostNames).map(({ name }) => JSON.stringify(name));
  const more = actors.length > mostNames ? `, and ${actors.length - mostNames} more` : '';
  return `the scene has ${names.join(', ')}${more}`;
}

/** Looks at an actor by itself: its faults are told without its place in a list that nobody has written. */
function checkAlone(given: Given, { materials }: Scene, { parseScene, SceneError }: Scenes): void {
  try {
    parseScene({ materials, actors: [given] }, 'actor');
  } catch (error) {
    if (!(error instanceof SceneError)) throw error;
    throw new ControlRefused(error.message.replaceAll(/^actor: actors\[0\]/gm, 'actor'));
  }
}
