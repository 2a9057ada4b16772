import type { PlannedParameter } from '@azimuth/client';
import { isObject, type Shape } from '@azimuth/model';
import type { Target } from '../scanners/target.js';

/** The command that gives a parameter a value, as a person can paste it into a shell. */
export function setCommandFor(
  { name, variable }: Pick<PlannedParameter, 'name' | 'variable'>,
  value: unknown,
  { label, url }: Pick<Target, 'label' | 'url'>,
): string {
  const words = variable === undefined ? JSON.stringify(value) : wordsOf(variable.type.shape, value);
  const device = label === url ? url : `@${label}`;
  // A value that begins with a dash is no option.
  const end = words.startsWith('-') ? '-- ' : '';
  return `azimuth set --device ${quoted(device)} ${name} ${end}${quoted(words)}`;
}

/** A value in the words that `azimuth set` understands. */
function wordsOf(shape: Shape, value: unknown): string {
  if (shape.kind === 'enumeration') {
    return Object.keys(shape.values).find((name) => shape.values[name] === value) ?? String(value);
  }
  if (shape.kind === 'address' && shape.of === 'IPv4' && Array.isArray(value)) return value.join('.');
  const isPlain = typeof value === 'string' && /^[\p{L}\p{N}_]/u.test(value) && value.trim() === value;
  return isPlain && !isObject(value) ? value : JSON.stringify(value);
}

/** A word for a shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
