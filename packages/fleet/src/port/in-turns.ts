import { nextTurn } from '@azimuth/http';

/** Scanners of a list that are handled in one turn of the event loop: less than a millisecond. */
const atOnce = 250;

/** Calls `each` for all of them, a few hundred in one turn of the event loop. Others are served in between. */
export async function mapInTurns<T, R>(all: Iterable<T>, each: (one: T) => R): Promise<R[]> {
  const results: R[] = [];
  for (const one of all) {
    if (results.length % atOnce === 0) await nextTurn();
    results.push(each(one));
  }
  return results;
}

/** Splits a list into such parts, each in a turn of its own. */
export async function* turnsOf<T>(list: readonly T[]): AsyncGenerator<readonly T[]> {
  for (let from = 0; from < list.length; from += atOnce) {
    await nextTurn();
    yield list.slice(from, from + atOnce);
  }
}

/** Formats a list as JSON, in the same turns. */
export async function jsonInTurns(list: readonly object[]): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for (let from = 0; from < list.length; from += atOnce) {
    await nextTurn();
    const text = JSON.stringify(list.slice(from, from + atOnce)).slice(1, -1);
    pieces.push(Buffer.from(from === 0 ? text : `,${text}`));
  }
  return Buffer.concat([Buffer.from('['), ...pieces, Buffer.from(']\n')]);
}
