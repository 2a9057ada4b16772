import { createHash } from 'node:crypto';
import { factLines } from './fact-lines.js';
import { knownDigests } from './known-digests.js';

/** Returns a digest of what the model states of each name, by the name. */
export function factDigests(): Readonly<Record<string, string>> {
  const digests = [...factLines()].map(([name, line]) => [name, digestOf(line)] as const);
  return Object.fromEntries(digests.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** Hexadecimal digits of a digest: enough to notice a change. */
const digits = 12;

function digestOf(line: string): string {
  return createHash('sha256').update(line).digest('hex').slice(0, digits);
}

/**
 * Returns the names of which this program states something else than what was reviewed: the model of its build was changed. A
 * check then judges these names by facts that nobody has reviewed, and a scanner of the same build would pass with the fault.
 */
export function changedFacts(): readonly string[] {
  const present = factDigests();
  const names = new Set([...Object.keys(knownDigests), ...Object.keys(present)]);
  return [...names].filter((name) => present[name] !== knownDigests[name]);
}
