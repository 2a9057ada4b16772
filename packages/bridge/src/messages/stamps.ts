import type { Frame } from '@azimuth/client';

/** Largest difference in µs between the clocks of a scanner and of this computer if the scanner is synchronised. */
const mostOffset = 1_000_000;

/** Longest scan in µs. Longer ones come of wrong times. */
const longestScan = 10_000_000;

/**
 * Returns the stamp of a scan: the time of its first beam in whole µs since 1970. It is the scanner's time if the scanner is
 * synchronised: if its last beam was measured less than 1 s before or after it was received. Otherwise it is the time of
 * reception minus the duration of the scan.
 * @param received time at which the last telegram of the scan was received, µs since 1970
 */
export function stampOfFrame(frame: Frame, received: number): number {
  const end = isSynchronised(frame.endTime, received) ? frame.endTime : received;
  return Math.round(end - durationOf(frame));
}

/** Returns the duration of a scan in µs; 0 if its times are wrong, for example because the clock was set during the scan. */
export function durationOf({ time, endTime }: Pick<Frame, 'time' | 'endTime'>): number {
  const duration = endTime - time;
  return duration >= 0 && duration <= longestScan ? duration : 0;
}

/**
 * Returns the stamp of a telegram with one time, in whole µs since 1970: its own time if the scanner is synchronised, or else
 * the time of reception.
 * @param time µs on the scanner's clock
 * @param received µs since 1970
 */
export function stampOfTelegram(time: number, received: number): number {
  return Math.round(isSynchronised(time, received) ? time : received);
}

function isSynchronised(time: number, received: number): boolean {
  return Math.abs(time - received) < mostOffset;
}
