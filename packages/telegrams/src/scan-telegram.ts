/**
 * One telegram of scan data, as in Compact (type 1) and MSGPACK. Times are in µs, angles in rad, distances in mm; numbers
 * above 2^53 are not exact.
 */
export interface ScanTelegram {
  /** Counts the telegrams of the stream, one by one. */
  readonly sequence: number;
  /** Time at which it was passed to the network. */
  readonly transmitTime: number;
  /** Version of Compact; 4 by default. Version 3 has no scale: distances are in whole mm. */
  readonly version?: 3 | 4 | undefined;
  /** A 2D scanner sends one. */
  readonly modules: readonly ScanModule[];
}

/**
 * One segment of a scan: `rows` × `columns` beams. Values for each row are arrays with an item a row. Beams are ordered
 * column by column, in each column row by row. The echoes of a beam are ordered by distance, the nearest first.
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
  /** Largest number of echoes of a beam. */
  readonly echoes: number;
  /** No beam of this module has more echoes than this: the places behind them are 0. By default, `echoes`. */
  readonly mostEchoes?: number | undefined;
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
  readonly rssi?: Uint16Array | undefined;
  /** One byte a beam: bit 0 a reflector (`reflectorEchoes` returns the echo), bits 5 to 7 blooming of echo 0 to 2. */
  readonly properties?: Uint8Array | undefined;
  /** False if all properties are 0. By default, true: any may be set. */
  readonly hasProperties?: boolean | undefined;
  /** Azimuth of each beam in rad, rows × columns. */
  readonly azimuth?: Float32Array | undefined;
  /**
   * Azimuths as codes of Compact (`azimuthCodesOf`). If missing, the encoder computes them. It remembers what it has written
   * of an array: other codes need another array.
   */
  readonly azimuthCodes?: Uint16Array | undefined;
}

/**
 * Returns the number of beams of a module.
 * @throws RangeError if its arrays do not have the lengths that follow from rows, columns and echoes.
 */
export function beamsOf(module: ScanModule): number {
  const { rows, columns, echoes, distance, rssi, properties, azimuth, azimuthCodes } = module;
  const beams = rows * columns;
  const places = beams * echoes;
  // Each array has its own line: if arrays of several types pass one line, reading a length takes as long as encoding ten
  // beams.
  if (distance.length !== places) throw wrongLength('distance', distance, places);
  if (rssi !== undefined && rssi.length !== places) throw wrongLength('rssi', rssi, places);
  if (properties !== undefined && properties.length !== beams)
    throw wrongLength('properties', properties, beams);
  if (azimuth !== undefined && azimuth.length !== beams) throw wrongLength('azimuth', azimuth, beams);
  if (azimuthCodes !== undefined && azimuthCodes.length !== beams)
    throw wrongLength('azimuthCodes', azimuthCodes, beams);
  const { firstBeamTime, lastBeamTime, elevation, firstAzimuth, lastAzimuth } = module;
  if (firstBeamTime.length !== rows) throw wrongLength('firstBeamTime', firstBeamTime, rows);
  if (lastBeamTime.length !== rows) throw wrongLength('lastBeamTime', lastBeamTime, rows);
  if (elevation.length !== rows) throw wrongLength('elevation', elevation, rows);
  if (firstAzimuth.length !== rows) throw wrongLength('firstAzimuth', firstAzimuth, rows);
  if (lastAzimuth.length !== rows) throw wrongLength('lastAzimuth', lastAzimuth, rows);
  return beams;
}

function wrongLength(name: string, array: ArrayLike<number>, expected: number): RangeError {
  return new RangeError(`${name}: expected ${expected} numbers, got ${array.length}`);
}

/**
 * Bits of the properties of a beam: one for a reflector among its echoes, and the number of the bit for blooming of echo 0.
 * The following bits are for the next echoes.
 */
export const beamProperty = { reflector: 1, firstBlooming: 5, bloomingEchoes: 3 } as const;

/** Bits of the properties of one echo. The reflector bit is the same as for a beam. */
export const echoProperty = { reflector: beamProperty.reflector, blooming: 2 } as const;

/** The signal strength of an echo of a reflector: 254 of 255. */
const reflectorStrength = 254 * 257;

/**
 * Returns the echoes of reflectors of a beam, as bits: bit n for echo n. The properties of a beam show that there are some,
 * and signal strengths show which ones. If there are no signal strengths, or the scanner does not mark reflectors in them, it
 * is the last echo.
 * @param properties of the beam
 * @param distance of all beams, 0 where there is no echo
 * @param rssi of all beams; undefined if it was not sent
 * @param first index of the first echo of the beam
 * @param echoes largest number of echoes of the beam
 */
export function reflectorEchoes(
  properties: number,
  distance: ArrayLike<number>,
  rssi: ArrayLike<number> | undefined,
  first: number,
  echoes: number,
): number {
  if ((properties & beamProperty.reflector) === 0) return 0;
  let marked = 0;
  let last = 0;
  for (let echo = 0; echo < echoes; echo++) {
    if ((distance[first + echo] ?? 0) === 0) continue;
    last = 1 << echo;
    if (rssi?.[first + echo] === reflectorStrength) marked |= last;
  }
  return marked === 0 ? last : marked;
}

const utf8 = new TextEncoder();

/**
 * Returns the serial number of a scanner as in its telegrams of scan and encoder data: 32 bits. If a serial number is not
 * such a number, it is hashed (FNV-1a).
 */
export function senderIdOf(serialNumber: string): number {
  const number = Number(serialNumber);
  if (/^\d+$/.test(serialNumber) && number < 2 ** 32) return number;
  let hash = 0x811c9dc5;
  for (const byte of utf8.encode(serialNumber)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
