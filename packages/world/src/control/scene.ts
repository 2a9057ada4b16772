import { type ControlCommands, ControlRefused, type Given, type Measuring } from '@azimuth/device';
import type { Scene, SceneCore } from '../scene/index.js';
import { scenesLater } from '../virtual-scanner.js';

export type Scenes = typeof import('../scene/index.js');

/** What measures, where that is a scene; undefined where it is a recording, or a core from elsewhere. */
export async function sceneCoreIn(measuring: Measuring): Promise<SceneCore | undefined> {
  const [core, { SceneCore }] = await Promise.all([measuring.coreMade(), scenesLater.loaded()]);
  return core instanceof SceneCore ? core : undefined;
}

/** What measures. @throws ControlRefused where that is no scene */
export async function sceneCoreOf(measuring: Measuring): Promise<SceneCore> {
  const core = await sceneCoreIn(measuring);
  if (core !== undefined) return core;
  throw new ControlRefused(
    'this scanner has no scene: it plays a recording, or measures by a core of its own',
  );
}

/** Does something with scenes. @throws ControlRefused with all that is wrong with one */
export async function withScenes<T>(act: (scenes: Scenes) => T): Promise<T> {
  const loaded = await scenesLater.loaded();
  try {
    return act(loaded);
  } catch (error) {
    if (error instanceof loaded.SceneError) throw new ControlRefused(error.message);
    throw error;
  }
}

/** What the scanner sees, as a whole. */
export function sceneCommands(measuring: Measuring): ControlCommands {
  return {
    scene: {
      large: true,
      act: async (given) => {
        const core = await sceneCoreOf(measuring);
        core.replace(await sceneOf(given));
      },
    },
  };
}

/** A name by itself is that of a ready scene; everything else is what a scene file holds. */
async function sceneOf(given: Given): Promise<Scene> {
  const members = Object.keys(given).length;
  // A body that was forgotten is not taken for a wish to see nothing.
  if (members === 0) throw new ControlRefused('a scene expected, or {"name": …} for a ready one');
  const { name } = given;
  return withScenes(({ parseScene, readyScene }) =>
    members === 1 && typeof name === 'string' ? readyScene(name) : parseScene(given, 'scene'),
  );
}
