import type { PointFrame } from '../../src/truth/placement.js';
import {
  type DriverFault,
  type DriverPoint,
  driving,
  type Motion,
  profile,
  standing,
} from './drawn-world.js';

/** rad between two beams. */
const step = (276 / (profile.beams - 1)) * (Math.PI / 180);
/** µs from the first to the last beam. */
const span = ((profile.period * 276) / 360) * 1e6;
/** µs of a revolution. */
const period = profile.period * 1e6;

type Faults = Readonly<Record<string, readonly [fault: DriverFault, kind: string]>>;

/** The right driver, and faults that show in every frame. */
const faults: Faults = {
  right: [{}, ''],
  'left and right are swapped': [{ placement: { mirrored: true } }, 'mirrored'],
  'x and y are swapped': [{ placement: { mirrored: true, turn: Math.PI / 2 } }, 'mirrored'],
  'turned by a beam': [{ placement: { turn: step } }, 'turned'],
  'turned by a segment': [{ placement: { turn: -90 * step } }, 'turned'],
  'turned by 2.3°': [{ placement: { turn: 0.04 } }, 'turned'],
  '1 % too long': [{ placement: { scale: 1.01 } }, 'scaled'],
  'mm for m': [{ placement: { scale: 1000 } }, 'scaled'],
  '30 mm too long': [{ placement: { offset: 0.03 } }, 'offset'],
  'a wrong lever arm': [{ placement: { x: 0.15, y: -0.2 } }, 'mounting'],
  'a wrong lever arm and heading': [{ placement: { x: -0.3, y: 0.1, turn: 0.1 } }, 'mounting'],
  'the middle is missing': [{ change: (points) => points.filter(between(-20, 10, false)) }, 'missing'],
  'a segment is lost now and then': [
    { change: (points, number) => (number % 3 === 0 ? points.filter(between(-138, -100, false)) : points) },
    'missing',
  ],
  'every point twice': [{ change: (points) => [...points, ...points] }, 'doubled'],
  'every tenth point anywhere': [
    { change: (points) => points.map((point, at) => (at % 10 === 0 ? { ...point, x: 0.4, y: 0.3 } : point)) },
    'stray-points',
  ],
  'times of the last beam': [{ time: (time) => time + span }, 'times-of-last-beam'],
  'times of the scan before': [{ time: (time) => time - period }, 'stale'],
  'times that are 7 ms late': [{ time: (time) => time + 7000 }, 'times-late'],
  'times of arrival': [
    { time: (_, truth) => truth.end + 2000 + 900 * ((truth.number * 7) % 5) },
    'times-at-arrival',
  ],
  'times since 1970': [{ time: (time) => time + 1.7e15 }, 'times-of-another-clock'],
  'times over the whole revolution': [
    { time: (time, truth) => truth.begin + ((time - truth.begin) * 360) / 276 },
    'times-uneven',
  ],
  'times that run backwards': [{ time: (time, truth) => truth.begin + truth.end - time }, 'times-uneven'],
  'one time for all points of a scan': [{ time: (_, truth) => truth.begin }, ''],
  'the time of the last beam for all points': [{ time: (_, truth) => truth.end }, 'times-of-last-beam'],
  'every third beam': [{ change: (points) => points.filter((_, at) => at % 3 === 0) }, ''],
  'points in another order': [{ change: (points) => points.toReversed() }, ''],
  'the middle of the scan only': [{ change: (points) => points.filter(between(-40, 60, true)) }, ''],
};

/** Faults of drivers that deskew. */
const deskewing: Faults = {
  'points in mm': [
    { change: (points) => points.map((point) => ({ ...point, x: 1000 * point.x, y: 1000 * point.y })) },
    'scaled',
  ],
  'the points of the scan before': [{ placement: { lag: 1 } }, 'stale'],
  'not deskewed': [{ placement: { deskewing: { way: 0, turn: 0 } } }, 'not-deskewed'],
  'deskewed the wrong way round': [{ placement: { deskewing: { way: -1, turn: -1 } } }, 'deskewed-wrongly'],
  'deskewed with the wrong sign of the turn': [
    { placement: { deskewing: { way: 1, turn: -1 } } },
    'deskewed-wrongly',
  ],
  'only the turn deskewed': [{ placement: { deskewing: { way: 0, turn: 1 } } }, 'deskewed-wrongly'],
  'only the way deskewed': [{ placement: { deskewing: { way: 1, turn: 0 } } }, 'deskewed-wrongly'],
  'deskewed with the time of the last beam': [{ placement: { delay: span } }, 'late-poses'],
  'poses that are 12 ms late': [{ placement: { delay: 12_000 } }, 'late-poses'],
  'poses that are 9 ms early': [{ placement: { delay: -9000 } }, 'late-poses'],
};

/** Keeps points whose angle lies between two (degrees), or the others. The angle is that of the beam, by its time. */
function between(from: number, to: number, inside: boolean): (point: DriverPoint) => boolean {
  return ({ time }) => {
    const angle = -138 + ((time % period) / period) * 360;
    return (angle >= from && angle <= to) === inside;
  };
}

interface FaultCase {
  readonly motion: Motion;
  readonly frame: PointFrame;
  readonly name: string;
  readonly fault: DriverFault;
  readonly kind: string;
}

/** All faults: of a scanner that stands, and of one that drives, in each frame. */
export function faultCases(frames: readonly PointFrame[]): readonly FaultCase[] {
  const cases = (motion: Motion, frame: PointFrame, all: Faults) =>
    Object.entries(all).map(([name, [fault, kind]]) => ({ motion, frame, name, fault, kind }));
  return [
    ...cases(standing, 'scanner', faults),
    ...frames.flatMap((frame) =>
      cases(driving, frame, frame === 'scanner' ? faults : { ...faults, ...deskewing }),
    ),
  ];
}
