/**
 * What leaves the scanner of one segment of a scan, after all filters. The arrays are used again for the next scan:
 * whoever keeps them has to copy them. Times in µs of the scanner's clock, angles in rad.
 */
export interface OutputSegment {
  /** Number of the scan. */
  readonly frame: number;
  /** Counts the segments that are put out, from 0 in each scan. */
  readonly index: number;
  /** Is it the last one of the scan that is not hidden? */
  readonly last: boolean;
  readonly beams: number;
  /** Places for echoes a beam: 3, or 1 where an echo filter chooses one. */
  readonly echoes: number;
  readonly firstBeamTime: number;
  readonly lastBeamTime: number;
  /** µs that a telegram adds to these times, and to that of sending: the same in all segments of a scan. */
  readonly timeOffset: number;
  readonly firstAzimuth: number;
  readonly lastAzimuth: number;
  /** mm a count in formats that send whole numbers: 1, or 2 where distances need more than 16 bits. */
  readonly scale: number;
  /** mm, beams × echoes. */
  readonly distance: Float32Array;
  /** 0 to 65535, beams × echoes. */
  readonly rssi: Uint16Array;
  /** One byte a beam: bit 0 reflector (of the last echo that there is), bits 5 to 7 blooming of echo 0 to 2. */
  readonly properties: Uint8Array;
  /** Of each beam. */
  readonly azimuth: Float32Array;
}
