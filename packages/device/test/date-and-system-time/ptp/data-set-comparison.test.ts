import type { PtpAnnounce } from '@azimuth/telegrams/ptp';
import { expect, test } from 'vitest';
import { compareMasters } from '../../../src/date-and-system-time/ptp/foreign-masters.js';

type Told = Partial<PtpAnnounce>;

const [small, large] = ['00000000000000aa', '00000000000000bb'];
const source = { clock: small, port: 1 };

const announce: PtpAnnounce = {
  ...{ kind: 'announce', domain: 0, sdoId: 0, flags: 0, correction: 0n, source, sequence: 1, logInterval: 1 },
  ...{ time: { seconds: 0, nanoseconds: 0 }, tlvs: [], utcOffset: 37, timeSource: 0x20, stepsRemoved: 0 },
  ...{ priority1: 128, clockClass: 6, clockAccuracy: 0x21, variance: 0x4e5d, priority2: 128 },
  grandmaster: small,
};

/** Comparison of two masters that announce these values: -1 if the first is better. */
function compared(one: Told, other: Told): number {
  return Math.sign(compareMasters({ ...announce, ...one }, { ...announce, ...other }));
}

/** A pair of values, the better one first, of each property of a grandmaster, in the order in which they decide. */
const ofGrandmasters: readonly (readonly [string, Told, Told])[] = [
  ['priority 1', { priority1: 127 }, { priority1: 128 }],
  ['clock class', { clockClass: 6 }, { clockClass: 7 }],
  ['clock accuracy', { clockAccuracy: 0x21 }, { clockAccuracy: 0x22 }],
  ['variance', { variance: 0x4e5d }, { variance: 0xffff }],
  ['priority 2', { priority2: 1 }, { priority2: 2 }],
  ['identity', { grandmaster: small }, { grandmaster: large }],
];

/** Comparison of two paths to one grandmaster. */
const ofWays: readonly (readonly [string, Told, Told])[] = [
  ['steps removed', { stepsRemoved: 1 }, { stepsRemoved: 2 }],
  ['identity of the sender', { source }, { source: { clock: large, port: 1 } }],
  ['port of the sender', { source }, { source: { clock: small, port: 2 } }],
];

/** Each property, and all properties with a lower priority. */
function ranked(properties: typeof ofWays) {
  return properties.map(
    ([name, better, worse], index) => [name, better, worse, properties.slice(index + 1)] as const,
  );
}

test.each(ranked(ofGrandmasters))(
  'of two grandmasters, %s decides, whatever stands behind it in the order',
  (_, better, worse, behind) => {
    // Two grandmasters always have different identities.
    const [one, other]: [Told, Told] = [{ grandmaster: large }, { grandmaster: small }];
    const worst = Object.assign({}, one, ...behind.map(([, , bad]) => bad), better);
    const best = Object.assign({}, other, ...behind.map(([, good]) => good), worse);
    expect([compared(worst, best), compared(best, worst)]).toEqual([-1, 1]);
    // The path to another grandmaster decides nothing.
    expect(compared({ ...worst, stepsRemoved: 9 }, best)).toBe(-1);
  },
);

test.each(ranked(ofWays))(
  'of two ways to one grandmaster, %s decides, whatever stands behind it in the order',
  (_, better, worse, behind) => {
    const worst = Object.assign({}, ...behind.map(([, , bad]) => bad), better);
    const best = Object.assign({}, ...behind.map(([, good]) => good), worse);
    expect([compared(worst, best), compared(best, worst)]).toEqual([-1, 1]);
    // Values of the sender itself decide nothing.
    expect(compared({ ...worst, priority1: 255 }, best)).toBe(-1);
  },
);

test('what is equal in all properties is the same master', () => {
  expect(compared({}, {})).toBe(0);
});
