import type { PtpAnnounce } from '@azimuth/telegrams/ptp';

/**
 * Compares the masters of two Announce messages (IEEE 1588-2019, 9.3.4, for a clock that is never a master itself):
 * negative if the first is better, positive if the second is. Different grandmasters are compared by their properties, the
 * same grandmaster by the way to it.
 */
export function compareMasters(one: PtpAnnounce, other: PtpAnnounce): number {
  if (one.grandmaster !== other.grandmaster) {
    return (
      one.priority1 - other.priority1 ||
      one.clockClass - other.clockClass ||
      one.clockAccuracy - other.clockAccuracy ||
      one.variance - other.variance ||
      one.priority2 - other.priority2 ||
      order(one.grandmaster, other.grandmaster)
    );
  }
  return (
    one.stepsRemoved - other.stepsRemoved ||
    order(one.source.clock, other.source.clock) ||
    one.source.port - other.source.port
  );
}

/** Hex digits of the same length are in the order of their numbers. */
function order(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
