import { newestRelease, type Release, releases, type Variant, variants } from '@azimuth/model';
import { type Area, areas, type ConformanceCase, casesFor } from '../cases/index.js';
import { type Mutant, mutantsFor } from '../mutants/index.js';
import { editionSubject } from '../scanner/checked-edition.js';

/** Every case with its area and its mutants, as the first edition has it that has it. */
export interface ProvedCase {
  readonly area: Area;
  readonly case: ConformanceCase;
  readonly mutants: readonly Mutant[];
}

/** The newest full scanner first, then the others from the newest release on. */
export const editionOrder: readonly { readonly release: Release; readonly variant: Variant }[] = [
  { release: newestRelease, variant: 'full' },
  ...releases
    .toReversed()
    .flatMap((release) => variants.map((variant) => ({ release, variant })))
    .filter(({ release, variant }) => release !== newestRelease || variant !== 'full'),
];

/** Returns the cases of all editions, each once, by area. */
export function everyCase(): readonly ProvedCase[] {
  const all = new Map<string, ProvedCase>();
  for (const { release, variant } of editionOrder) {
    const subject = editionSubject(release, variant);
    const added = casesFor(subject).filter(({ id }) => !all.has(id));
    if (added.length === 0) continue;
    const mutants = grouped(mutantsFor(subject), (mutant) => mutant.case);
    for (const one of added)
      all.set(one.id, { area: areaOf(one), case: one, mutants: mutants.get(one.id) ?? [] });
  }
  return areas.flatMap((area) => [...all.values()].filter((one) => one.area === area));
}

function areaOf({ id }: ConformanceCase): Area {
  const area = areas.find(({ name }) => id.startsWith(`${name}.`));
  if (area === undefined) throw new Error(`${id} is in no area`);
  return area;
}

/** Returns items by a key, in their order. */
export function grouped<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
