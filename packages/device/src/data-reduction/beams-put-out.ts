import type { BeamRange } from './visible-beams.js';

/**
 * The beams of a segment that are put out: every n-th one, from its first one on. Where that would be a single one of
 * several, its last beam is put out, too, as there are receivers that divide by the number of beams less one.
 * @param increment n, 1 or more.
 */
export function beamsPutOut({ first, end }: BeamRange, increment: number): Int32Array {
  const beams: number[] = [];
  for (let beam = first; beam < end; beam += increment) beams.push(beam);
  if (beams.length === 1 && end - first > 1) beams.push(end - 1);
  return Int32Array.from(beams);
}
