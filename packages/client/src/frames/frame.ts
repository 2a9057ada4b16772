import type { ScanModule, ScanTelegram } from '@azimuth/telegrams';

/**
 * One revolution of the scanner: the beams of all its segments, in the order of the segments. Beam `b` has its echoes at
 * `b × echoes` and behind, the nearest first. Angles are about the axis ahead, counter-clockwise positive.
 */
export interface Frame {
  readonly number: number;
  /** Serial number of the scanner. */
  readonly sender: number;
  /** When its first beam was measured, µs on the scanner's clock. */
  readonly time: number;
  /** When its last beam was measured. */
  readonly endTime: number;
  readonly beams: number;
  /** Places for echoes a beam. */
  readonly echoes: number;
  /** rad, one a beam. */
  readonly azimuth: Float32Array;
  /** mm, beams × echoes; 0 if there is no echo. */
  readonly distance: Float32Array;
  /** Signal strength, 0 to 65535, beams × echoes; undefined if the scanner does not send it. */
  readonly rssi: Uint16Array | undefined;
  /** One byte a beam: bit 0 a reflector (`reflectorEchoes` says which echo), bits 5 to 7 blooming; undefined if the scanner does not send it. */
  readonly properties: Uint8Array | undefined;
  /** Indices of the segments that are there, rising. */
  readonly segments: readonly number[];
  /** Is everything there that the scanner sent of this revolution? */
  readonly complete: boolean;
}

/** The frame that modules make up, in order of their segments. @param complete as the caller knows it */
export function frameOf(modules: readonly ScanModule[], complete: boolean): Frame {
  const [first] = modules;
  const beams = modules.reduce((sum, module) => sum + beamsOf(module), 0);
  const echoes = mostEchoes(modules);
  const azimuth = new Float32Array(beams);
  const distance = new Float32Array(beams * echoes);
  const rssi = modules.some((module) => module.rssi) ? new Uint16Array(beams * echoes) : undefined;
  const properties = modules.some((module) => module.properties) ? new Uint8Array(beams) : undefined;
  let at = 0;
  for (const module of modules) {
    azimuth.set(module.azimuth ?? azimuthOf(module), at);
    placeEchoes(distance, echoes, at, module.distance, module.echoes);
    if (rssi !== undefined && module.rssi !== undefined) {
      placeEchoes(rssi, echoes, at, module.rssi, module.echoes);
    }
    if (module.properties !== undefined) properties?.set(module.properties, at);
    at += beamsOf(module);
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
    complete,
  };
}

export function beamsOf({ rows, columns }: ScanModule): number {
  return rows * columns;
}

/** The places for echoes that each beam needs. A module without beams may state any number of them. */
function mostEchoes(modules: readonly ScanModule[]): number {
  return modules.reduce((most, module) => (beamsOf(module) > 0 ? Math.max(most, module.echoes) : most), 0);
}

/** Do the lengths of a module's arrays fit each other? Decoders give no others. */
export function isWhole(module: ScanModule): boolean {
  const beams = beamsOf(module);
  const places = beams * module.echoes;
  return (
    module.distance.length === places &&
    (module.rssi === undefined || module.rssi.length === places) &&
    (module.properties === undefined || module.properties.length === beams) &&
    (module.azimuth === undefined || module.azimuth.length === beams)
  );
}

/** Copies the echoes of a module, which may have fewer places a beam than its frame. */
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

/** Where beams carry no azimuth of their own they lie evenly between the first and the last of their row. */
function azimuthOf({ rows, columns, firstAzimuth, lastAzimuth }: ScanModule): Float32Array {
  return Float32Array.from({ length: rows * columns }, (_, beam) => {
    const row = beam % rows;
    const first = firstAzimuth[row] ?? 0;
    const span = (lastAzimuth[row] ?? first) - first;
    return first + (columns > 1 ? (span * Math.floor(beam / rows)) / (columns - 1) : 0);
  });
}

/** Numbers that one frame may hold: twenty times those of a scanner at its finest resolution. */
const most = 500_000;

/** Approximate count of numbers that a module and each of its rows take in addition to the beams. */
const perModule = 128;
const perRow = 8;

/**
 * How much room a frame takes. All its beams have as many places for echoes as the beam with the most, in whichever
 * telegram that came: so the size depends on all telegrams together.
 */
export class FrameSize {
  static readonly none = new FrameSize(0, 0, 0);

  readonly #beams: number;
  readonly #echoes: number;
  readonly #beside: number;

  private constructor(beams: number, echoes: number, beside: number) {
    this.#beams = beams;
    this.#echoes = echoes;
    this.#beside = beside;
  }

  /** The size together with that of a telegram. */
  with({ modules }: ScanTelegram): FrameSize {
    return new FrameSize(
      this.#beams + modules.reduce((sum, module) => sum + beamsOf(module), 0),
      Math.max(this.#echoes, mostEchoes(modules)),
      this.#beside + modules.reduce((sum, { rows }) => sum + perModule + perRow * rows, 0),
    );
  }

  /** Is that more than any scanner sends in one revolution? */
  get isTooLarge(): boolean {
    // Written so that NaN and numbers beyond 2^53 count as too large.
    return !(this.#beams * (this.#echoes + 1) + this.#beside <= most);
  }
}
