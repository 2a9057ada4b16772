import { eventsSince } from '@azimuth/model';
import { ClientError } from '../errors.js';

/** The scanner pushes no events. */
export class NoEventsError extends ClientError {
  override readonly name = 'NoEventsError';

  /**
   * @param olderVersion the firmware, where it is one from before there were events
   * @param answer what came in place of a WebSocket: `HTTP 404`
   */
  constructor(
    readonly url: string,
    readonly olderVersion: string | undefined,
    answer: string,
  ) {
    super(
      olderVersion === undefined
        ? `${url} has no events: it answered ${answer} (they need release ${eventsSince} or newer, and nothing on the way that stops WebSockets)`
        : `${url} has no events: they need release ${eventsSince} or newer, this scanner runs ${olderVersion}`,
    );
  }
}

/** The scanner does not register an event: its release or variant has none of this name. */
export class EventRefusedError extends ClientError {
  override readonly name = 'EventRefusedError';

  /** @param detail why, in the scanner's words; empty where it says nothing */
  constructor(
    readonly event: string,
    readonly status: number,
    readonly detail: string,
  ) {
    super(`${event}: the scanner has no such event (${status})${detail === '' ? '' : ` – ${detail}`}`);
  }
}
