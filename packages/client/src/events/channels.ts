import { eventsSince, isObject } from '@azimuth/model';
import { AnswerError, ClientError, plainRefusal } from '../errors.js';
import { endpoint } from './message.js';
import { type Channel, type ChannelContext, isWithoutWebSocket } from './open-channel.js';
import type { RefusedHandshake } from './socket.js';

/** The scanner has no events. */
export class NoEventsError extends ClientError {
  override readonly name = 'NoEventsError';

  /**
   * @param olderVersion the firmware version, if it is too old for events
   * @param answer the answer in place of a WebSocket: `HTTP 404`
   * @param needs the feature that the scanner presumably lacks
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

/** The events of the specification. The firmware version shows if a release lacks them. */
export const eventsChannel: Channel = {
  endpoint,
  missingError: async (context, refusal) => {
    const older = await olderVersion(context, refusal);
    if (refusal === undefined && older === undefined) return undefined;
    return new NoEventsError(context.url, older, `HTTP ${refusal?.httpStatus}`);
  },
};

/** Returns the firmware version if it is too old for events; undefined if it is not too old, or not known. */
async function olderVersion(
  { read }: ChannelContext,
  refusal: RefusedHandshake | undefined,
): Promise<string | undefined> {
  try {
    const ident = await read('DeviceIdent');
    const version = isObject(ident) ? ident.Version : undefined;
    return typeof version === 'string' && isOlder(version, eventsSince) ? version : undefined;
  } catch (error) {
    // Both answers were plain text with a reason. A scanner never answers so, but the port of a fleet does.
    const isOther =
      error instanceof AnswerError && refusal !== undefined && plainRefusal(refusal) !== undefined;
    if (isOther || !(error instanceof ClientError)) throw error;
    return undefined;
  }
}

/** True if a version such as `2.1.0.0R` is older than a release such as `2.3.1`. */
function isOlder(version: string, release: string): boolean {
  const numbers = /^(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number);
  if (numbers === undefined) return false;
  for (const [index, part] of release.split('.').map(Number).entries()) {
    const own = numbers[index] ?? 0;
    if (own !== part) return own < part;
  }
  return false;
}

/** Text that says what a scanner without an extension presumably lacks. */
export function extensionNeeds(path: string): string {
  return `${path} is an extension of Azimuth, and needs that no proxy stops WebSockets`;
}

/** The HTTP status with which a WebSocket path answers a plain GET (RFC 9110, 15.5.22). */
const upgradeRequired = 426;

/**
 * A WebSocket under `/x/`, which scanners of other makers lack. If the platform does not report why a handshake
 * failed, a plain GET shows if the path exists.
 * @param path with a slash in front
 * @param missing makes the error for a scanner without it; `answer` is the answer in place of a WebSocket: `HTTP 404`
 */
export function extensionChannel(
  path: string,
  missing: (url: string, answer: string) => ClientError,
): Channel {
  return {
    endpoint: path.slice(1),
    missingError: async (context, refusal) => {
      const httpStatus = refusal?.httpStatus ?? (await probeWithoutUpgrade(context, path));
      return httpStatus === undefined ? undefined : missing(context.url, `HTTP ${httpStatus}`);
    },
  };
}

/** Sends a plain GET; returns the HTTP status if it shows that there is no WebSocket. */
async function probeWithoutUpgrade(
  { httpStatusAt }: ChannelContext,
  path: string,
): Promise<number | undefined> {
  try {
    const httpStatus = await httpStatusAt(path);
    return httpStatus !== upgradeRequired && isWithoutWebSocket(httpStatus) ? httpStatus : undefined;
  } catch (error) {
    if (error instanceof ClientError) return undefined;
    throw error;
  }
}
