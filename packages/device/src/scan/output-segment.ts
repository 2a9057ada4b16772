/**
 * A segment of a scan that is put out, after all filters. The arrays are reused for the next scan: copy what you keep.
 * Times in µs of the scanner's clock, angles in rad.
 */
export interface OutputSegment {
  /** Number of the scan. */
  readonly frame: number;
  /** Counts the segments that are put out, from 0 in each scan. */
  readonly index: number;
  /** Whether it is the last segment of the scan that is put out. */
  readonly last: boolean;
  readonly beams: number;
  /** Places for echoes of each beam: 3, or 1 with an echo filter. */
  readonly echoes: number;
  readonly firstBeamTime: number;
  readonly lastBeamTime: number;
  /** µs that a telegram adds to these times, and to its time of sending: the same in all segments of a scan. */
  readonly timeOffset: number;
  readonly firstAzimuth: number;
  readonly lastAzimuth: number;
  /** mm of one count in formats that send whole numbers: 1, or 2 if distances need more than 16 bits. */
  readonly scale: number;
  /** mm, beams × echoes. */
  readonly distance: Float32Array;
  /** 0 to 65535, beams × echoes. */
  readonly rssi: Uint16Array;
  /** One byte for each beam: bit 0 reflector (of any echo), bits 5 to 7 blooming of echoes 0 to 2. */
  readonly properties: Uint8Array;
  /** Of each beam. */
  readonly azimuth: Float32Array;
  /** The same as codes of Compact. */
  readonly azimuthCodes: Uint16Array;
}
