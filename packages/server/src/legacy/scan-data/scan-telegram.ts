import {
  encodeLmdBinary,
  encodeLmdText,
  type Framing,
  frameBinary,
  frameText,
  type LmdHead,
  type LmdScan,
} from '@azimuth/telegrams/legacy';

/** A scan as it is sent, but for the number of the telegram. */
export type Captured = Omit<LmdScan, 'telegramCounter'>;

interface Frames {
  readonly payload: Uint8Array;
  readonly framed: Map<LmdHead, Uint8Array>;
}

/**
 * The telegram of one scan, encoded when somebody wants it for the first time, and once for all who do: event and answer
 * differ in their first word alone. It has its number from then on.
 */
export class ScanTelegram {
  readonly #captured: Captured;
  readonly #count: () => number;
  readonly #frames = new Map<Framing, Frames>();
  #number: number | undefined;

  /** @param count takes the next number of a telegram. */
  constructor(captured: Captured, count: () => number) {
    this.#captured = captured;
    this.#count = count;
  }

  /** Framed and whole. It is shared: nobody is to change it. */
  frame(word: LmdHead, framing: Framing): Uint8Array {
    const { payload, framed } = this.#framesOf(framing);
    const found = framed.get(word);
    if (found !== undefined) return found;
    for (let at = 0; at < word.length; at++) payload[at] = word.charCodeAt(at);
    const frame = framing === 'text' ? frameText(payload) : frameBinary(payload);
    framed.set(word, frame);
    return frame;
  }

  #framesOf(framing: Framing): Frames {
    const found = this.#frames.get(framing);
    if (found !== undefined) return found;
    this.#number ??= this.#count();
    const scan = { ...this.#captured, telegramCounter: this.#number };
    const payload = framing === 'text' ? encodeLmdText(scan, 'sSN') : encodeLmdBinary(scan, 'sSN');
    const frames = { payload, framed: new Map() };
    this.#frames.set(framing, frames);
    return frames;
  }
}
