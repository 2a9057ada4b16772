/**
 * One telegram of scan data, as Compact (type 1) and MSGPACK both carry it. Times are in µs, angles in rad, distances
 * in mm; numbers above 2^53 are not exact.
 */
export interface ScanTelegram {
  /** Counts the telegrams of the stream, one by one. */
  readonly sequence: number;
  /** When it was handed to the network. */
  readonly transmitTime: number;
  /** Of Compact: 4 if it is not told. Version 3 has no scale: distances are in whole mm. */
  readonly version?: 3 | 4;
  /** A 2D scanner sends one. */
  readonly modules: readonly ScanModule[];
}

/**
 * One segment of a scan: `rows` × `columns` beams. Values for each row are arrays with an item a row. Beams stand
 * column by column, in each column row by row, and the echoes of a beam one after the other, the nearest first.
 */
export interface ScanModule {
  /** Counts from 0 in each frame. */
  readonly segmentIndex: number;
  /** Counts the scans. */
  readonly frameNumber: number;
  /** Serial number of the scanner. */
  readonly sender: number;
  /** Layers; 1 on a 2D scanner. */
  readonly rows: number;
  /** Beams a row. */
  readonly columns: number;
  /** Places for echoes a beam. */
  readonly echoes: number;
  readonly firstBeamTime: ArrayLike<number>;
  readonly lastBeamTime: ArrayLike<number>;
  readonly elevation: ArrayLike<number>;
  readonly firstAzimuth: ArrayLike<number>;
  readonly lastAzimuth: ArrayLike<number>;
  /** Resolution of the distances in mm, for formats that send whole numbers. */
  readonly scale: number;
  readonly availability: number;
  /** mm, rows × columns × echoes; 0 if there is no echo. */
  readonly distance: Float32Array;
  /** Signal strength, 0 to 65535, rows × columns × echoes. */
  readonly rssi?: Uint16Array;
  /** One byte a beam: bit 0 reflector (of the last echo that there is), bits 5 to 7 blooming of echo 0 to 2. */
  readonly properties?: Uint8Array;
  /** Azimuth of each beam in rad, rows × columns. */
  readonly azimuth?: Float32Array;
}

/**
 * Beams of a module.
 * @throws RangeError if its arrays do not have the lengths that follow from rows, columns and echoes.
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
  throw new RangeError(`${name}: expected ${expected} numbers, got ${array.length}`);
}
