import { layoutOf, type ProfileFacts, performanceProfiles } from '../performance-profile.js';
import type { Part } from './part.js';

/** Most profiles: their number is one byte in telegrams. */
const mostProfiles = 255;

/** Most beams of a segment, so that a telegram of three echoes fits into a datagram. */
const mostBeams = 600;

/** Returns the performance profiles of a product by number, by default those of the interface. */
export function profilesOf(part: Part): Readonly<Record<number, ProfileFacts>> {
  if (part.json === undefined) return performanceProfiles;
  const profiles: Record<number, ProfileFacts> = {};
  for (const [number, one] of part.parts) {
    if (!/^[1-9]\d{0,2}$/.test(number) || Number(number) > mostProfiles)
      one.mistake(`expected a number from 1 to ${mostProfiles}, got "${number}"`);
    const facts = profileOf(one.only(['frequency', 'resolution', 'segment']));
    if (facts !== undefined) profiles[Number(number)] = facts;
  }
  if (Object.keys(part.members).length === 0) part.mistake('expected at least one profile');
  return profiles;
}

function profileOf(part: Part): ProfileFacts | undefined {
  const frequencyPart = part.part('frequency');
  const frequency = frequencyPart.required(frequencyPart.integer({ minimum: 100, maximum: 10_000 }));
  const resolutionPart = part.part('resolution');
  const resolution = resolutionPart.required(resolutionPart.integer({ minimum: 500, maximum: 10_000 }));
  const segment = part.part('segment').integer({ minimum: 30, maximum: 276 });
  if (frequency === undefined || resolution === undefined) return undefined;
  const facts = { frequency, resolution, segment };
  const { beamsPerDegree, beamsPerSegment } = layoutOf(facts);
  // Beams are counted in tenths a degree: 3333/10000° are 3 beams a degree, 3000/10000° would be 3.33.
  const exact = 10_000 / beamsPerDegree;
  if (resolution !== Math.floor(exact) && resolution !== Math.round(exact))
    resolutionPart.mistake(
      `expected a whole number of beams in 10°, as with ${Math.round(exact)}, got ${resolution}`,
    );
  if (beamsPerSegment > mostBeams)
    part.mistake(
      `expected at most ${mostBeams} beams a segment, got ${beamsPerSegment}: make segments smaller`,
    );
  return facts;
}
