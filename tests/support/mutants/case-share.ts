import { createHash } from 'node:crypto';

/** True in a campaign that takes all cases of all editions. */
export const takesAll = process.env.AZIMUTH_CHECK_EDITIONS === 'all';

/**
 * Number of the turn: other runs than campaigns take a share of the cases, each day another one, and each case comes in turn.
 * `AZIMUTH_CHECK_TURN` takes that of another day.
 */
const turn = Number(process.env.AZIMUTH_CHECK_TURN ?? Math.floor(Date.now() / 86_400_000));

/** Tells how to take the same cases again. */
export const again = `the cases of the turn AZIMUTH_CHECK_TURN=${turn}`;

/** Of so many cases, such a run takes one. */
const usualShare = 24;
const ofEach = takesAll ? 1 : usualShare;

/** Returns true for the cases that a test takes. @param seed of the test: each takes others */
export function isTaken(id: string, seed: string, share = usualShare): boolean {
  return takesAll || isInShare(id, seed, share);
}

/** The same for a test that takes a share in a campaign, too. */
export function isInShare(id: string, seed: string, share: number): boolean {
  return createHash('sha256').update(`${seed} ${id}`).digest().readUInt16LE() % share === turn % share;
}

/** Areas whose cases derive from tables: each kind of case comes for a hundred names. */
const derived = /^(variable|method|legacy)\./;

/** Returns true for the cases that are proved: in a campaign all, otherwise fewer of those that derive from tables. */
export function isProved(id: string): boolean {
  return isTaken(id, 'proof', derived.test(id) ? 72 : 12);
}

/** Returns the least number of cases that a test takes, if there are so many in sum. */
export function leastTaken(all: number): number {
  return Math.floor(all / ofEach / 2);
}
