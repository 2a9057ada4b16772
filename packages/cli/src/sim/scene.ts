import { CommandFailure } from '../command-failure.js';
import { objectInFile } from './json-file.js';

/**
 * The scene that is meant: a ready one by its name, or one from a file or stdin (`-`), whose faults are found before
 * anything is sent.
 * @throws CommandFailure
 */
export async function sceneGiven(nameOrPath: string): Promise<object> {
  const { loadScene, parseScene, readyScenes, SceneError } = await import('@azimuth/world/scene');
  if (readyScenes.includes(nameOrPath)) return { name: nameOrPath };
  const json = nameOrPath === '-' ? await objectInFile('-') : undefined;
  try {
    return json === undefined ? await loadScene(nameOrPath) : parseScene(json, 'stdin');
  } catch (error) {
    if (error instanceof SceneError) throw new CommandFailure(error.message);
    throw error;
  }
}
