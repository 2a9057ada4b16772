import type { LegacyFaults } from '@azimuth/device/faults';
import type { PlannedFault } from '@azimuth/model/faults';
import { changeBytes, type LegacyKind, type Occurrence, type OccurrencesOf } from './occurrence.js';

/** The planned faults of the legacy protocol. */
export class PlannedLegacyFaults implements LegacyFaults {
  readonly #occurrences: OccurrencesOf<LegacyKind>;

  constructor(occurrences: OccurrencesOf<LegacyKind>) {
    this.#occurrences = occurrences;
  }

  refusalOf(request: Uint8Array): number | undefined {
    let code: number | undefined;
    for (const occurrence of this.#occurrences) {
      const { fault } = occurrence;
      if (fault.kind === 'legacy-sfa' && concerns(fault, request) && occurrence.occurs()) code ??= fault.code;
    }
    return code;
  }

  damaged(frame: Uint8Array): Uint8Array {
    let damaged = frame;
    for (const occurrence of this.#occurrences) {
      const { fault } = occurrence;
      if (fault.kind === 'legacy-sfa' || !concerns(fault, frame) || !occurrence.occurs()) continue;
      damaged = fault.kind === 'legacy-no-end' ? damaged.subarray(0, -1) : garbled(damaged, occurrence);
    }
    return damaged;
  }
}

function concerns({ contains }: PlannedFault<LegacyKind>, bytes: Uint8Array): boolean {
  if (contains === '*') return true;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(contains, 0, 'latin1');
}

/** Returns a copy with one wrong byte. The ends of the frame stay, and the wrong byte is not an end of a frame. */
function garbled(frame: Uint8Array, { random }: Occurrence): Uint8Array {
  const copy = Uint8Array.from(frame);
  // The end may be missing by another fault. The binary framing begins with four STX.
  const isText = copy[1] !== 0x02;
  if (!isText) {
    // Four bytes STX and four of the length stand in front, the checksum behind.
    changeBytes(copy, { from: Math.min(8, copy.length - 1), to: copy.length - 1 }, 1, random);
    return copy;
  }
  const place = 1 + random.below(Math.max(1, copy.length - 2));
  const wrong = 0x21 + random.below(0x5d);
  copy[place] = copy[place] === wrong ? 0x7e : wrong;
  return copy;
}
