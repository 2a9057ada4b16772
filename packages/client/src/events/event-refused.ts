import { ClientError } from '../errors.js';

/** The scanner does not register an event: its release or variant has none of this name. */
export class EventRefusedError extends ClientError {
  override readonly name = 'EventRefusedError';

  /** @param detail the reason that the scanner gives; empty if it gives none */
  constructor(
    readonly event: string,
    readonly status: number,
    readonly detail: string,
  ) {
    super(`${event}: the scanner has no such event (${status})${detail === '' ? '' : ` – ${detail}`}`);
  }
}
