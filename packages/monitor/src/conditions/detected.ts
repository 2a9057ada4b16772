import type { ScannerSnapshot } from '../state/scanner-snapshot.js';
import type { ConditionKind, Detected } from './condition-kind.js';

/** A condition of the whole scanner, if it holds. */
export function whole(holds: boolean, text: string): readonly Detected[] {
  return holds ? [{ part: '', text }] : [];
}

/** Values of a scanner that does not answer may be old, and those of another one mean nothing. Its conditions stay as they were. */
export function whileKnown(detect: ConditionKind['detect']): ConditionKind['detect'] {
  return (snapshot, limits, now) =>
    snapshot.reachable === true && !isOther(snapshot) ? detect(snapshot, limits, now) : undefined;
}

/** True if another scanner answers at the address. */
export function isOther({ serial, expectedSerial }: ScannerSnapshot): boolean {
  return serial !== undefined && expectedSerial !== undefined && serial !== expectedSerial;
}

/** True if the scanner is in a condition already. Its end may need more than its begin would. */
export function isIn({ conditions }: ScannerSnapshot, id: string, part = ''): boolean {
  return conditions.some((condition) => condition.id === id && condition.part === part);
}

/** Returns names for a text: the first three, and the number of the others. */
export function named(names: readonly string[]): string {
  const first = names.slice(0, 3).join(', ');
  return names.length > 3 ? `${first} and ${names.length - 3} more` : first;
}
