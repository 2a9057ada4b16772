const binaryStart = '\x02\x02\x02\x02';
const headBytes = 8;

/** Cuts what comes over a connection of the legacy protocol into whole frames, of either form. Latin-1 throughout. */
export class LegacyReader {
  readonly #answered: (frame: string) => void;
  #rest = '';

  constructor(answered: (frame: string) => void) {
    this.#answered = answered;
  }

  /** @throws Error for what begins no frame. */
  push(received: string): void {
    let text = this.#rest === '' ? received : this.#rest + received;
    for (let length = lengthOf(text); length > 0; length = lengthOf(text)) {
      const frame = text.slice(0, length);
      text = text.slice(length);
      this.#answered(frame);
    }
    this.#rest = text;
  }
}

/** Of the first frame; 0 while it is not there as a whole. */
function lengthOf(text: string): number {
  if (text === '') return 0;
  if (text[0] !== '\x02') throw new Error(`no frame: ${JSON.stringify(text.slice(0, 40))}`);
  if (!text.startsWith(binaryStart)) return text.indexOf('\x03') + 1;
  if (text.length < headBytes) return 0;
  const length = headBytes + Buffer.from(text.slice(4, headBytes), 'latin1').readUInt32BE() + 1;
  return text.length < length ? 0 : length;
}
