import type { RecordedSegment } from './recorded-segment.js';

/** One turn of the mirror as it was recorded. */
export interface Turn {
  readonly frame: number;
  /** When its first telegram was received, in µs. */
  readonly received: number;
  /** By the index of the segment. */
  readonly segments: Map<number, RecordedSegment>;
}

/** Puts segments together to turns, in the order of the recording. */
export class RecordedTurns {
  readonly turns: Turn[] = [];

  /** Takes the next segment. One that comes twice counts once, one of the turn before may come late. */
  add(received: number, segment: RecordedSegment): void {
    const known = this.#turnOf(segment.frame);
    if (known !== undefined) {
      known.segments.set(segment.index, segment);
      return;
    }
    this.turns.push({ frame: segment.frame, received, segments: new Map([[segment.index, segment]]) });
  }

  #turnOf(frame: number): Turn | undefined {
    const last = this.turns.at(-1);
    if (last === undefined || last.frame === frame) return last;
    const before = this.turns.at(-2);
    return before?.frame === frame ? before : undefined;
  }
}

/** A recording that cannot be played. The message says what it holds. */
export class ReplayError extends Error {
  override readonly name = 'ReplayError';
}
