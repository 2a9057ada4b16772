import { concurrently } from '@azimuth/async';
import type { ScannerFacts } from '../scanners/scanner-facts.js';
import { sendsAtPowerOn } from '../scanners/scanner-store.js';
import type { FleetStore } from '../store/fleet-store.js';

/** A scanner that is to be assigned to one of several processes. */
export interface Placeable {
  readonly serial: string;
  /** True if it sends from its power-on on. */
  readonly sends: boolean;
  /** The process, from 0, whose store has it now; undefined if none has it. */
  readonly at: number | undefined;
}

/**
 * Assigns a process to each scanner, by its serial number. Scanners that send are spread evenly, and so are all others: the
 * numbers of two processes differ by at most one. As few of them as possible leave the process whose store has them.
 * @param processes 1 or more
 */
export function placementOfScanners(
  scanners: readonly Placeable[],
  processes: number,
): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  const totals = new Array<number>(processes).fill(0);
  for (const sends of [true, false]) {
    const ofKind = scanners.filter((one) => one.sends === sends);
    for (const [serial, place] of distribute(ofKind, totals)) {
      places.set(serial, place);
      totals[place] = (totals[place] ?? 0) + 1;
    }
  }
  return places;
}

/** @param totals scanners of other kinds that each process has already */
function distribute(scanners: readonly Placeable[], totals: readonly number[]): ReadonlyMap<string, number> {
  const room = roomOf(scanners, totals);
  const places = new Map<string, number>();
  const put = (serial: string, place: number) => {
    places.set(serial, place);
    room[place] = (room[place] ?? 0) - 1;
  };
  for (const { serial, at } of scanners) if (at !== undefined && (room[at] ?? 0) > 0) put(serial, at);
  // Neighbours in the list go to different processes.
  let next = room.indexOf(Math.max(...room));
  for (const { serial } of scanners) {
    if (places.has(serial)) continue;
    while ((room[next] ?? 0) === 0) next = (next + 1) % room.length;
    put(serial, next);
    next = (next + 1) % room.length;
  }
  return places;
}

/**
 * Returns the number of scanners for each process. If it does not come out even, the processes that have most of them already
 * get one more.
 */
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

/** Scanners that are copied at the same time: they share waits for the disk. */
const atOnce = 256;

/**
 * Decides which process runs each scanner, and moves its stored data there. No process may run meanwhile.
 *
 * The data is copied, and the copy is on disk before the original is removed. If a power cut comes in between, two stores
 * know the scanner. Their data is equal, because no scanner has run, and the next call removes one of them. Files of a
 * scanner that their store does not know are left over from such a cut.
 * @param stores of the processes, in their order
 * @param former stores that no process uses any more. Their data of these scanners moves, the rest stays
 * @returns the process of each scanner, by its serial number
 */
export async function moveScanners(
  scanners: readonly Pick<ScannerFacts, 'serial' | 'parameters'>[],
  stores: readonly FleetStore[],
  former: readonly FleetStore[],
): Promise<ReadonlyMap<string, number>> {
  const all = [...stores, ...former];
  const known = storesOf(all);
  const placeable = scanners.map((scanner) => {
    const { serial } = scanner;
    const store = known.get(serial)?.[0];
    const at = store === undefined ? -1 : stores.indexOf(store);
    return { serial, sends: sendsAtPowerOn(scanner, store), at: at < 0 ? undefined : at };
  });
  const placement = placementOfScanners(placeable, stores.length);
  const copies: [FleetStore, FleetStore, string][] = [];
  for (const [serial, place] of placement) {
    const [from, ...others] = known.get(serial) ?? [];
    const to = stores[place];
    if (from === undefined || to === undefined || from === to || others.includes(to)) continue;
    copies.push([from, to, serial]);
  }
  // Lost records may belong to any scanner, so the mark goes to every store.
  if (all.some(({ isUnsure }) => isUnsure)) for (const store of stores) await store.setUnsure(true);
  await concurrently(atOnce, copies, ([from, to, serial]) => to.copyFrom(from, serial));
  for (const [index, store] of all.entries()) await removeWhatOthersHave(store, index, placement, all, known);
  return placement;
}

/** Returns the stores that know each scanner, the first one first. A store that may have lost something comes last. */
function storesOf(all: readonly FleetStore[]): ReadonlyMap<string, readonly FleetStore[]> {
  const known = new Map<string, FleetStore[]>();
  const intactFirst = [...all].sort((a, b) => Number(a.isUnsure) - Number(b.isUnsure));
  for (const store of intactFirst) {
    for (const serial of store.serials) {
      const knowing = known.get(serial);
      if (knowing === undefined) known.set(serial, [store]);
      else knowing.push(store);
    }
  }
  return known;
}

/**
 * Removes scanners from stores if another store has them. A scanner without a process stays in the first store that knows it.
 */
async function removeWhatOthersHave(
  store: FleetStore,
  index: number,
  placement: ReadonlyMap<string, number>,
  all: readonly FleetStore[],
  known: ReadonlyMap<string, readonly FleetStore[]>,
): Promise<void> {
  const isElsewhere = (serial: string) => {
    const first = known.get(serial)?.[0];
    return first !== undefined && (placement.get(serial) ?? all.indexOf(first)) !== index;
  };
  await store.forget([...store.serials].filter(isElsewhere));
  for (const serial of [...store.folders].filter(isElsewhere)) await store.removeFiles(serial);
}
