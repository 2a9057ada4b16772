import { nearestName } from '@azimuth/wording';

/** Thrown for a scene that cannot be used. The message names every problem and its path, one per line. */
export class SceneError extends Error {
  override readonly name = 'SceneError';
}

/** Problems that one message lists; further ones are counted. */
const mostProblems = 20;
const mostCharacters = 60;

/** Returns the path of a value in a file: `walls[2].to`. */
export function placeOf(path: readonly PropertyKey[]): string {
  let place = '';
  for (const key of path) {
    if (typeof key === 'number') place += `[${key}]`;
    else if (/^[A-Za-z_$][\w$]*$/.test(String(key))) place += `${place === '' ? '' : '.'}${String(key)}`;
    else place += `[${shown(String(key))}]`;
  }
  return place;
}

/** Returns the value at a path; undefined if there is none. */
export function valueAt(json: unknown, path: readonly PropertyKey[]): unknown {
  let value = json;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Object.getOwnPropertyDescriptor(value, key)?.value;
  }
  return value;
}

/** Returns a value as JSON, cut off if it is long. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = typeof value === 'number' ? String(value) : jsonOf(value);
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text;
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? typeof value;
  } catch {
    return typeof value;
  }
}

/** Returns `unknown "walsl" (did you mean "walls"?)` for each wrong name. */
export function unknownNames(kind: string, wrong: readonly string[], known: readonly string[]): string {
  return wrong
    .slice(0, mostProblems)
    .map((name) => {
      const near = nearestName(name, known);
      return `unknown ${kind}${shown(name)}${near === undefined ? '' : ` (did you mean "${near}"?)`}`;
    })
    .join(', ');
}

/** Returns one line for each problem. Each line begins with the name of the scene. */
export function problemLines(name: string, problems: readonly string[]): string {
  const lines = problems.slice(0, mostProblems).map((problem) => `${name}: ${problem}`);
  if (problems.length > mostProblems)
    lines.push(`${name}: and ${problems.length - mostProblems} faults more`);
  return lines.join('\n');
}
