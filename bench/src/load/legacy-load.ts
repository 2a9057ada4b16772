import type { LegacyJob, LoadResult } from './jobs.js';
import { runLoad } from './run-load.js';

/** Each connection sends its next request as soon as it has an answer. Every answer is compared. */
export function legacyLoad({ login, request, answer, ...job }: LegacyJob): Promise<LoadResult> {
  return runLoad(
    { ...job, request, answer },
    (connection, again, window) => {
      let begun = 0;
      const answered = (frame: string) => {
        if (frame !== answer) throw new Error(`another answer than expected: ${JSON.stringify(frame)}`);
        window.count(begun, begun);
        if (again()) ask();
      };
      const ask = () => {
        begun = performance.now();
        connection.ask(request, answered);
      };
      if (login === undefined) ask();
      else connection.ask(login, ask);
    },
    (answered) => new LegacyReader(answered),
  );
}

const binaryStart = '\x02\x02\x02\x02';
const headBytes = 8;

/** Splits what a connection receives into frames of the legacy protocol, text or binary. Latin-1 throughout. */
export class LegacyReader {
  readonly #answered: (frame: string) => void;
  #rest = '';

  constructor(answered: (frame: string) => void) {
    this.#answered = answered;
  }

  /** @throws Error for bytes that do not begin a frame. */
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

/** The length of the first frame; 0 while it is incomplete. */
function lengthOf(text: string): number {
  if (text === '') return 0;
  if (text[0] !== '\x02') throw new Error(`no frame: ${JSON.stringify(text.slice(0, 40))}`);
  if (!text.startsWith(binaryStart)) return text.indexOf('\x03') + 1;
  if (text.length < headBytes) return 0;
  const length = headBytes + Buffer.from(text.slice(4, headBytes), 'latin1').readUInt32BE() + 1;
  return text.length < length ? 0 : length;
}
