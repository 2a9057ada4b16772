import { largestBody } from '@azimuth/model';

// The limits of JSON bodies. Sizes are in bytes.

/**
 * All unfinished bodies together. One of them has at most 1 MiB, or less if the endpoint can hold less (`bodyBounds` of the
 * model). Longer ones get status 1.
 */
export const mostBodyBytesTogether = 64 * largestBody;

/** A body of up to this size is parsed at once: V8 takes some ms at most for the worst of them. */
export const mostBytesParsedAtOnce = 16 * 1024;

/** A longer `header` of a body is not parsed. A header with its five texts has about 400 bytes. */
export const longestCredentials = 4096;
