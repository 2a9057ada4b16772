import { basicSettings, dataReduction, filter, regionOfInterest, type Variable } from '@azimuth/model';
import {
  AngleRangeFilter,
  type BeamRange,
  type GatheredSegment,
  outputSegments,
  passesInterval,
  visibleBeams,
} from '../data-reduction/output-segments.js';
import { MovingAverage } from '../filter/moving-average.js';
import { ParticleFilter } from '../filter/particle-filter.js';
import { echoFilterOf, FogFilter, outputEchoes, type ScanFilter } from '../filter/scan-filter.js';
import { cuboidRanges, DistanceFilter, radialRanges } from '../region-of-interest/distance-filters.js';
import { Scan, type ScanGeometry } from '../scan/scan.js';
import { furthestDistance } from './scan-check.js';

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
  #settings: ProcessingSettings;
  /** Settings from the next scan on. */
  #nextSettings: ProcessingSettings | undefined;
  /** The filters that store scans. */
  #particles: ParticleFilter | undefined;
  #average: MovingAverage | undefined;
  #filters: readonly ScanFilter[] = [];
  /** Number of filters that this scan passes: fewer while the moving average has too few scans. */
  #passed = 0;
  /** Up to which beam of this scan each filter is done. */
  #done = new Int32Array(0);
  #segments: readonly GatheredSegment[] = [];

  constructor(geometry: ScanGeometry, settings: ProcessingSettings) {
    this.geometry = geometry;
    this.#filtered = new Scan(geometry);
    this.#beams = geometry.beams;
    this.#settings = settings;
    this.#use(settings);
  }

  /** Changes the settings from the next scan on. Segments of earlier calls stay unchanged until then. */
  configure(settings: ProcessingSettings): void {
    this.#nextSettings = settings;
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
    if (this.#nextSettings !== undefined) this.#use(this.#nextSettings);
    this.#nextSettings = undefined;
    const filtered = this.#filtered;
    filtered.begin(scan);
    this.#beams = 0;
    this.#done.fill(0);
    const last = this.#filters.findIndex((filter) => filter.begin?.(filtered) === false);
    this.#passed = last === -1 ? this.#filters.length : last + 1;
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

  #filterUpTo(end: number): number {
    this.#beams = end;
    let known = end;
    for (let at = 0; at < this.#passed; at++) {
      known = this.#filters[at]?.apply(this.#filtered, this.#done[at] ?? 0, known) ?? known;
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
   * @param timeOffset of its segments in µs
   * @returns always the same segments until the settings change; valid until the next scan begins
   */
  segments(scan: Scan, timeOffset = 0, first = 0, end = this.geometry.beams): readonly GatheredSegment[] {
    const isWhole = first === 0 && end === this.geometry.beams;
    const known = isWhole
      ? this.#segments
      : this.#segments.filter((segment) => segment.end > first && segment.end <= end);
    for (const segment of known) segment.gather(scan, timeOffset);
    return known;
  }

  /** Furthest distance in mm that telegrams carry. */
  get furthest(): number {
    return furthestDistance(this.#settings.EnableLongRangeMode);
  }

  /** True if the scan with this number is part of the output. */
  isOutput(number: number): boolean {
    return passesInterval(this.#settings.LFPintervalFilter, number);
  }

  /** A filter that stores scans keeps them if its own settings and the choice of echoes before it stay the same. */
  #use(settings: ProcessingSettings): void {
    if (settings.FREchoFilter !== this.#settings.FREchoFilter) {
      // Their stored scans have other echoes at a place of a beam.
      this.#particles = undefined;
      this.#average = undefined;
    }
    this.#settings = settings;
    const visible = visibleBeams(this.geometry, settings.LFPangleRangeFilter);
    this.#particles = this.#particlesFor(settings);
    this.#average = this.#averageFor(settings);
    this.#filters = this.#filtersFor(settings, visible);
    this.#done = new Int32Array(this.#filters.length);
    this.#segments = this.#segmentsFor(settings, visible);
  }

  #particlesFor({ LFPparticle }: ProcessingSettings): ParticleFilter | undefined {
    const { bEnable, uiThreshold } = LFPparticle;
    if (!bEnable) return undefined;
    if (this.#particles?.threshold === uiThreshold) return this.#particles;
    return new ParticleFilter(this.geometry, uiThreshold);
  }

  #averageFor({ LFPmovingAveragingFilter }: ProcessingSettings): MovingAverage | undefined {
    const { bEnable, uiAveragingDepth } = LFPmovingAveragingFilter;
    if (!bEnable) return undefined;
    if (this.#average?.depth === uiAveragingDepth) return this.#average;
    return new MovingAverage(this.geometry, uiAveragingDepth);
  }

  /** The active steps, in order. */
  #filtersFor(settings: ProcessingSettings, visible: BeamRange): readonly ScanFilter[] {
    const { LFPradialDistanceRangeFilter, LFPcubicareafilter } = settings;
    const steps = [
      settings.MCSenseLevel === 1 ? new FogFilter() : undefined,
      echoFilterOf(settings.FREchoFilter),
      this.#particles,
      this.#average,
      LFPradialDistanceRangeFilter.bEnable
        ? new DistanceFilter(radialRanges(this.geometry, LFPradialDistanceRangeFilter))
        : undefined,
      LFPcubicareafilter.bEnable
        ? new DistanceFilter(cuboidRanges(this.geometry, LFPcubicareafilter))
        : undefined,
      visible.end - visible.first < this.geometry.beams ? new AngleRangeFilter(visible) : undefined,
    ];
    return steps.filter((step) => step !== undefined);
  }

  #segmentsFor(settings: ProcessingSettings, visible: BeamRange): readonly GatheredSegment[] {
    const { bEnable, uiBeamIncrement } = settings.LFPangleRangeFilter;
    return outputSegments(this.geometry, {
      visible,
      increment: bEnable ? uiBeamIncrement : 1,
      echoes: outputEchoes(settings.FREchoFilter),
      scale: settings.EnableLongRangeMode ? 2 : 1,
    });
  }
}
