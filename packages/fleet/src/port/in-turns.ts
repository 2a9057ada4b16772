import { nextTurn } from '@azimuth/http';

/** Scanners of a list that are handled in one go: it takes less than a millisecond. */
const atOnce = 250;

/** What `each` gives for all of them, a few hundred in one turn of the event loop: others are served between. */
export async function mapInTurns<T, R>(all: Iterable<T>, each: (one: T) => R): Promise<R[]> {
  const results: R[] = [];
  for (const one of all) {
    if (results.length % atOnce === 0) await nextTurn();
    results.push(each(one));
  }
  return results;
}

/** A list in such parts, each in a turn of its own. */
export async function* turnsOf<T>(list: readonly T[]): AsyncGenerator<readonly T[]> {
  for (let from = 0; from < list.length; from += atOnce) {
    await nextTurn();
    yield list.slice(from, from + atOnce);
  }
}

/** A list as JSON, in the same way. */
export async function jsonInTurns(list: readonly object[]): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for (let from = 0; from < list.length; from += atOnce) {
    await nextTurn();
    const text = JSON.stringify(list.slice(from, from + atOnce)).slice(1, -1);
    pieces.push(Buffer.from(from === 0 ? text : `,${text}`));
  }
  return Buffer.concat([Buffer.from('['), ...pieces, Buffer.from(']\n')]);
}
