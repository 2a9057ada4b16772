import { type Evaluation, OcclusionHandling } from '@azimuth/model';
import { echoesPerBeam, type Scan } from '../scan/scan.js';
import type { CrossedBeams } from './crossed-beams.js';

type Rules = Pick<Evaluation, 'TreatMissingDataAsInfringed' | 'OcclusionHandling'>;

/**
 * Which beams of a scan hit a field: an echo lies inside, or the field cannot be seen and that counts as a hit. One object
 * is used for all beams of all scans.
 */
export class Hits {
  /** Where the beam that was asked for last hit the field, in mm along the beam. */
  at = 0;
  /**
   * How far away a thing would be that fills the beam there, in mm: the echo, or the far end of what could not be seen, for
   * a thing may stand anywhere in it.
   */
  reach = 0;
  readonly #crossed: CrossedBeams;
  readonly #missing: boolean;
  readonly #occluded: boolean;

  constructor(crossed: CrossedBeams, rules: Rules) {
    this.#crossed = crossed;
    this.#missing = rules.TreatMissingDataAsInfringed;
    this.#occluded = rules.OcclusionHandling === OcclusionHandling.INFRINGED;
  }

  /** Does the beam of this crossing hit? `at` and `reach` say where. */
  isHit({ distance }: Scan, crossing: number): boolean {
    const { beams, firstPart, enter, leave } = this.#crossed;
    const first = firstPart[crossing] ?? 0;
    const end = firstPart[crossing + 1] ?? 0;
    const place = (beams[crossing] ?? 0) * echoesPerBeam;
    const nearest = distance[place] ?? 0;
    if (nearest === 0) return this.#missing && this.#hide(first);
    for (let echo = 0; echo < echoesPerBeam; echo++) {
      const at = distance[place + echo] ?? 0;
      if (at === 0) break;
      for (let part = first; part < end; part++) {
        if (at < (enter[part] ?? 0)) break;
        if (at > (leave[part] ?? 0)) continue;
        this.at = at;
        this.reach = at;
        return true;
      }
    }
    if (!this.#occluded) return false;
    for (let part = first; part < end; part++) {
      if (nearest < (enter[part] ?? 0)) return this.#hide(part);
    }
    return false;
  }

  #hide(part: number): true {
    this.at = this.#crossed.enter[part] ?? 0;
    this.reach = this.#crossed.leave[part] ?? 0;
    return true;
  }
}
