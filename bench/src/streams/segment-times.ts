import { isObject } from '../json.js';

/** A segment, and a time in ms of the clock that all processes of this machine share. */
export interface SegmentTime {
  readonly frame: number;
  readonly index: number;
  readonly at: number;
  /** When the first beam of its scan was measured. The receiver does not know it. */
  readonly firstBeam?: number;
}

/** ms of a clock that all processes of this machine share. */
export function hostTime(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** @throws Error for anything else than a list of times */
export function segmentTimesOf(message: unknown): readonly SegmentTime[] {
  if (!Array.isArray(message)) throw new Error('a list of segments was expected');
  return message.map((time: unknown) => {
    if (!isObject(time)) throw new Error('a segment was expected');
    const { frame, index, at, firstBeam } = time;
    if (typeof frame !== 'number' || typeof index !== 'number' || typeof at !== 'number')
      throw new Error('a segment with its time was expected');
    return { frame, index, at, firstBeam: typeof firstBeam === 'number' ? firstBeam : undefined };
  });
}

/** ms from a segment's last beam, and for segment 0 from its first beam, to its datagram. */
export interface SegmentLatencies {
  readonly sinceLastBeam: readonly number[];
  readonly sinceFirstBeam: readonly number[];
  /** Number of segments whose datagram has not come. */
  readonly lost: number;
}

export function latenciesOf(
  passed: readonly SegmentTime[],
  arrived: readonly SegmentTime[],
): SegmentLatencies {
  const keyOf = ({ frame, index }: SegmentTime) => `${frame}.${index}`;
  const arrivals = new Map(arrived.map((time) => [keyOf(time), time.at]));
  const pairs = passed.flatMap((time) => {
    const arrival = arrivals.get(keyOf(time));
    return arrival === undefined ? [] : [{ ...time, arrival }];
  });
  return {
    sinceLastBeam: pairs.map(({ at, arrival }) => arrival - at),
    sinceFirstBeam: pairs.flatMap(({ index, firstBeam, arrival }) =>
      index === 0 && firstBeam !== undefined ? [arrival - firstBeam] : [],
    ),
    lost: passed.length - pairs.length,
  };
}
