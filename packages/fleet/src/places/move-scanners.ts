import { concurrently } from '@azimuth/async';
import type { ScannerFacts } from '../scanners/scanner-facts.js';
import { sendsAtPowerOn } from '../scanners/scanner-store.js';
import type { FleetStore } from '../store/fleet-store.js';
import { placementOf } from './placement.js';

/** Scanners that are copied at the same time: they share waits for the disk. */
const atOnce = 256;

/**
 * Decides in which process each scanner runs, and moves what they have stored there. No process may run meanwhile.
 *
 * What moves is copied, and that is on disk before it is removed where it was. If a power cut comes in between, two stores know
 * the scanner, and what they know is equal, because no scanner has run: the next call removes one of them. Files of a scanner in
 * a store that does not know it are what such a cut has left.
 * @param stores of the processes, in their order
 * @param former stores that no process uses any more. What they have of these scanners moves, the rest stays
 * @returns the process of each scanner, by its serial number
 */
export async function moveScanners(
  units: readonly Pick<ScannerFacts, 'serial' | 'parameters'>[],
  stores: readonly FleetStore[],
  former: readonly FleetStore[],
): Promise<ReadonlyMap<string, number>> {
  const all = [...stores, ...former];
  const known = storesOf(all);
  const scanners = units.map((one) => {
    const { serial } = one;
    const store = known.get(serial)?.[0];
    const at = store === undefined ? -1 : stores.indexOf(store);
    return { serial, sends: sendsAtPowerOn(one, store), at: at < 0 ? undefined : at };
  });
  const placement = placementOf(scanners, stores.length);
  const copies: [FleetStore, FleetStore, string][] = [];
  for (const [serial, place] of placement) {
    const [from, ...others] = known.get(serial) ?? [];
    const to = stores[place];
    if (from === undefined || to === undefined || from === to || others.includes(to)) continue;
    copies.push([from, to, serial]);
  }
  // A scanner that is not known in one of them may have been used, wherever it goes.
  if (all.some(({ isUnsure }) => isUnsure)) for (const store of stores) await store.setUnsure(true);
  await concurrently(atOnce, copies, ([from, to, serial]) => to.copyFrom(from, serial));
  for (const [index, store] of all.entries()) await removeWhatOthersHave(store, index, placement, all, known);
  return placement;
}

/** The stores that know each scanner, the first one first. One that may have lost something comes last. */
function storesOf(all: readonly FleetStore[]): ReadonlyMap<string, readonly FleetStore[]> {
  const known = new Map<string, FleetStore[]>();
  const soundFirst = [...all].sort((a, b) => Number(a.isUnsure) - Number(b.isUnsure));
  for (const store of soundFirst) {
    for (const serial of store.serials) {
      const those = known.get(serial);
      if (those === undefined) known.set(serial, [store]);
      else those.push(store);
    }
  }
  return known;
}

/** A scanner that has no place stays in the first store that knows it. */
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
