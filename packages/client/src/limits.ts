/** Events that wait for their reader if the caller sets no limit. */
export const usualBuffer = 100;

/** Bytes of telegrams that wait for their reader: 16 MiB. */
export const mostWaitingBytes = 16 * 1024 * 1024;

/** Frames of `scans` that wait for their reader if the caller sets no limit. */
export const usualFrames = 2;
