/** A scanner that is to run in one of several processes. */
export interface Placeable {
  readonly serial: string;
  /** Does it send from its power-on on? */
  readonly sends: boolean;
  /** The process, from 0, in whose store it is by now; undefined if it is in none of them. */
  readonly at: number | undefined;
}

/**
 * The process of each scanner, by its serial number. Those that send are spread evenly, and so are all others: their numbers
 * differ by at most one. As few of them as possible leave the process whose store they are in.
 * @param processes 1 or more
 */
export function placementOf(scanners: readonly Placeable[], processes: number): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  const totals = new Array<number>(processes).fill(0);
  for (const sends of [true, false]) {
    const some = scanners.filter((one) => one.sends === sends);
    for (const [serial, place] of spread(some, totals)) {
      places.set(serial, place);
      totals[place] = (totals[place] ?? 0) + 1;
    }
  }
  return places;
}

/** @param totals scanners of other kinds that each process has already */
function spread(scanners: readonly Placeable[], totals: readonly number[]): ReadonlyMap<string, number> {
  const room = roomOf(scanners, totals);
  const places = new Map<string, number>();
  const put = (serial: string, place: number) => {
    places.set(serial, place);
    room[place] = (room[place] ?? 0) - 1;
  };
  for (const { serial, at } of scanners) if (at !== undefined && (room[at] ?? 0) > 0) put(serial, at);
  // Neighbours of the list are apart.
  let next = room.indexOf(Math.max(...room));
  for (const { serial } of scanners) {
    if (places.has(serial)) continue;
    while ((room[next] ?? 0) === 0) next = (next + 1) % room.length;
    put(serial, next);
    next = (next + 1) % room.length;
  }
  return places;
}

/** How many each process takes. If it does not come out even, those that have most of them already take one more. */
function roomOf(scanners: readonly Placeable[], totals: readonly number[]): number[] {
  const each = Math.floor(scanners.length / totals.length);
  const present = totals.map(() => 0);
  for (const { at } of scanners) if (at !== undefined && at in present) present[at] = (present[at] ?? 0) + 1;
  const of = (counts: readonly number[], place: number) => counts[place] ?? 0;
  const order = totals
    .map((_, place) => place)
    .sort((a, b) => of(present, b) - of(present, a) || of(totals, a) - of(totals, b) || a - b);
  const room = totals.map(() => each);
  for (const place of order.slice(0, scanners.length - each * totals.length)) room[place] = each + 1;
  return room;
}
