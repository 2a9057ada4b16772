import { faultLines, placeOf, shown, unknownWords } from './fault-words.js';
import { materialsOf } from './materials.js';
import { SceneError } from './scene-error.js';
import { type Bodies, mostElements, type Scene, sceneFile } from './scene-file.js';

/**
 * Checks a scene and fills in what it leaves out. Faults of form are found first; names of materials and the size
 * of the whole are looked at once the form is right.
 * @param name what the messages call it: the name of the file
 * @throws SceneError naming every fault and its place
 */
export function parseScene(json: unknown, name: string): Scene {
  const parsed = sceneFile.safeParse(json);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ code, path, message }) => {
      const place = path.length === 0 ? '' : `${placeOf(path)}: `;
      if (code === 'unrecognized_keys') return `${place}${message}`;
      return `${place}expected ${message}, got ${shown(valueAt(json, path))}`;
    });
    throw new SceneError(faultLines(name, faults));
  }
  const faults = [...unknownMaterials(parsed.data), ...tooMany(parsed.data)];
  if (faults.length > 0) throw new SceneError(faultLines(name, faults));
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
      yield `actors[${index}].legs.material: ${unknownWords('material ', [material], known)}`;
  }
  for (const { place, bodies } of groups) {
    for (const kind of ['walls', 'polylines', 'polygons', 'boxes', 'circles'] as const) {
      for (const [index, { material }] of bodies[kind].entries()) {
        if (!names.has(material))
          yield `${place}${kind}[${index}].material: ${unknownWords('material ', [material], known)}`;
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
