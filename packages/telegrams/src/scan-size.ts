import type { ScanModule } from './scan-telegram.js';

/**
 * Beams of a module.
 * @throws RangeError where its arrays do not have the length that rows, columns and echoes ask for.
 */
export function beamsOf(module: ScanModule): number {
  const { rows, columns, echoes } = module;
  const beams = rows * columns;
  hasLength('distance', module.distance, beams * echoes);
  hasLength('rssi', module.rssi, beams * echoes);
  hasLength('properties', module.properties, beams);
  hasLength('azimuth', module.azimuth, beams);
  hasLength('firstBeamTime', module.firstBeamTime, rows);
  hasLength('lastBeamTime', module.lastBeamTime, rows);
  hasLength('elevation', module.elevation, rows);
  hasLength('firstAzimuth', module.firstAzimuth, rows);
  hasLength('lastAzimuth', module.lastAzimuth, rows);
  return beams;
}

function hasLength(name: string, array: ArrayLike<number> | undefined, expected: number): void {
  if (array === undefined || array.length === expected) return;
  throw new RangeError(`${name}: ${expected} numbers expected, ${array.length} came`);
}
