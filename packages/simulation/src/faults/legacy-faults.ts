import type { LegacyFaults } from '@azimuth/device';
import type { PlannedFault } from '@azimuth/model/faults';
import { changeBytes, type LegacyKind, type Occurrence, type RunsOf } from './occurrence.js';

/** The planned faults of the legacy protocol. */
export class PlannedLegacyFaults implements LegacyFaults {
  readonly #runs: RunsOf<LegacyKind>;

  constructor(runs: RunsOf<LegacyKind>) {
    this.#runs = runs;
  }

  refusalOf(request: Uint8Array): number | undefined {
    let code: number | undefined;
    for (const run of this.#runs) {
      const { fault } = run;
      if (fault.kind === 'legacy-sfa' && concerns(fault, request) && run.occurs()) code ??= fault.code;
    }
    return code;
  }

  damaged(frame: Uint8Array): Uint8Array {
    let damaged = frame;
    for (const run of this.#runs) {
      const { fault } = run;
      if (fault.kind === 'legacy-sfa' || !concerns(fault, frame) || !run.occurs()) continue;
      damaged = fault.kind === 'legacy-no-end' ? damaged.subarray(0, -1) : garbled(damaged, run);
    }
    return damaged;
  }
}

function concerns({ contains }: PlannedFault<LegacyKind>, bytes: Uint8Array): boolean {
  if (contains === '*') return true;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(contains, 0, 'latin1');
}

/** A copy with one wrong byte. The ends of the frame stay, and no new end comes into it. */
function garbled(frame: Uint8Array, { draws }: Occurrence): Uint8Array {
  const copy = Uint8Array.from(frame);
  // The end may be missing by another fault. The binary framing begins with four STX.
  const isText = copy[1] !== 0x02;
  if (!isText) {
    // Four bytes STX and four of the length stand in front, the checksum behind.
    changeBytes(copy, { from: Math.min(8, copy.length - 1), to: copy.length - 1 }, 1, draws);
    return copy;
  }
  const place = 1 + draws.below(Math.max(1, copy.length - 2));
  const wrong = 0x21 + draws.below(0x5d);
  copy[place] = copy[place] === wrong ? 0x7e : wrong;
  return copy;
}
