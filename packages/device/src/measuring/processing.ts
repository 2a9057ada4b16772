import type { GatheredSegment } from '../data-reduction/gathered-segment.js';
import { passesInterval } from '../data-reduction/interval-filter.js';
import { outputSegments } from '../data-reduction/output-segments.js';
import { type BeamRange, visibleBeams } from '../data-reduction/visible-beams.js';
import { VisibleBeamsFilter } from '../data-reduction/visible-beams-filter.js';
import { echoesPutOut, echoFilterOf } from '../filter/echo-filter.js';
import { FogFilter } from '../filter/fog-filter.js';
import { MovingAverage } from '../filter/moving-average.js';
import { ParticleFilter } from '../filter/particle-filter.js';
import type { ScanFilter } from '../filter/scan-filter.js';
import { cuboidSpans } from '../region-of-interest/cuboid.js';
import { DistanceFilter } from '../region-of-interest/distance-filter.js';
import { radialSpans } from '../region-of-interest/radial-distance.js';
import { Scan } from '../scan/scan.js';
import type { ScanGeometry } from '../scan/scan-geometry.js';
import type { ProcessingSettings } from './processing-settings.js';

/**
 * What happens to scans between the measuring core and whoever looks at them: filters, regions of interest and data
 * reduction, in the order of docs/filters.md. A step that is off costs nothing, and no step allocates anything.
 */
export class Processing {
  /** Of all scans that it takes. */
  readonly geometry: ScanGeometry;
  /** The scan as the filters leave it. */
  readonly #filtered: Scan;
  #settings: ProcessingSettings;
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
   * Takes other settings over, from the next scan on. The moving average keeps what it has seen while its own settings
   * stay. Segments handed out before are not touched any more.
   */
  configure(settings: ProcessingSettings): void {
    this.#settings = settings;
    const visible = visibleBeams(this.geometry, settings.LFPangleRangeFilter);
    this.#average = this.#averageFor(settings);
    this.#filters = this.#filtersFor(settings, visible);
    this.#segments = this.#segmentsFor(settings, visible);
  }

  /**
   * Runs a scan through the filters, up to the angle range: what fields and other viewers inside the scanner get. The
   * scan that comes in stays as it is.
   * @param beforehand what happens to the light on its way, before any filter
   * @returns always the same scan, until the next call.
   */
  take(scan: Scan, beforehand?: (scan: Scan) => void): Scan {
    const filtered = this.#filtered;
    filtered.copy(scan);
    beforehand?.(filtered);
    for (const step of this.#filters) step.apply(filtered);
    return filtered;
  }

  /**
   * The segments of a scan that are put out; none where no beam is visible.
   * @param scan what `take` returned.
   * @param timeOffset that its segments tell
   * @returns always the same segments, until the next call or other settings.
   */
  segments(scan: Scan, timeOffset = 0): readonly GatheredSegment[] {
    for (const segment of this.#segments) segment.gather(scan, timeOffset);
    return this.#segments;
  }

  /** Is the scan of this number put out? */
  isPutOut(number: number): boolean {
    return passesInterval(this.#settings.LFPintervalFilter, number);
  }

  #averageFor({ LFPmovingAveragingFilter }: ProcessingSettings): MovingAverage | undefined {
    const { bEnable, uiAveragingDepth } = LFPmovingAveragingFilter;
    if (!bEnable) return undefined;
    if (this.#average?.depth === uiAveragingDepth) return this.#average;
    return new MovingAverage(this.geometry, uiAveragingDepth);
  }

  /** The steps that are on, in their order. */
  #filtersFor(settings: ProcessingSettings, visible: BeamRange): readonly ScanFilter[] {
    const { LFPparticle, LFPradialDistanceRangeFilter, LFPcubicareafilter, SensorPosition } = settings;
    const steps = [
      settings.MCSenseLevel === 1 ? new FogFilter() : undefined,
      LFPparticle.bEnable ? new ParticleFilter(LFPparticle.uiThreshold) : undefined,
      this.#average,
      echoFilterOf(settings.FREchoFilter),
      LFPradialDistanceRangeFilter.bEnable
        ? new DistanceFilter(radialSpans(this.geometry, LFPradialDistanceRangeFilter))
        : undefined,
      LFPcubicareafilter.bEnable
        ? new DistanceFilter(cuboidSpans(this.geometry, LFPcubicareafilter, SensorPosition))
        : undefined,
      visible.end - visible.first < this.geometry.beams ? new VisibleBeamsFilter(visible) : undefined,
    ];
    return steps.filter((step) => step !== undefined);
  }

  #segmentsFor(settings: ProcessingSettings, visible: BeamRange): readonly GatheredSegment[] {
    const { bEnable, uiBeamIncrement } = settings.LFPangleRangeFilter;
    return outputSegments(this.geometry, {
      visible,
      increment: bEnable ? uiBeamIncrement : 1,
      echoes: echoesPutOut(settings.FREchoFilter),
      scale: settings.EnableLongRangeMode ? 2 : 1,
    });
  }
}
