import { angleOf, echoesPerBeam, Scan, type ScanGeometry } from '@azimuth/device';
import { removeEchoes, sameGeometry } from '@azimuth/device/cores';
import type { ScanBeams, ScanFaults } from '@azimuth/device/faults';
import type { faultGroups } from '@azimuth/model/faults';
import { gaussianAt } from '../random-numbers.js';
import type { Occurrence, OccurrenceOf, OccurrencesOf } from './occurrence.js';
import type { StampErrors } from './stamp-errors.js';

type MeasuringKinds = (typeof faultGroups)['Measuring'];

/** The kinds of fault with an occasion at each scan. */
export type ScanKind = {
  [Kind in keyof MeasuringKinds]: MeasuringKinds[Kind]['occasion'] extends 'scan' ? Kind : never;
}[keyof MeasuringKinds];

export const scanKinds: Readonly<Record<ScanKind, true>> = {
  'scan-stuck': true,
  'scan-swapped': true,
  'scan-invalid': true,
  'scan-rotated': true,
  'scan-bias': true,
  'range-noise': true,
  'sector-blind': true,
  'stamp-jitter': true,
};

/** Nearest distance in mm of an echo that a fault has moved: telegrams have whole mm, and 0 is no echo. */
const nearest = 1;

/** A scan that a fault shows again later. */
interface KeptScan {
  readonly scan: Scan;
  /** Number of scans with the fault since it was kept. */
  readonly age: number;
}

/** The echoes that faults show again. They stay if the plan changes. */
export class RepeatedEchoes {
  /** The echoes of the newest scan that was not stuck. */
  newest: Scan | undefined;
  /** The first scans of faults of the kind scan-swapped. */
  readonly kept = new WeakMap<Occurrence, KeptScan>();
}

/** The present scan. */
interface PresentScan {
  /** The scans into which its echoes are copied. */
  readonly into: readonly Scan[];
  /** The scan whose echoes are shown. */
  readonly shown: Scan;
  /** Beams by which its echoes are moved. */
  readonly shift: number;
  /** The faults that change echoes. */
  readonly changes: readonly OccurrenceOf<ScanKind>[];
  /** Number of beams that are disturbed already. */
  done: number;
}

/** The planned faults of scans. Several may happen to one scan: see `disturbed` for their order. */
export class PlannedScanFaults implements ScanFaults {
  readonly #occurrences: OccurrencesOf<ScanKind>;
  readonly #echoes: RepeatedEchoes;
  readonly #stamps: StampErrors;
  #present: PresentScan | undefined;
  #result: Scan | undefined;

  constructor(occurrences: OccurrencesOf<ScanKind>, echoes: RepeatedEchoes, stamps: StampErrors) {
    this.#occurrences = occurrences;
    this.#echoes = echoes;
    this.#stamps = stamps;
  }

  /** First decides which echoes are shown (stuck, swapped). Then rotates them, and then changes them in the order of the plan. */
  disturbed({ scan, beams: { first, end } }: ScanBeams, furthest: number): ScanBeams {
    const result = this.#resultFor(scan.geometry);
    if (first === 0) {
      this.#present = this.#begin(scan);
      result.begin(scan);
    }
    const present = this.#present;
    // A scan begins with its beam 0.
    if (present === undefined) return { scan: result, beams: { first: 0, end: 0 } };
    for (const copy of present.into) copy.copyBeams(scan, first, end);
    const begin = present.done;
    present.done = knownBeams(end, present, scan.geometry);
    show(present, result, begin, present.done);
    for (const occurrence of present.changes) {
      for (let beam = begin; beam < present.done; beam++) change(result, beam, furthest, occurrence);
    }
    return { scan: result, beams: { first: begin, end: present.done } };
  }

  /** Decides which faults happen to a scan. */
  #begin(scan: Scan): PresentScan {
    const newest = this.#newestFor(scan.geometry);
    const into: Scan[] = [];
    const changes: OccurrenceOf<ScanKind>[] = [];
    let isStuck = false;
    let shown = newest.scan;
    let shift = 0;
    let stampError = 0;
    for (const occurrence of this.#occurrences) {
      const { fault, random } = occurrence;
      const happens = occurrence.occurs();
      if (occurrence.state !== 'active') this.#echoes.kept.delete(occurrence);
      if (!happens) continue;
      switch (fault.kind) {
        case 'scan-stuck':
          isStuck = newest.isFilled;
          break;
        case 'scan-swapped': {
          const kept = this.#keptBy(occurrence, scan.geometry);
          if (kept.age === 0) into.push(kept.scan);
          else if (kept.age % 2 === 0) shown = kept.scan;
          break;
        }
        case 'scan-rotated':
          shift += fault.degrees === undefined ? fault.beams : Math.round(fault.degrees / scan.geometry.step);
          break;
        case 'stamp-jitter':
          stampError += (2 * random.uniform() - 1) * fault.jitter * 1000;
          break;
        default:
          changes.push(occurrence);
      }
    }
    if (!isStuck) into.push(newest.scan);
    if (stampError !== 0) this.#stamps.setScanError(scan, stampError);
    return { into, shown, shift, changes, done: 0 };
  }

  #newestFor(geometry: ScanGeometry): { readonly scan: Scan; readonly isFilled: boolean } {
    const { newest } = this.#echoes;
    if (newest !== undefined && sameGeometry(newest.geometry, geometry))
      return { scan: newest, isFilled: true };
    const scan = new Scan(geometry);
    this.#echoes.newest = scan;
    return { scan, isFilled: false };
  }

  /** Returns the scan that a fault has kept, one scan older than before. At its begin, a new one. */
  #keptBy(occurrence: Occurrence, geometry: ScanGeometry): KeptScan {
    const before = this.#echoes.kept.get(occurrence);
    const kept =
      before !== undefined && sameGeometry(before.scan.geometry, geometry)
        ? { scan: before.scan, age: before.age + 1 }
        : { scan: new Scan(geometry), age: 0 };
    this.#echoes.kept.set(occurrence, kept);
    return kept;
  }

  #resultFor(geometry: ScanGeometry): Scan {
    if (this.#result === undefined || !sameGeometry(this.#result.geometry, geometry)) {
      this.#result = new Scan(geometry);
      this.#present = undefined;
    }
    return this.#result;
  }
}

/** Number of beams that can be shown. Beams that are shown at a smaller angle than measured have to wait for later ones. */
function knownBeams(measured: number, { shift, done }: PresentScan, { beams }: ScanGeometry): number {
  return measured === beams ? beams : Math.max(done, Math.min(measured, measured + shift));
}

/** Copies the beams from `first` up to, but not including, `end`. */
function show({ shown, shift }: PresentScan, result: Scan, first: number, end: number): void {
  if (shift === 0) {
    result.copyBeams(shown, first, end);
    return;
  }
  const { beams } = result.geometry;
  for (let beam = first; beam < end; beam++) {
    const from = beam - shift;
    if (from < 0 || from >= beams) result.clear(beam, beam + 1);
    else copyBeam(shown, from, result, beam);
  }
}

function copyBeam(from: Scan, source: number, to: Scan, beam: number): void {
  for (let echo = 0; echo < echoesPerBeam; echo++) {
    const at = source * echoesPerBeam + echo;
    const place = beam * echoesPerBeam + echo;
    to.distance[place] = from.distance[at] ?? 0;
    to.rssi[place] = from.rssi[at] ?? 0;
    to.flags[place] = from.flags[at] ?? 0;
  }
}

function change(scan: Scan, beam: number, furthest: number, { fault, random }: OccurrenceOf<ScanKind>): void {
  switch (fault.kind) {
    case 'scan-bias':
      move(scan, beam, furthest, (distance) => distance * fault.scale + fault.offset);
      break;
    case 'range-noise':
      move(scan, beam, furthest, (distance) => distance + gaussianAt(random.word()) * fault.deviation);
      break;
    case 'sector-blind':
      if (isBetween(angleOf(scan.geometry, beam), fault)) scan.clear(beam, beam + 1);
      break;
    case 'scan-invalid':
      if (!isBetween(angleOf(scan.geometry, beam), fault)) break;
      scan.clear(beam, beam + 1);
      scan.distance[beam * echoesPerBeam] = invalidDistance(fault.value, furthest);
      break;
  }
}

/** Returns a distance in mm that no measurement can have. */
function invalidDistance(value: string | number, furthest: number): number {
  switch (value) {
    case 'negative':
      return -1;
    case 'infinite':
      return Number.POSITIVE_INFINITY;
    case 'far':
      return furthest + 1;
    default:
      return Number.NaN;
  }
}

function isBetween(angle: number, { from, to }: { readonly from: number; readonly to: number }): boolean {
  return from <= to ? angle >= from && angle <= to : angle >= from || angle <= to;
}

/** Moves the echoes of a beam. They stay in the order of their distances. Impossible values of a core stay, so that they are reported. */
function move(scan: Scan, beam: number, furthest: number, moved: (distance: number) => number): void {
  const { distance } = scan;
  const first = beam * echoesPerBeam;
  let lost = 0;
  for (let echo = 0; echo < echoesPerBeam; echo++) {
    const before = distance[first + echo] ?? 0;
    if (!(before > 0)) continue;
    const after = moved(before);
    distance[first + echo] = after;
    if (after < nearest || after > furthest) lost |= 1 << echo;
  }
  if (lost !== 0) removeEchoes(scan, beam, lost);
  sortEchoes(scan, first);
}

function sortEchoes({ distance, rssi, flags }: Scan, first: number): void {
  for (let echo = 1; echo < echoesPerBeam; echo++) {
    for (let at = first + echo; at > first && isBefore(distance[at], distance[at - 1]); at--) {
      for (const values of [distance, rssi, flags]) swap(values, at);
    }
  }
}

/** True if the first echo exists and is nearer than the second one. */
function isBefore(one = 0, other = 0): boolean {
  return one > 0 && one < other;
}

/** Swaps a value with the one before it. */
function swap(values: Float32Array | Uint16Array | Uint8Array, at: number): void {
  const value = values[at] ?? 0;
  values[at] = values[at - 1] ?? 0;
  values[at - 1] = value;
}
