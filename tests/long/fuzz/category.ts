import type { SeededRandom } from '../../support/seeded-random.js';
import type { Target } from './catalogue.js';
import type { Lane } from './lane.js';
import { judge } from './oracle.js';
import type { WireReply } from './wire.js';

/** What became of a case: statuses, `page` for a response that has none, `closed` for no response. */
export type Outcome = number | 'page' | 'closed';

/** One way of besetting the scanner. */
export interface Category {
  readonly name: string;
  /** How often it comes up, beside the others. */
  readonly weight: number;
  /** One case. Throws where the scanner misbehaves. */
  readonly run: (
    lane: Lane,
    random: SeededRandom,
    catalogue: readonly Target[],
  ) => Promise<readonly Outcome[]>;
}

/** What holds for any reply of a port: its status, undefined where it has none. Throws where the scanner has misbehaved. */
export type Judge = (reply: WireReply) => number | undefined;

export function outcomesOf(replies: readonly WireReply[], judged: Judge = judge): readonly Outcome[] {
  return replies.length === 0 ? ['closed'] : replies.map((reply) => judged(reply) ?? 'page');
}

/** The same for a reply that has to be one of the interface. */
export function statusOf(reply: WireReply): number {
  const status = judge(reply);
  if (status === undefined) throw new Error(`no envelope under /api: ${reply.body.slice(0, 300)}`);
  return status;
}

/** Throws unless a status is one of those that fit. */
export function expectOneOf(status: number, fitting: readonly number[], what: string): number {
  if (!fitting.includes(status))
    throw new Error(`${what}: status ${status}, expected ${fitting.join(' or ')}`);
  return status;
}

/** Calls that a round of the fuzzer makes itself, at its end: they store, reset or reboot. */
const deliberate = [
  ...['WriteEeprom', 'RebootDevice', 'SoftReset', 'LoadFactoryDefaults', 'LoadApplicationDefaults'],
  'RestoreParameterBackup',
  ...['checkCredentials'],
];

export function writable(catalogue: readonly Target[]): readonly Target[] {
  return catalogue.filter(({ kind, posts }) => kind === 'variable' && posts);
}

/** Methods that need a login and may be called at any moment. */
export function callable(catalogue: readonly Target[]): readonly Target[] {
  return catalogue.filter(
    ({ kind, login, name }) => kind === 'method' && login && !deliberate.includes(name),
  );
}

/** Cuts bytes at so many random places. */
export function cut(bytes: Buffer, places: number, random: SeededRandom): Buffer[] {
  const ends = Array.from({ length: places }, () => random.below(bytes.length + 1)).toSorted((a, b) => a - b);
  return [...ends, bytes.length].map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}
