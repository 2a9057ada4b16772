import type { ValueOf } from '@azimuth/model';
import { type BeamDirections, beamDirections } from '../mounting-position/beam-directions.js';
import type { ScanGeometry } from '../scan/scan-geometry.js';

/** Where the scanner stands in the coordinates of its machine, in mm and 1/10000°. */
export type Position = ValueOf<'SensorPosition'>;

/** Where beams begin and where they point to. A scanner that is mounted anew, or has other beams, has another view. */
export interface View {
  readonly geometry: ScanGeometry;
  readonly position: Position;
  readonly directions: BeamDirections;
}

export function viewOf(geometry: ScanGeometry, position: Position): View {
  return { geometry, position, directions: beamDirections(geometry, position) };
}
