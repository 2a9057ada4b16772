import { existsSync, readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { isObject } from '@azimuth/model';
import { type ParseError, parse as parseTolerantly } from 'jsonc-parser';
import { bytesOfFile } from '../bounded-file.js';
import { placeOf, problemLines, SceneError, shown, unknownNames, valueAt } from '../file-problems.js';
import type { MapWalls } from '../map/load-map.js';
import { scannersOf } from './mounted-scanners.js';
import { type Bodies, mostElements, mostScanners, type Scene, sceneFile } from './scene-file.js';
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
  return parseScene(jsonOf(readFileSync(fileOf(name), 'utf8'), `${name}.json`), `${name}.json`);
}

/** True for the path of a scene: a text with a slash or an ending like .json. Other texts are names. */
export function isScenePath(nameOrPath: string): boolean {
  return /[/\\]|\.\w+$/.test(nameOrPath);
}

/**
 * Returns a ready scene by its name, or a scene from a file: a scene file, or a ROS map (`.yaml`).
 * @throws SceneError for an unknown name, a file that cannot be read or is not JSON, and a scene with problems
 */
export async function loadScene(nameOrPath: string): Promise<Scene> {
  if (readyScenes.includes(nameOrPath)) return readyScene(nameOrPath);
  if (!isScenePath(nameOrPath) && !existsSync(nameOrPath)) throw new SceneError(unknownScene(nameOrPath));
  const file = basename(nameOrPath);
  if (isMapPath(file)) {
    const walls = await mapAt(nameOrPath);
    return parseScene({ name: basename(file, extname(file)), map: walls }, file);
  }
  const json = jsonOf((await bytesOfFile(nameOrPath, largestScene)).toString('utf8'), file);
  return parseScene(await withMap(json, nameOrPath), file);
}

/** Returns the content of a scene file with the walls of the map that it names. */
async function withMap(json: unknown, path: string): Promise<unknown> {
  if (!isObject(json) || typeof json.map !== 'string') return json;
  const { pathBeside } = await import('../map/load-map.js');
  const map = pathBeside(path, json.map);
  if (map === undefined || !isMapPath(map)) {
    const expected = 'a ROS map (.yaml) in the folder of the scene or below';
    throw new SceneError(`${basename(path)}: map: expected ${expected}, got ${shown(json.map)}`);
  }
  return { ...json, map: await mapAt(map) };
}

/** True for the path of a ROS map. */
function isMapPath(path: string): boolean {
  return /\.ya?ml$/i.test(path);
}

async function mapAt(path: string): Promise<MapWalls> {
  // Only a scene with a map needs the readers of YAML and of pictures.
  const { loadMap } = await import('../map/load-map.js');
  return loadMap(path);
}

function fileOf(name: string): URL {
  return new URL(`../../scenes/${name}.json`, import.meta.url);
}

function unknownScene(name: string): string {
  return `${unknownNames('scene ', [name], readyScenes)}; the ready scenes are ${readyScenes.join(', ')}`;
}

function jsonOf(text: string, name: string): unknown {
  // Some editors begin a file with a byte order mark.
  const json = text.replace(/^\uFEFF/, '');
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
  const problems = [...unknownMaterials(parsed.data), ...tooMany(parsed.data), ...wrongNames(parsed.data)];
  if (problems.length > 0) throw new SceneError(problemLines(name, problems));
  return parsed.data;
}

function* unknownMaterials(scene: Scene): Generator<string> {
  const known = [...materialsOf(scene).keys()];
  const names = new Set(known);
  const groups: { place: string; bodies: Bodies }[] = [{ place: '', bodies: scene }];
  for (const [index, vehicle] of scene.vehicles.entries())
    groups.push({ place: `vehicles[${index}].`, bodies: vehicle });
  for (const { object, housing } of scannersOf(scene)) {
    if (housing !== false && !names.has(housing.material))
      yield `${object}.housing.material: ${unknownNames('material ', [housing.material], known)}`;
  }
  for (const [index, actor] of scene.actors.entries()) {
    groups.push({ place: `actors[${index}].`, bodies: actor });
    const material = actor.legs?.material ?? '';
    if (actor.legs !== undefined && !names.has(material))
      yield `actors[${index}].legs.material: ${unknownNames('material ', [material], known)}`;
  }
  if (scene.map !== undefined && !names.has(scene.map.material))
    yield `map.material: ${unknownNames('material ', [scene.map.material], known)}`;
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
  for (const vehicle of scene.vehicles) elements += elementsOf(vehicle);
  for (const { housing } of scannersOf(scene)) elements += housing === false ? 0 : housingElements;
  if (elements > mostElements)
    yield `expected at most ${mostElements} lines and circles in all, got ${elements}`;
}

/** The sides of a housing. */
const housingElements = 4;

function* wrongNames(scene: Scene): Generator<string> {
  const scanners = scannersOf(scene);
  if (scanners.length > mostScanners)
    yield `expected at most ${mostScanners} scanners in all, got ${scanners.length}`;
  yield* repeated('serial', scanners);
  yield* repeated('name', scanners);
  yield* repeated(
    'name',
    scene.vehicles.map(({ name }, index) => ({ name, object: `vehicles[${index}]` })),
  );
  const { x, y, heading, path, drive } = scene.scanner;
  const isPlaced = x !== 0 || y !== 0 || heading !== 0 || path !== undefined || drive !== undefined;
  if (scanners.length > 0 && isPlaced)
    yield `scanner: expected none, because the scanners have names: ${scanners.map(({ name }) => name).join(', ')}`;
}

/** Reports each value of a member that an earlier entry has. */
function* repeated<Name extends string>(
  member: Name,
  entries: readonly ({ readonly object: string } & { readonly [Key in Name]?: string | undefined })[],
): Generator<string> {
  const first = new Map<string, string>();
  for (const entry of entries) {
    const value: string | undefined = entry[member];
    if (value === undefined) continue;
    const earlier = first.get(value);
    if (earlier === undefined) first.set(value, entry.object);
    else yield `${entry.object}.${member}: expected another one than that of ${earlier}, got ${shown(value)}`;
  }
}

function elementsOf({ walls, polylines, polygons, boxes, circles, fog }: Bodies): number {
  let elements = walls.length + 4 * boxes.length + circles.length;
  for (const { points } of polylines) elements += points.length - 1;
  for (const { points } of polygons) elements += points.length;
  for (const { points } of fog) elements += points?.length ?? 1;
  return elements;
}
