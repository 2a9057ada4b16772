import { nearestName } from '@azimuth/model';

/** A scene that cannot be used. The message names every fault and its place, one a line. */
export class SceneError extends Error {
  override readonly name = 'SceneError';
}

/** Faults that one message lists; further ones are counted. */
const mostFaults = 20;
const mostCharacters = 60;

/** The path of a value in a file: `walls[2].to`. */
export function placeOf(path: readonly PropertyKey[]): string {
  let place = '';
  for (const key of path) {
    if (typeof key === 'number') place += `[${key}]`;
    else if (/^[A-Za-z_$][\w$]*$/.test(String(key))) place += `${place === '' ? '' : '.'}${String(key)}`;
    else place += `[${shown(String(key))}]`;
  }
  return place;
}

/** A value as JSON, cut off if it is long. */
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

/** `unknown "walsl" (did you mean "walls"?)` for each wrong name. */
export function unknownWords(kind: string, wrong: readonly string[], known: readonly string[]): string {
  return wrong
    .slice(0, mostFaults)
    .map((name) => {
      const near = nearestName(name, known);
      return `unknown ${kind}${shown(name)}${near === undefined ? '' : ` (did you mean "${near}"?)`}`;
    })
    .join(', ');
}

/** One line for each fault, each beginning with the name of the scene. */
export function faultLines(name: string, faults: readonly string[]): string {
  const lines = faults.slice(0, mostFaults).map((fault) => `${name}: ${fault}`);
  if (faults.length > mostFaults) lines.push(`${name}: and ${faults.length - mostFaults} faults more`);
  return lines.join('\n');
}
