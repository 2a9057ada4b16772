import { createReadStream, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { type ParseError, parse as parseTolerantly } from 'jsonc-parser';
import { placeOf, problemLines, SceneError, shown, unknownNames } from '../file-problems.js';
import { type Bodies, mostElements, type Scene, sceneFile } from './scene-file.js';
import { materialsOf } from './surfaces.js';

/** The names of the scenes in `packages/simulation/scenes`. */
export const readyScenes: readonly string[] = [
  'empty-room',
  'warehouse-aisle',
  'conveyor',
  'gate',
  'vehicle-profile',
];

/** Largest scene in bytes, as a file and over the control port. */
export const largestScene = 8 * 1024 * 1024;

/** Returns a ready scene by its name. @throws SceneError for an unknown name */
export function readyScene(name: string): Scene {
  if (!readyScenes.includes(name)) throw new SceneError(unknownScene(name));
  return sceneOf(readFileSync(fileOf(name), 'utf8'), `${name}.json`);
}

/** True for the path of a scene: a text with a slash or an ending like .json. Other texts are names. */
export function isScenePath(nameOrPath: string): boolean {
  return /[/\\]|\.\w+$/.test(nameOrPath);
}

/**
 * Returns a ready scene by its name, or a scene from a file.
 * @throws SceneError for an unknown name, a file that cannot be read or is not JSON, and a scene with problems
 */
export async function loadScene(nameOrPath: string): Promise<Scene> {
  if (readyScenes.includes(nameOrPath)) return readyScene(nameOrPath);
  return sceneOf(await readSceneText(nameOrPath, isScenePath(nameOrPath)), basename(nameOrPath));
}

function fileOf(name: string): URL {
  return new URL(`../../scenes/${name}.json`, import.meta.url);
}

function unknownScene(name: string): string {
  return `${unknownNames('scene ', [name], readyScenes)}; the ready scenes are ${readyScenes.join(', ')}`;
}

async function readSceneText(path: string, isPath: boolean): Promise<string> {
  try {
    const pieces: Uint8Array[] = [];
    // One byte more shows that the file is too large: a device or pipe has no known size, and may never end.
    for await (const piece of createReadStream(path, { end: largestScene })) pieces.push(Buffer.from(piece));
    const text = Buffer.concat(pieces);
    if (text.length > largestScene)
      throw new SceneError(`${path}: expected at most ${largestScene} bytes, got more`);
    return text.toString('utf8');
  } catch (error) {
    if (error instanceof SceneError) throw error;
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') {
      throw new SceneError(isPath ? `${path}: there is no such file` : unknownScene(path));
    }
    throw new SceneError(`${path}: cannot be read (${String(code ?? error)})`);
  }
}

function sceneOf(text: string, name: string): Scene {
  // Some editors begin a file with a byte order mark.
  const json = text.replace(/^\uFEFF/, '');
  return parseScene(parsed(json, name), name);
}

function parsed(json: string, name: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new SceneError(`${name}: ${jsonProblem(json)}`);
  }
}

/**
 * Describes the problem of a text that is not JSON, with its position. JSON.parse reports the position only in some versions
 * of Node, and only for some problems.
 */
export function jsonProblem(json: string): string {
  const problems: ParseError[] = [];
  try {
    parseTolerantly(json, problems, { disallowComments: true });
  } catch {
    // The parser calls itself for each bracket, and runs out of stack.
    return 'not valid JSON, and nested too deeply to tell where';
  }
  const at = problems[0]?.offset ?? json.length;
  const lines = json.slice(0, at).split('\n');
  const token = /^(?:[\w.+-]+|.)/su.exec(json.slice(at, at + 20))?.[0];
  const what = token === undefined ? 'the file ends too early' : `did not expect ${shown(token)}`;
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}: not valid JSON, ${what}`;
}

/**
 * Checks a scene and fills in defaults. Names of materials and the number of elements are checked only if the form is right.
 * @param name of the file, for the messages
 * @throws SceneError naming every problem and its path
 */
export function parseScene(json: unknown, name: string): Scene {
  const parsed = sceneFile.safeParse(json);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ code, path, message }) => {
      const place = path.length === 0 ? '' : `${placeOf(path)}: `;
      if (code === 'unrecognized_keys') return `${place}${message}`;
      return `${place}expected ${message}, got ${shown(valueAt(json, path))}`;
    });
    throw new SceneError(problemLines(name, problems));
  }
  const problems = [...unknownMaterials(parsed.data), ...tooMany(parsed.data)];
  if (problems.length > 0) throw new SceneError(problemLines(name, problems));
  return parsed.data;
}

function valueAt(json: unknown, path: readonly PropertyKey[]): unknown {
  let value = json;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Object.getOwnPropertyDescriptor(value, key)?.value;
  }
  return value;
}

function* unknownMaterials(scene: Scene): Generator<string> {
  const known = [...materialsOf(scene).keys()];
  const names = new Set(known);
  const groups: { place: string; bodies: Bodies }[] = [{ place: '', bodies: scene }];
  for (const [index, actor] of scene.actors.entries()) {
    groups.push({ place: `actors[${index}].`, bodies: actor });
    const material = actor.legs?.material ?? '';
    if (actor.legs !== undefined && !names.has(material))
      yield `actors[${index}].legs.material: ${unknownNames('material ', [material], known)}`;
  }
  for (const { place, bodies } of groups) {
    for (const kind of ['walls', 'polylines', 'polygons', 'boxes', 'circles'] as const) {
      for (const [index, { material }] of bodies[kind].entries()) {
        if (!names.has(material))
          yield `${place}${kind}[${index}].material: ${unknownNames('material ', [material], known)}`;
      }
    }
  }
}

function* tooMany(scene: Scene): Generator<string> {
  let elements = elementsOf(scene);
  for (const actor of scene.actors) elements += elementsOf(actor) + (actor.legs === undefined ? 0 : 2);
  if (elements > mostElements)
    yield `expected at most ${mostElements} lines and circles in all, got ${elements}`;
}

function elementsOf({ walls, polylines, polygons, boxes, circles, fog }: Bodies): number {
  let elements = walls.length + 4 * boxes.length + circles.length;
  for (const { points } of polylines) elements += points.length - 1;
  for (const { points } of polygons) elements += points.length;
  for (const { points } of fog) elements += points?.length ?? 1;
  return elements;
}
