import type { ServerResponse } from 'node:http';
import { replyText, SharedLimit, sendBytes } from '@azimuth/server';

/** Bytes of all answers that their clients have not read yet. The list of 10,000 scanners has 4 MB. */
const mostUnread = 64 * 1024 * 1024;

/** Answers about a whole fleet while clients read them. Those who read the same one share its bytes. */
export class UnreadAnswers {
  readonly #unread = new SharedLimit(mostUnread);
  /** How many read each body. */
  readonly #readers = new Map<Buffer, number>();

  /** Sends a body, or HTTP 503 if there is no room for it. HEAD gets its length. */
  send(response: ServerResponse, mediaType: string, body: Buffer): void {
    if (response.req.method !== 'HEAD' && !this.#hold(response, body)) {
      response.setHeader('Retry-After', 1);
      replyText(response, 503, 'Too many clients have not read their answers yet.');
      return;
    }
    sendBytes(response, mediaType, body);
  }

  #hold(response: ServerResponse, body: Buffer): boolean {
    const before = this.#readers.get(body) ?? 0;
    if (before === 0 && !this.#unread.take(body.length)) return false;
    this.#readers.set(body, before + 1);
    response.once('close', () => this.#release(body));
    return true;
  }

  #release(body: Buffer): void {
    const left = (this.#readers.get(body) ?? 1) - 1;
    if (left > 0) {
      this.#readers.set(body, left);
      return;
    }
    this.#readers.delete(body);
    this.#unread.add(-body.length);
  }
}
