import { isFrom, type Release } from '@azimuth/model';
import type { CheckSubject } from '../scanner/checked-scanner.js';
import { authArea } from './auth/index.js';
import { bootArea } from './boot.js';
import { type Area, type ConformanceCase, type ReleaseRange, stages } from './case.js';
import { defaultArea } from './defaults.js';
import { interfaceArea } from './derived/interface.js';
import { methodArea } from './derived/method.js';
import { variableArea } from './derived/variable.js';
import { eventArea } from './event/index.js';
import { distanceArea } from './fields/distances.js';
import { fieldArea } from './fields/index.js';
import { fileArea } from './files/index.js';
import { filterArea } from './filter/index.js';
import { contaminationArea } from './hardware/contamination.js';
import { mergeArea } from './hardware/merge.js';
import { portArea } from './hardware/ports.js';
import { stateArea } from './hardware/states.js';
import { temperatureArea } from './hardware/temperature.js';
import { timeArea } from './hardware/time.js';
import { httpArea } from './http/index.js';
import { legacyArea } from './legacy/index.js';
import { levelArea } from './level/index.js';
import { lockArea } from './lock/index.js';
import { saveArea } from './saving.js';
import { searchArea } from './search.js';
import { statusArea } from './status.js';
import { streamArea } from './stream/index.js';
import { tlsArea } from './tls/index.js';

export * from './case.js';

/** All areas, in the order of reports. */
export const areas: readonly Area[] = [
  statusArea,
  interfaceArea,
  variableArea,
  methodArea,
  authArea,
  levelArea,
  lockArea,
  httpArea,
  tlsArea,
  fileArea,
  saveArea,
  bootArea,
  defaultArea,
  legacyArea,
  searchArea,
  streamArea,
  filterArea,
  eventArea,
  fieldArea,
  distanceArea,
  portArea,
  contaminationArea,
  temperatureArea,
  timeArea,
  stateArea,
  mergeArea,
];

/**
 * Returns all cases for a scanner, stage after stage.
 * @throws Error for two cases with one id, and for an id that does not begin with its area: mistakes of this program
 */
export function casesFor(subject: CheckSubject): readonly ConformanceCase[] {
  const seen = new Set<string>();
  const all = areas.flatMap((area) =>
    area.cases(subject).map((one) => {
      if (!one.id.startsWith(`${area.name}.`)) throw new Error(`${one.id} is not in the area ${area.name}`);
      if (seen.has(one.id)) throw new Error(`two cases have the id ${one.id}`);
      seen.add(one.id);
      return one;
    }),
  );
  const meant = all.filter((one) => isMeant(one, subject));
  return meant.toSorted((one, other) => stages.indexOf(one.stage) - stages.indexOf(other.stage));
}

function isMeant({ releases, variants }: ConformanceCase, { release, variant }: CheckSubject): boolean {
  return isInRange(release, releases) && (variants === undefined || variants.includes(variant));
}

/** Returns true if a release is in a range; every release is in an undefined one. */
export function isInRange(release: Release, { since, until }: ReleaseRange = {}): boolean {
  if (since !== undefined && !isFrom(release, since)) return false;
  return until === undefined || !isFrom(release, until);
}
