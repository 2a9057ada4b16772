import { eventsSince, isObject } from '@azimuth/model';
import { ClientError } from '../errors.js';
import { endpoint } from './message.js';
import type { Channel, ChannelContext } from './open-channel.js';

/** The scanner pushes no events. */
export class NoEventsError extends ClientError {
  override readonly name = 'NoEventsError';

  /**
   * @param olderVersion the firmware, if it is too old for events
   * @param answer what came in place of a WebSocket: `HTTP 404`
   * @param needs what is missing then, presumably
   */
  constructor(
    readonly url: string,
    readonly olderVersion: string | undefined,
    answer: string,
    needs = `events need release ${eventsSince} or newer, and no proxy that stops WebSockets`,
  ) {
    super(
      olderVersion === undefined
        ? `${url} has no events: it answered ${answer} (${needs})`
        : `${url} has no events: they need release ${eventsSince} or newer, this scanner runs ${olderVersion}`,
    );
  }
}

/** The events of the specification. Releases that lack them are told by their version. */
export const eventsChannel: Channel = {
  endpoint,
  lacking: async (context, refusal) => {
    const older = await olderVersion(context);
    if (refusal === undefined && older === undefined) return undefined;
    return new NoEventsError(context.url, older, `HTTP ${refusal?.httpStatus}`);
  },
};

/** The firmware of the scanner if it is too old for events; undefined if it is not, or not known. */
async function olderVersion({ read }: ChannelContext): Promise<string | undefined> {
  try {
    const ident = await read('DeviceIdent');
    const version = isObject(ident) ? ident.Version : undefined;
    return typeof version === 'string' && isOlder(version, eventsSince) ? version : undefined;
  } catch (error) {
    if (error instanceof ClientError) return undefined;
    throw error;
  }
}

/** Is `2.1.0.0R` older than `2.3.1`? */
function isOlder(version: string, release: string): boolean {
  const numbers = /^(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number);
  if (numbers === undefined) return false;
  for (const [index, part] of release.split('.').map(Number).entries()) {
    const own = numbers[index] ?? 0;
    if (own !== part) return own < part;
  }
  return false;
}
