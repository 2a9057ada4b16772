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

/**
 * The processing of scans after the measuring core: filters, regions of interest and data reduction, in the order of
 * docs/filters.md. A step that is off costs nothing, and no step allocates anything.
 */
export class Processing {
  /** Geometry of all input scans. */
  readonly geometry: ScanGeometry;
  /** The filtered scan. */
  readonly #filtered: Scan;
  #settings: ProcessingSettings;
  /** The filters that store scans. */
  #particles: ParticleFilter | undefined;
  #average: MovingAverage | undefined;
  #filters: readonly ScanFilter[] = [];
  #segments: readonly GatheredSegment[] = [];

  constructor(geometry: ScanGeometry, settings: ProcessingSettings) {
    this.geometry = geometry;
    this.#filtered = new Scan(geometry);
    this.#settings = settings;
    this.configure(settings);
  }

  /**
   * Changes the settings from the next scan on. A filter that stores scans keeps them if its own settings and the
   * choice of echoes before it stay the same. Segments of earlier calls stay unchanged until the next call of
   * `process`.
   */
  configure(settings: ProcessingSettings): void {
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
    this.#segments = this.#segmentsFor(settings, visible);
  }

  /**
   * Filters a scan, up to the angle range. Fields and other parts of the scanner use the result. The original scan does
   * not change.
   * @param beforehand applied to the copy before any filter
   * @returns always the same scan, valid until the next call; undefined while the moving average has too few scans
   */
  process(scan: Scan, beforehand?: (scan: Scan) => void): Scan | undefined {
    const filtered = this.#filtered;
    filtered.copy(scan);
    beforehand?.(filtered);
    for (const step of this.#filters) if (!step.apply(filtered)) return undefined;
    return filtered;
  }

  /**
   * The output segments of a scan. None if no beam is visible.
   * @param scan as returned by `process`
   * @param timeOffset of its segments in µs
   * @returns always the same segments until the settings change; valid until the next call of `process`
   */
  segments(scan: Scan, timeOffset = 0): readonly GatheredSegment[] {
    for (const segment of this.#segments) segment.gather(scan, timeOffset);
    return this.#segments;
  }

  /** Furthest distance in mm that telegrams carry. */
  get furthest(): number {
    return furthestDistance(this.#settings.EnableLongRangeMode);
  }

  /** True if the scan with this number is part of the output. */
  isOutput(number: number): boolean {
    return passesInterval(this.#settings.LFPintervalFilter, number);
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
