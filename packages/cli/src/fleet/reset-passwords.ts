import { type Log, type Passwords, SystemRandom } from '@azimuth/device';
import { firstCredentials } from '@azimuth/device/documents';
import { FleetStore, type MemberFacts, matcherOf } from '@azimuth/fleet';
import { CommandFailure } from '../command-failure.js';
import { partFolder } from './part-folders.js';

/** Selects scanners whose passwords are reset to those of the factory, or to given ones. */
export interface Reset {
  /** Serial numbers or patterns; empty for no scanner. */
  readonly patterns: readonly string[];
  readonly passwords: Passwords;
}

/** Number of serial numbers in a line of the log. */
const maxListed = 20;

/** @throws CommandFailure for a pattern that means no scanner */
function chosenFor({ patterns }: Reset, scanners: readonly MemberFacts[]): readonly MemberFacts[] {
  const chosen = new Set<MemberFacts>();
  for (const pattern of patterns) {
    const selected = scanners.filter(matcherOf(pattern));
    if (selected.length === 0)
      throw new CommandFailure(`--reset-passwords: no scanner of the fleet matches "${pattern}"`);
    for (const scanner of selected) chosen.add(scanner);
  }
  return [...chosen];
}

/** Resets passwords in a store before its scanners start. On disk when the promise resolves. */
export async function resetPasswords(
  store: FleetStore,
  scanners: readonly MemberFacts[],
  reset: Reset,
  log: Log,
): Promise<void> {
  await resetChosen(store, chosenFor(reset, scanners), reset, log);
}

async function resetChosen(
  store: FleetStore,
  chosen: readonly MemberFacts[],
  { patterns, passwords }: Reset,
  log: Log,
): Promise<void> {
  if (chosen.length === 0) return;
  const random = new SystemRandom();
  await store.resetCredentials(
    chosen.map(({ serial }) => [serial, firstCredentials(random, passwords)] as const),
  );
  // After a reset of all scanners, it is known again which of them have passwords.
  if (patterns.includes('*')) await store.setUnsure(false);
  log.warn(
    'The passwords of scanners were reset: those of the factory are in force, or the ones that were given',
    {
      count: chosen.length,
      scanners: chosen.slice(0, maxListed).map(({ serial }) => serial),
    },
  );
}

/**
 * Resets passwords in the stores of the parts of a fleet. None of the parts may run. @param partOf the part of each scanner
 */
export async function resetInParts(
  data: string,
  partOf: ReadonlyMap<string, number>,
  scanners: readonly MemberFacts[],
  reset: Reset,
  log: Log,
): Promise<void> {
  const chosen = chosenFor(reset, scanners);
  for (const index of new Set(partOf.values())) {
    const own = chosen.filter(({ serial }) => partOf.get(serial) === index);
    if (own.length === 0) continue;
    const store = await FleetStore.open(partFolder(data, index), log);
    try {
      await resetChosen(store, own, reset, log);
    } finally {
      await store.close();
    }
  }
}
