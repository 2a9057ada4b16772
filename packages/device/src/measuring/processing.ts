import { basicSettings, dataReduction, filter, regionOfInterest, type Variable } from '@azimuth/model';
import {
  AngleRangeFilter,
  type BeamRange,
  type GatheredSegment,
  outputSegments,
  passesInterval,
  rightStamps,
  type StampOffsets,
  visibleBeams,
} from '../data-reduction/output-segments.js';
import { MovingAverage } from '../filter/moving-average.js';
import { ParticleFilter } from '../filter/particle-filter.js';
import { echoFilterOf, FogFilter, outputEchoes, type ScanFilter } from '../filter/scan-filter.js';
import { cuboidRanges, DistanceFilter, radialRanges } from '../region-of-interest/distance-filters.js';
import { echoesPerBeam, Scan, type ScanGeometry } from '../scan/scan.js';
import { furthestDistance } from './scan-check.js';
import { isVouchedFor } from './vouched-scans.js';

/** A source of values. For a variable that the scanner lacks, it returns the value with which the scanner works. */
interface Values {
  read<T>(variable: Variable<T>): T;
}

export function processingSettings(values: Values) {
  const read: Values['read'] = (variable) => values.read(variable);
  return {
    MCSenseLevel: read(filter.members.MCSenseLevel),
    LFPparticle: read(filter.members.LFPparticle),
    LFPmovingAveragingFilter: read(filter.members.LFPmovingAveragingFilter),
    FREchoFilter: read(filter.members.FREchoFilter),
    LFPradialDistanceRangeFilter: read(regionOfInterest.members.LFPradialDistanceRangeFilter),
    LFPcubicareafilter: read(regionOfInterest.members.LFPcubicareafilter),
    LFPangleRangeFilter: read(dataReduction.members.LFPangleRangeFilter),
    LFPintervalFilter: read(dataReduction.members.LFPintervalFilter),
    EnableLongRangeMode: read(basicSettings.members.EnableLongRangeMode),
  };
}

export type ProcessingSettings = Readonly<ReturnType<typeof processingSettings>>;

/** Variables that processing depends on. When one changes, processing has to be configured again. */
export const processingVariables = variablesRead();

function variablesRead(): readonly Variable<unknown>[] {
  const variables: Variable<unknown>[] = [];
  processingSettings({
    read(variable) {
      variables.push(variable);
      return variable.type.initial;
    },
  });
  return variables;
}

/** Called with beams of the copy of a scan, from `first` up to, but not including, `end`, before any filter. */
type Preparation = (copy: Scan, first: number, end: number) => void;

/** A scan whose beams come. */
export interface PresentScan {
  readonly processing: Processing;
  /** The filtered scan; undefined while the moving average has too few scans. */
  readonly filtered: Scan | undefined;
  /** True if it comes in parts, which leave as soon as they are known. A whole scan may come ahead of its time. */
  readonly isInParts: boolean;
  /** True if its segments are wanted. */
  readonly isOutput: boolean;
  /** For its segments. */
  readonly stamps: StampOffsets;
  /** Number of filtered beams that no later beam changes. */
  known: number;
  /** The problem of the first invalid beam. */
  invalid: string | undefined;
}

/** What the telegrams of a scan carry. */
export interface CarriedBeams {
  /** The numbers of the beams that angle range and beam increment leave. */
  readonly beams: readonly number[];
  /** Number of scans of the moving average; 1 without it. The telegrams have the number of the first one, the time of the last. */
  readonly scans: number;
}

/** The steps of processing with certain settings. */
interface Steps {
  readonly settings: ProcessingSettings;
  /** The filters that store scans. */
  readonly particles: ParticleFilter | undefined;
  readonly average: MovingAverage | undefined;
  /** All active filters, in order. */
  readonly filters: readonly ScanFilter[];
  readonly segments: readonly GatheredSegment[];
}

/**
 * The processing of scans after the measuring core: filters, regions of interest and data reduction, in the order of
 * docs/filters.md. A scan comes as a whole or in parts, as it is measured; the result is the same. A step that is off
 * costs nothing, and no step allocates anything.
 */
export class Processing {
  /** Geometry of all input scans. */
  readonly geometry: ScanGeometry;
  /** The filtered scan. */
  #filtered: Scan;
  /** The filtered scan before it, if scans come in parts. */
  #other: Scan | undefined;
  /** Number of its beams that have come. */
  #beams: number;
  #steps: Steps;
  /** The steps from the next scan on. */
  #nextSteps: Steps | undefined;
  /** Number of filters that this scan passes: fewer while the moving average has too few scans. */
  #passed = 0;
  /** Up to which beam of this scan each filter is done. */
  #done: Int32Array;

  constructor(geometry: ScanGeometry, settings: ProcessingSettings) {
    this.geometry = geometry;
    this.#filtered = new Scan(geometry);
    this.#beams = geometry.beams;
    this.#steps = stepsFor(geometry, settings);
    this.#done = new Int32Array(this.#steps.filters.length);
  }

  /**
   * Changes the settings from the next scan on. A filter that stores scans keeps them if its own settings and the choice
   * of echoes before it stay the same. Segments of earlier calls stay unchanged until then.
   */
  configure(settings: ProcessingSettings): void {
    this.#nextSteps = stepsFor(this.geometry, settings, this.#nextSteps ?? this.#steps);
  }

  /**
   * Filters a scan, up to the angle range. Fields and other parts of the scanner use the result. The original scan does
   * not change.
   * @returns always the same scan, valid until the next one begins; undefined while the moving average has too few
   * scans
   */
  process(scan: Scan, prepare?: Preparation): Scan | undefined {
    const filtered = this.begin(scan);
    this.add(scan, 0, this.geometry.beams, prepare);
    return filtered;
  }

  /**
   * Begins a scan. If the one before is not complete, its missing beams count as invalid for the filters that store
   * scans.
   * @returns as `process`; `add` fills it
   */
  begin(scan: Scan): Scan | undefined {
    this.#completeLast();
    this.#useNextSteps();
    const { filters } = this.#steps;
    const filtered = this.#filtered;
    filtered.begin(scan);
    // A filter that stores scans may add echoes of other scans.
    const isKnown = filters.length === 0 && isVouchedFor(scan);
    filtered.mostEchoes = isKnown ? scan.mostEchoes : echoesPerBeam;
    filtered.hasFlags = !isKnown || scan.hasFlags;
    this.#beams = 0;
    this.#done.fill(0);
    const last = filters.findIndex((filter) => filter.begin?.(filtered) === false);
    this.#passed = last === -1 ? filters.length : last + 1;
    return last === -1 ? filtered : undefined;
  }

  /**
   * Begins a scan that comes in parts.
   * @returns as `begin`, but not the same scan as for the last complete one
   */
  beginParts(scan: Scan): Scan | undefined {
    if (this.#beams === this.geometry.beams) {
      [this.#filtered, this.#other] = [this.#other ?? new Scan(this.geometry), this.#filtered];
    }
    return this.begin(scan);
  }

  /**
   * Filters the beams from `first` up to, but not including, `end`: those that follow the beams before.
   * @returns number of beams from the beginning of the scan that no later beam changes
   */
  add(scan: Scan, first: number, end: number, prepare?: Preparation): number {
    this.#filtered.copyBeams(scan, first, end);
    prepare?.(this.#filtered, first, end);
    return this.#filterUpTo(end);
  }

  #useNextSteps(): void {
    if (this.#nextSteps === undefined) return;
    this.#steps = this.#nextSteps;
    this.#nextSteps = undefined;
    this.#done = new Int32Array(this.#steps.filters.length);
  }

  #filterUpTo(end: number): number {
    const { filters } = this.#steps;
    this.#beams = end;
    let known = end;
    for (let at = 0; at < this.#passed; at++) {
      known = filters[at]?.apply(this.#filtered, this.#done[at] ?? 0, known) ?? known;
      this.#done[at] = known;
    }
    return known;
  }

  #completeLast(): void {
    const { beams } = this.geometry;
    if (this.#beams === beams) return;
    for (let beam = this.#beams; beam < beams; beam++) this.#filtered.invalidate(beam);
    this.#filterUpTo(beams);
  }

  /**
   * The output segments that become known with the beams from `first` up to, but not including, `end`: by default, all.
   * None if no beam is visible.
   * @param scan as returned by `process` or `begin`
   * @param stamps of its segments
   * @returns always the same segments until the settings change; valid until the next scan begins
   */
  segments(
    scan: Scan,
    stamps = rightStamps,
    first = 0,
    end = this.geometry.beams,
  ): readonly GatheredSegment[] {
    const { segments } = this.#steps;
    const isWhole = first === 0 && end === this.geometry.beams;
    const known = isWhole
      ? segments
      : segments.filter((segment) => segment.end > first && segment.end <= end);
    for (const segment of known) segment.gather(scan, stamps);
    return known;
  }

  /** Furthest distance in mm that telegrams carry. */
  get furthest(): number {
    return furthestDistance(this.#steps.settings.EnableLongRangeMode);
  }

  /** What the telegrams of a scan carry with the present settings. */
  get carried(): CarriedBeams {
    const { segments, average } = this.#steps;
    return { beams: segments.flatMap(({ outputBeams }) => [...outputBeams]), scans: average?.depth ?? 1 };
  }

  /** True if the scan with this number is part of the output. */
  isOutput(number: number): boolean {
    return passesInterval(this.#steps.settings.LFPintervalFilter, number);
  }
}

/** @param before the steps so far; filters that store scans continue */
function stepsFor(geometry: ScanGeometry, settings: ProcessingSettings, before?: Steps): Steps {
  // With another choice of echoes, stored scans have other echoes at a place of a beam.
  const continued = settings.FREchoFilter === before?.settings.FREchoFilter ? before : undefined;
  const visible = visibleBeams(geometry, settings.LFPangleRangeFilter);
  const particles = particlesFor(geometry, settings, continued?.particles);
  const average = averageFor(geometry, settings, continued?.average);
  const filters = filtersFor(geometry, settings, { particles, average, visible });
  return { settings, particles, average, filters, segments: segmentsFor(geometry, settings, visible) };
}

function particlesFor(
  geometry: ScanGeometry,
  { LFPparticle }: ProcessingSettings,
  before: ParticleFilter | undefined,
): ParticleFilter | undefined {
  const { bEnable, uiThreshold } = LFPparticle;
  if (!bEnable) return undefined;
  return before?.threshold === uiThreshold ? before : new ParticleFilter(geometry, uiThreshold);
}

function averageFor(
  geometry: ScanGeometry,
  { LFPmovingAveragingFilter }: ProcessingSettings,
  before: MovingAverage | undefined,
): MovingAverage | undefined {
  const { bEnable, uiAveragingDepth } = LFPmovingAveragingFilter;
  if (!bEnable) return undefined;
  return before?.depth === uiAveragingDepth ? before : new MovingAverage(geometry, uiAveragingDepth);
}

/** The active filters, in order. */
function filtersFor(
  geometry: ScanGeometry,
  settings: ProcessingSettings,
  { particles, average, visible }: Pick<Steps, 'particles' | 'average'> & { readonly visible: BeamRange },
): readonly ScanFilter[] {
  const { LFPradialDistanceRangeFilter, LFPcubicareafilter } = settings;
  const filters = [
    settings.MCSenseLevel === 1 ? new FogFilter() : undefined,
    echoFilterOf(settings.FREchoFilter),
    particles,
    average,
    LFPradialDistanceRangeFilter.bEnable
      ? new DistanceFilter(radialRanges(geometry, LFPradialDistanceRangeFilter))
      : undefined,
    LFPcubicareafilter.bEnable ? new DistanceFilter(cuboidRanges(geometry, LFPcubicareafilter)) : undefined,
    visible.end - visible.first < geometry.beams ? new AngleRangeFilter(visible) : undefined,
  ];
  return filters.filter((filter) => filter !== undefined);
}

function segmentsFor(
  geometry: ScanGeometry,
  settings: ProcessingSettings,
  visible: BeamRange,
): readonly GatheredSegment[] {
  const { bEnable, uiBeamIncrement } = settings.LFPangleRangeFilter;
  return outputSegments(geometry, {
    visible,
    increment: bEnable ? uiBeamIncrement : 1,
    echoes: outputEchoes(settings.FREchoFilter),
    scale: settings.EnableLongRangeMode ? 2 : 1,
  });
}
