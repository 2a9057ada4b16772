import type { Contents } from './contents.js';
import type { Turn } from './recorded-turns.js';
import { ReplayError } from './replay-error.js';

/** Numbers that a message lists before it says how many more there are. */
const mostListed = 12;

/**
 * The turns that are played: all of a recording, but for the first and the last one where the recording begins or ends in
 * the middle of them. A turn in between that has lost segments is played without them.
 * @throws ReplayError where no turn is left, or a segment is missing in all of them: nobody can tell then what the
 * scanner saw.
 */
export function wholeTurns({ turns, scanTelegrams, unused }: Contents): readonly Turn[] {
  const indices = new Set<number>();
  let last = 0;
  for (const { segments } of turns) {
    for (const index of segments.keys()) {
      indices.add(index);
      last = Math.max(last, index);
    }
  }
  const count = last + 1;
  const played = turns.filter(
    ({ segments }, place) => segments.size === count || (place > 0 && place < turns.length - 1),
  );
  if (indices.size === count && played.length > 0) return played;
  if (scanTelegrams === 0) {
    throw new ReplayError(
      `the recording holds no scan: no telegram of Compact or MSGPACK that can be played, ${unused} that cannot`,
    );
  }
  const telegrams = `${scanTelegrams} ${scanTelegrams === 1 ? 'telegram' : 'telegrams'}`;
  const frames = listed(
    'frame',
    turns.map(({ frame }) => frame),
  );
  const segments = listed(
    'segment',
    [...indices].sort((one, other) => one - other),
  );
  throw new ReplayError(`the recording holds no complete scan: ${telegrams}, ${segments} of ${frames}`);
}

function listed(what: string, numbers: readonly number[]): string {
  const some = numbers.slice(0, mostListed).join(', ');
  const more = numbers.length > mostListed ? ` and ${numbers.length - mostListed} more` : '';
  return `${numbers.length === 1 ? what : `${what}s`} ${some}${more}`;
}
