import {
  basicSettings,
  dataReduction,
  fieldOfView,
  integer,
  Refusal,
  struct,
  type TypeOf,
  type Variable,
} from '@azimuth/model';
import { type BeamRange, visibleBeams } from '../data-reduction/output-segments.js';
import type { Parameters } from '../parameters/parameters.js';
import { angleOf, geometryOf, type ScanGeometry } from '../scan/scan.js';
import { type LegacyName, legacyVariable } from './legacy-name.js';

const { LFPangleRangeFilter } = dataReduction.members;
const { PerformanceProfileNumber } = basicSettings.members;

/**
 * The angle of straight ahead in legacy telegrams, in 1/10000 degree. They count from the right-hand side. The
 * interface has 0 there.
 */
const legacyAhead = 900_000;

/** Variables on which the beams of a legacy scan telegram depend. */
export const legacyBeamsFollow: readonly Variable<unknown>[] = [
  LFPangleRangeFilter,
  PerformanceProfileNumber,
];

/** The beams of a scan in a legacy scan telegram. */
export interface LegacyBeams {
  readonly geometry: ScanGeometry;
  /** The visible beams. Every `increment`-th of them is sent, from the first on. */
  readonly visible: BeamRange;
  readonly increment: number;
  /** Angles of the first and the last beam that are sent, from the right-hand side, in 1/10000 degree. */
  readonly start: number;
  readonly stop: number;
  /** The angle between beams that are sent, in 1/10000 degree. */
  readonly step: number;
}

/** The telegrams have 16 bits for the angle from one beam to the next, in 1/10000 degree. */
const widestStep = 0xffff;

/**
 * The beams of a legacy scan telegram. If none is visible, start and stop are those of the filter. The increment is at
 * most the largest one that telegrams can hold.
 * @param geometry of the scan; by default that of the performance profile
 */
export function legacyBeams(
  parameters: Parameters,
  geometry: ScanGeometry = geometryOf(parameters.profile),
): LegacyBeams {
  const filter = parameters.read(LFPangleRangeFilter);
  const visible = visibleBeams(geometry, filter);
  const resolution = Math.round(geometry.step * 10_000);
  const most = Math.max(1, Math.floor(widestStep / resolution));
  const increment = filter.bEnable ? Math.min(filter.uiBeamIncrement, most) : 1;
  const steps = Math.ceil((visible.end - visible.first) / increment) - 1;
  const isBlind = visible.first === visible.end;
  const of = (beam: number) => Math.round(angleOf(geometry, beam) * 10_000) + legacyAhead;
  return {
    geometry,
    visible,
    increment,
    start: isBlind ? filter.fThetaStart + legacyAhead : of(visible.first),
    stop: isBlind ? filter.fThetaStop + legacyAhead : of(visible.first + steps * increment),
    step: resolution * increment,
  };
}

/** The output range in the layout of devices with one sector; angles in 1/10000 degree. */
const outputRange = struct({
  count: integer('uint16', { minimum: 1, maximum: 1 }),
  step: integer('uint32'),
  start: integer('int32'),
  stop: integer('int32'),
});

/** The scan frequency in 1/100 Hz and the only sector. */
export const scanConfig = struct({
  frequency: integer('uint32'),
  count: integer('uint16', { minimum: 1, maximum: 1 }),
  step: integer('uint32'),
  start: integer('int32'),
  stop: integer('int32'),
});

/**
 * LMPoutputRange: the effective range. A write sets LFPangleRangeFilter, cut to the field of view. The written step has
 * no effect, because the performance profile sets it.
 */
export const lmpOutputRange: LegacyName = legacyVariable(outputRange, {
  from: legacyBeamsFollow,
  read: ({ parameters }) => {
    const { step, start, stop } = legacyBeams(parameters);
    return { count: 1, step, start, stop };
  },
  level: 'AuthorizedClient',
  write: ({ parameters }, { start, stop }) => {
    const before = legacyBeams(parameters);
    // A write of the value that was read must not change the filter.
    if (before.start === start && before.stop === stop) return undefined;
    const [from, to] = [clampToView(start - legacyAhead), clampToView(stop - legacyAhead)];
    if (from >= to) throw new Refusal('outOfRange', 'stop', 'no part of the field of view is in this range');
    const filter = parameters.read(LFPangleRangeFilter);
    return parameters.change((change) =>
      change.set(LFPangleRangeFilter, { ...filter, bEnable: true, fThetaStart: from, fThetaStop: to }),
    );
  },
});

/** The scan configuration of the performance profile, regardless of the beams that are sent. */
export function scanConfigOf(parameters: Parameters): TypeOf<typeof scanConfig> {
  const { frequency, resolution } = parameters.profile;
  return {
    frequency,
    count: 1,
    step: resolution,
    start: fieldOfView.minimum + legacyAhead,
    stop: fieldOfView.maximum + legacyAhead,
  };
}

/** LMPscancfg: the scan frequency in 1/100 Hz, and the measured beams, regardless of the beams that are sent. */
export const lmpScanConfig: LegacyName = legacyVariable(scanConfig, {
  from: [PerformanceProfileNumber],
  read: ({ parameters }) => scanConfigOf(parameters),
});

function clampToView(angle: number): number {
  return Math.min(Math.max(angle, fieldOfView.minimum), fieldOfView.maximum);
}
