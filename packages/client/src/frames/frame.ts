import type { ScanModule, ScanTelegram } from '@azimuth/telegrams';

/**
 * One revolution of the scanner: the beams of all its segments, in the order of the segments. The echoes of beam `b`
 * begin at index `b × echoes`, the nearest first. Angles are about the axis ahead, counter-clockwise positive.
 */
export interface Frame {
  readonly number: number;
  /** Serial number of the scanner. */
  readonly sender: number;
  /** Time at which its first beam was measured, µs on the scanner's clock. */
  readonly time: number;
  /** Time at which its last beam was measured, µs on the scanner's clock. */
  readonly endTime: number;
  readonly beams: number;
  /** Number of places for echoes of each beam. */
  readonly echoes: number;
  /** Azimuth of each beam in rad. */
  readonly azimuth: Float32Array;
  /** Distances in mm, beams × echoes; 0 if there is no echo. */
  readonly distance: Float32Array;
  /** Signal strength, 0 to 65535, beams × echoes; undefined if the scanner does not send it. */
  readonly rssi: Uint16Array | undefined;
  /**
   * Properties, one byte for each beam: bit 0 a reflector (`reflectorEchoes` returns the echo), bits 5 to 7 blooming;
   * undefined if the scanner does not send them.
   */
  readonly properties: Uint8Array | undefined;
  /** Indices of its segments, in rising order. */
  readonly segments: readonly number[];
  /** The first beam of each telegram that the frame consists of; undefined if that is not known. */
  readonly segmentBeams?: readonly number[];
  /** True if the frame has everything that the scanner sent of this revolution. */
  readonly complete: boolean;
}

/** Makes a frame of modules, in the order of their segments. @param complete set by the caller */
export function frameFromModules(modules: readonly ScanModule[], complete: boolean): Frame {
  const [first] = modules;
  const beams = modules.reduce((total, module) => total + beamCount(module), 0);
  const echoes = mostEchoes(modules);
  const azimuth = new Float32Array(beams);
  const distance = new Float32Array(beams * echoes);
  const rssi = modules.some((module) => module.rssi) ? new Uint16Array(beams * echoes) : undefined;
  const properties = modules.some((module) => module.properties) ? new Uint8Array(beams) : undefined;
  const segmentBeams: number[] = [];
  let at = 0;
  for (const module of modules) {
    segmentBeams.push(at);
    azimuth.set(module.azimuth ?? azimuths(module), at);
    placeEchoes(distance, echoes, at, module.distance, module.echoes);
    if (rssi !== undefined && module.rssi !== undefined) {
      placeEchoes(rssi, echoes, at, module.rssi, module.echoes);
    }
    if (module.properties !== undefined) properties?.set(module.properties, at);
    at += beamCount(module);
  }
  return {
    number: first?.frameNumber ?? 0,
    sender: first?.sender ?? 0,
    time: first?.firstBeamTime[0] ?? 0,
    endTime: modules.at(-1)?.lastBeamTime[0] ?? 0,
    beams,
    echoes,
    azimuth,
    distance,
    rssi,
    properties,
    segments: [...new Set(modules.map(({ segmentIndex }) => segmentIndex))],
    segmentBeams,
    complete,
  };
}

export function beamCount({ rows, columns }: ScanModule): number {
  return rows * columns;
}

/** Returns the number of echo places that each beam needs. A module without beams may state any number. */
function mostEchoes(modules: readonly ScanModule[]): number {
  return modules.reduce(
    (maxNumbers, module) => (beamCount(module) > 0 ? Math.max(maxNumbers, module.echoes) : maxNumbers),
    0,
  );
}

/** True if the lengths of a module's arrays fit each other. Decoders return no other modules. */
export function hasMatchingLengths(module: ScanModule): boolean {
  const beams = beamCount(module);
  const places = beams * module.echoes;
  return (
    module.distance.length === places &&
    (module.rssi === undefined || module.rssi.length === places) &&
    (module.properties === undefined || module.properties.length === beams) &&
    (module.azimuth === undefined || module.azimuth.length === beams)
  );
}

/** Copies the echoes of a module, which may have fewer places for each beam than its frame. */
function placeEchoes(
  into: Float32Array | Uint16Array,
  echoes: number,
  firstBeam: number,
  from: Float32Array | Uint16Array,
  fromEchoes: number,
): void {
  if (echoes === fromEchoes) {
    into.set(from, firstBeam * echoes);
    return;
  }
  for (let index = 0; index < from.length; index++) {
    const beam = firstBeam + Math.floor(index / fromEchoes);
    into[beam * echoes + (index % fromEchoes)] = from[index] ?? 0;
  }
}

/**
 * Returns the azimuth of each beam. Beams without an azimuth of their own are evenly spaced between the first and the
 * last of their row.
 */
function azimuths({ rows, columns, firstAzimuth, lastAzimuth }: ScanModule): Float32Array {
  return Float32Array.from({ length: rows * columns }, (_, beam) => {
    const row = beam % rows;
    const first = firstAzimuth[row] ?? 0;
    const span = (lastAzimuth[row] ?? first) - first;
    return first + (columns > 1 ? (span * Math.floor(beam / rows)) / (columns - 1) : 0);
  });
}

/** Limit for the numbers in one frame: twenty times those of a scanner at its finest resolution. */
const most = 500_000;

/** Approximate count of numbers that a module and each of its rows need in addition to the beams. */
const perModule = 128;
const perRow = 8;

/**
 * The size of a frame. All its beams have as many places for echoes as the beam with the most, in any telegram: so the
 * size depends on all telegrams together.
 */
export class FrameSize {
  static readonly none = new FrameSize(0, 0, 0);

  readonly #beams: number;
  readonly #echoes: number;
  readonly #overhead: number;

  private constructor(beams: number, echoes: number, overhead: number) {
    this.#beams = beams;
    this.#echoes = echoes;
    this.#overhead = overhead;
  }

  /** Returns the size together with that of a telegram. */
  with({ modules }: ScanTelegram): FrameSize {
    return new FrameSize(
      this.#beams + modules.reduce((total, module) => total + beamCount(module), 0),
      Math.max(this.#echoes, mostEchoes(modules)),
      this.#overhead + modules.reduce((total, { rows }) => total + perModule + perRow * rows, 0),
    );
  }

  /** True if no scanner sends that much in one revolution. */
  get isTooLarge(): boolean {
    // Negated so that NaN and numbers above 2^53 count as too large.
    return !(this.#beams * (this.#echoes + 1) + this.#overhead <= most);
  }
}
