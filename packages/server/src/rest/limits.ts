import { largestBody } from '@azimuth/model';

// Limits of JSON bodies. Sizes are in bytes.

/**
 * Size of all unfinished bodies together. One of them has at most 1 MiB, or less if the endpoint can hold less
 * (`bodyBounds` of the model). Longer ones get status 1.
 */
export const mostBodyBytesTogether = 64 * largestBody;
