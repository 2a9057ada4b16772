import { Scan } from '@azimuth/device';
import { sameGeometry } from '@azimuth/device/cores';
import type { CoreFaults } from '@azimuth/device/faults';
import type { faultGroups } from '@azimuth/model/faults';
import type { OccurrencesOf } from './occurrence.js';

/** The kinds of fault of a core, with an occasion at each scan. */
export type CoreKind = keyof (typeof faultGroups)['Measuring core'];

/** What a core passes wrongly about one scan. */
interface WrongScan {
  /** Number as the core states it. */
  readonly original: number;
  readonly isPassed: boolean;
  /** Error of the number. */
  readonly number: number;
  /** Error of the time in µs. */
  readonly time: number;
}

/** The planned faults of a core. Several may happen to one scan. */
export class PlannedCoreFaults implements CoreFaults {
  readonly #occurrences: OccurrencesOf<CoreKind>;
  /** The present scan. A core may pass it in parts. */
  #present: WrongScan | undefined;
  #result: Scan | undefined;

  constructor(occurrences: OccurrencesOf<CoreKind>) {
    this.#occurrences = occurrences;
  }

  passed(scan: Scan): Scan | undefined {
    if (this.#present?.original !== scan.number) this.#present = this.#begin(scan.number);
    const { isPassed, number, time } = this.#present;
    if (!isPassed) return undefined;
    if (number === 0 && time === 0) return scan;
    const result = this.#resultFor(scan);
    result.copy(scan);
    result.number = scan.number + number;
    result.time = scan.time + time;
    return result;
  }

  /** Decides which faults happen to a scan. */
  #begin(original: number): WrongScan {
    let isPassed = true;
    let number = 0;
    let time = 0;
    for (const occurrence of this.#occurrences) {
      if (!occurrence.occurs()) continue;
      const { fault } = occurrence;
      switch (fault.kind) {
        case 'core-stall':
          isPassed = false;
          break;
        case 'core-time':
          time += fault.by * 1000;
          break;
        case 'core-number':
          number += fault.by;
      }
    }
    return { original, isPassed, number, time };
  }

  #resultFor({ geometry }: Scan): Scan {
    if (this.#result === undefined || !sameGeometry(this.#result.geometry, geometry))
      this.#result = new Scan(geometry);
    return this.#result;
  }
}
