import { ClientError } from '../errors.js';
import { type Channel, type ChannelContext, isWithoutWebSocket } from './open-channel.js';

/** What a scanner without an extension presumably lacks. */
export function extensionNeeds(path: string): string {
  return `${path} is an extension of Azimuth, and needs that no proxy stops WebSockets`;
}

/** The HTTP status with which a path for WebSockets answers a plain GET (RFC 9110, 15.5.22). */
const upgradeRequired = 426;

/**
 * A WebSocket under `/x/`, which scanners of other makers lack. Where the platform does not tell why a handshake has
 * failed, a plain GET shows whether the path exists.
 * @param path with a slash in front
 * @param missing the error for a scanner without it; `answer` is what came in place of a WebSocket: `HTTP 404`
 */
export function extensionChannel(
  path: string,
  missing: (url: string, answer: string) => ClientError,
): Channel {
  return {
    endpoint: path.slice(1),
    lacking: async (context, refusal) => {
      const httpStatus = refusal?.httpStatus ?? (await askedWithout(context, path));
      return httpStatus === undefined ? undefined : missing(context.url, `HTTP ${httpStatus}`);
    },
  };
}

/** The answer to a plain GET if it shows that no WebSocket is there. */
async function askedWithout({ httpStatusAt }: ChannelContext, path: string): Promise<number | undefined> {
  try {
    const httpStatus = await httpStatusAt(path);
    return httpStatus !== upgradeRequired && isWithoutWebSocket(httpStatus) ? httpStatus : undefined;
  } catch (error) {
    if (error instanceof ClientError) return undefined;
    throw error;
  }
}
