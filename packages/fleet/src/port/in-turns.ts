import { nextTurn } from '@azimuth/http';

/** Scanners of a list that are handled in one turn of the event loop: less than a millisecond. */
const atOnce = 250;

/** Comparisons of two scanners in one turn: about a millisecond for the slowest order, that of names. */
const comparedAtOnce = 2000;

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

/**
 * Sorts a list in the same turns. Equal ones keep their order.
 * @param order of two of them, as for `sort`
 */
export async function sortedInTurns<T>(
  list: readonly T[],
  order: (one: T, other: T) => number,
): Promise<readonly T[]> {
  const work = { compared: 0 };
  let parts: (readonly T[])[] = [];
  for await (const some of turnsOf(list)) parts.push(some.toSorted(order));
  while (parts.length > 1) {
    const merged: (readonly T[])[] = [];
    for (let index = 0; index < parts.length; index += 2)
      merged.push(await mergedInTurns(parts[index] ?? [], parts[index + 1] ?? [], order, work));
    parts = merged;
  }
  return parts[0] ?? [];
}

async function mergedInTurns<T>(
  one: readonly T[],
  other: readonly T[],
  order: (one: T, other: T) => number,
  work: { compared: number },
): Promise<readonly T[]> {
  const [last, first] = [one.at(-1), other[0]];
  if (last === undefined || first === undefined || order(last, first) <= 0) return [...one, ...other];
  const merged: T[] = [];
  let [at, otherAt] = [0, 0];
  for (;;) {
    const [next, otherNext] = [one[at], other[otherAt]];
    if (next === undefined || otherNext === undefined)
      return [...merged, ...one.slice(at), ...other.slice(otherAt)];
    if (++work.compared % comparedAtOnce === 0) await nextTurn();
    if (order(next, otherNext) <= 0) {
      merged.push(next);
      at++;
    } else {
      merged.push(otherNext);
      otherAt++;
    }
  }
}
