import type { JsonBody } from './json-body.js';
import { pieceBytes } from './pieces.js';

/** Bodies that are made for each who asks, but kept once where they are large and say the same: many may wait. */
export class SameBody {
  #last: JsonBody | undefined;

  of(body: JsonBody): JsonBody {
    if (body.length <= pieceBytes) return body;
    if (this.#last?.text !== body.text) this.#last = body;
    return this.#last;
  }
}
