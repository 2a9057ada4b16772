import { type Evaluation, OcclusionHandling } from '@azimuth/model';
import { type CrossedBeams, crossedBeams } from '../contours/crossed-beams.js';
import { type BeamFan, EchoFlag, echoesPerBeam, radPerDegree, type Scan, someInvalid } from '../scan/scan.js';

type Rules = Pick<
  Evaluation,
  'TreatMissingDataAsInfringed' | 'OcclusionHandling' | 'ReflectorsOnly' | 'ContourAsReference'
>;

/**
 * Finds the beams of a scan that hit a field. A beam hits if an echo lies inside, or if the field is hidden and the
 * settings count that as a hit. If the contour is a reference, a beam hits if it has no echo inside. One object serves
 * all beams of all scans.
 */
class Hits {
  /** Position of the hit of the last beam, in mm along the beam. */
  at = 0;
  /**
   * Distance in mm at which the size of an object is measured: the echo, or the far end of a hidden part, because an object
   * may be anywhere in it.
   */
  reach = 0;
  /** True if there was an echo at `at`. Otherwise the distance of the object is unknown. */
  isSeen = false;
  readonly #crossed: CrossedBeams;
  readonly #missing: boolean;
  readonly #occluded: boolean;
  readonly #reflectorsOnly: boolean;
  readonly #isReference: boolean;

  constructor(crossed: CrossedBeams, rules: Rules) {
    this.#crossed = crossed;
    this.#missing = rules.TreatMissingDataAsInfringed;
    this.#occluded = rules.OcclusionHandling === OcclusionHandling.INFRINGED;
    this.#reflectorsOnly = rules.ReflectorsOnly;
    this.#isReference = rules.ContourAsReference;
  }

  /** True if the beam of a crossing hits. Sets `at`, `reach` and `isSeen`. */
  isHit(scan: Scan, crossing: number): boolean {
    const { beams, firstPart, enter } = this.#crossed;
    const first = firstPart[crossing] ?? 0;
    const end = firstPart[crossing + 1] ?? 0;
    const place = (beams[crossing] ?? 0) * echoesPerBeam;
    const isSeen = this.#hasEchoInside(scan, place, first, end);
    if (this.#isReference) return !isSeen && this.#hiddenHit(first);
    if (isSeen) return true;
    const nearest = scan.distance[place] ?? 0;
    if (nearest === 0) return this.#missing && this.#hiddenHit(first);
    if (!this.#occluded) return false;
    for (let part = first; part < end; part++) {
      if (nearest < (enter[part] ?? 0)) return this.#hiddenHit(part);
    }
    return false;
  }

  /** True if an echo that counts is in one of these parts of its beam. */
  #hasEchoInside({ distance, flags }: Scan, place: number, first: number, end: number): boolean {
    const { enter, leave } = this.#crossed;
    for (let echo = place; echo < place + echoesPerBeam; echo++) {
      const at = distance[echo] ?? 0;
      if (at === 0) break;
      if (this.#reflectorsOnly && ((flags[echo] ?? 0) & EchoFlag.reflector) === 0) continue;
      for (let part = first; part < end; part++) {
        if (at < (enter[part] ?? 0)) break;
        if (at > (leave[part] ?? 0)) continue;
        this.at = at;
        this.reach = at;
        this.isSeen = true;
        return true;
      }
    }
    return false;
  }

  #hiddenHit(part: number): true {
    this.isSeen = false;
    this.at = this.#crossed.enter[part] ?? 0;
    this.reach = this.#crossed.leave[part] ?? 0;
    return true;
  }
}

/** Largest number of beams without a hit inside one object. */
const bridgedGap = 1;

/**
 * Looks for objects in a field. Neighbouring beams that hit are one object, unless their echoes are
 * ObjectDistanceThreshold or more apart (0: always one). An object counts if the distance from its first to its last
 * beam plus the width of one beam is at least MinimumObjectSize, and if at least InfringementThreshold of its beams
 * hit. A search allocates no memory.
 */
export class ObjectSearch {
  /** The nearest point of the nearest object of the last search: mm in the coordinates of the scanner. */
  x = 0;
  y = 0;
  readonly #fan: BeamFan;
  readonly #beams: Uint32Array;
  readonly #hits: Hits;
  readonly #size: number;
  readonly #threshold: number;
  /** Distance in mm between echoes of neighbouring beams from which they hit two objects. */
  readonly #apart: number;
  /** Half the width of a beam at 1 mm. Multiplied by the sum of two distances, it is the width at their mean. */
  readonly #halfWidth: number;
  #found = false;
  #foundAt = 0;
  // The current object.
  #count = 0;
  #firstBeam = 0;
  #firstReach = 0;
  #lastBeam = 0;
  #lastReach = 0;
  /** Distance of the object at the last beam. NaN if that beam has no echo. */
  #lastSeen = Number.NaN;
  #nearestBeam = 0;
  #nearestAt = 0;

  constructor(evaluation: Evaluation, fan: BeamFan) {
    const crossed = crossedBeams(evaluation, fan);
    this.#fan = fan;
    this.#beams = crossed.beams;
    this.#hits = new Hits(crossed, evaluation);
    this.#size = evaluation.MinimumObjectSize;
    this.#threshold = evaluation.InfringementThreshold;
    this.#apart = evaluation.ObjectDistanceThreshold || Number.POSITIVE_INFINITY;
    this.#halfWidth = (Math.abs(fan.geometry.step) * radPerDegree) / 2;
  }

  /** True if there is an object in the field. Sets `x` and `y`. */
  find(scan: Scan): boolean {
    const beams = this.#beams;
    this.#found = false;
    this.#count = 0;
    for (let crossing = 0; crossing < beams.length; crossing++) {
      if (this.#hits.isHit(scan, crossing)) this.#hit(beams[crossing] ?? 0);
    }
    this.#endObject();
    return this.#found;
  }

  /** True if a beam that the field needs is invalid. */
  lacksBeams(scan: Scan): boolean {
    return someInvalid(scan, this.#beams);
  }

  #hit(beam: number): void {
    const { at, reach, isSeen } = this.#hits;
    const seen = isSeen ? at : Number.NaN;
    const isOther = beam - this.#lastBeam > 1 + bridgedGap || Math.abs(seen - this.#lastSeen) >= this.#apart;
    if (this.#count > 0 && isOther) this.#endObject();
    this.#lastSeen = seen;
    if (this.#count === 0) {
      this.#firstBeam = beam;
      this.#firstReach = reach;
    }
    if (this.#count === 0 || at < this.#nearestAt) {
      this.#nearestBeam = beam;
      this.#nearestAt = at;
    }
    this.#count += 1;
    this.#lastBeam = beam;
    this.#lastReach = reach;
  }

  #endObject(): void {
    const infringes = this.#count > 0 && this.#count >= this.#threshold && this.#extent >= this.#size;
    this.#count = 0;
    if (!infringes || (this.#found && this.#nearestAt >= this.#foundAt)) return;
    const { x, y } = this.#fan;
    this.#found = true;
    this.#foundAt = this.#nearestAt;
    this.x = Math.round(this.#nearestAt * (x[this.#nearestBeam] ?? 0)) + 0;
    this.y = Math.round(this.#nearestAt * (y[this.#nearestBeam] ?? 0)) + 0;
  }

  /** Width of the current object in mm. */
  get #extent(): number {
    const { x, y } = this.#fan;
    const first = this.#firstBeam;
    const last = this.#lastBeam;
    const near = this.#firstReach;
    const far = this.#lastReach;
    const length = lengthOf(
      far * (x[last] ?? 0) - near * (x[first] ?? 0),
      far * (y[last] ?? 0) - near * (y[first] ?? 0),
    );
    return length + (near + far) * this.#halfWidth;
  }
}

function lengthOf(x: number, y: number): number {
  return Math.sqrt(x * x + y * y);
}
