import { piecesOf, textIn } from '@azimuth/client';

/** Bytes; the page of one scanner has about 100 KB. */
const longestPage = 1024 * 1024;

/** The answer of a scanner to `/metrics` as a text. @throws if it is longer than any scanner sends */
export function metricsIn(response: Response): Promise<string> {
  return textIn(piecesOf(response.body), longestPage);
}
