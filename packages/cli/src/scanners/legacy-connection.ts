import {
  type LegacyAddress,
  LegacyError,
  LegacyScanner,
  legacyAddress,
  legacyUrl,
} from '@azimuth/client/legacy';
import { extensionPrefix } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';
import { commandRecord } from '../log/command-record.js';
import type { Target } from './target.js';

/** The operations on a scanner by names, over REST and over the legacy protocol. */
interface NamedCalls {
  readAny(name: string): Promise<unknown>;
  writeAny(name: string, value: unknown): Promise<void>;
  callAny(name: string, request?: unknown): Promise<unknown>;
  /** Waits for the end of a reboot that was just requested. */
  rebooted(options: { readonly timeoutMs?: number }): Promise<void>;
}

/** A scanner without a login so far. */
export interface NamedScanner extends NamedCalls {
  /** A scanner with its user level and password. */
  loggedIn(): Promise<NamedCalls>;
  /** True if an error means that the scanner has no variable of this name. */
  lacks(error: unknown): boolean;
}

/** Runs an action with a scanner over one connection of the legacy protocol, and closes it. */
export async function withLegacyScanner<T>(
  target: Target,
  act: (scanner: NamedScanner) => Promise<T>,
): Promise<T> {
  const { url, user } = target;
  const address = parseLegacyAddress(url);
  const connection = await LegacyScanner.connect(address);
  const onPost = commandRecord.of(target);
  /** Records a write or a call as the client does it over REST. */
  const posting = async <R>(endpoint: string, post: () => Promise<R>): Promise<R> => {
    try {
      const answer = await post();
      onPost({ endpoint, answer });
      return answer;
    } catch (error) {
      onPost({ endpoint, error });
      throw error;
    }
  };
  const calls: NamedCalls = {
    readAny: async (name) => connection.readAny(served(name)),
    writeAny: (name, value) => posting(name, () => connection.writeAny(served(name), value)),
    callAny: (name, request) => posting(name, () => connection.callAny(name, request)),
    rebooted: (options) => connection.rebooted(options),
  };
  try {
    return await act({
      ...calls,
      loggedIn: async () => {
        await connection.login(user, await target.passwordOf(user));
        return calls;
      },
      lacks: (error) =>
        error instanceof NoExtensions ||
        (error instanceof LegacyError && error.errorName === 'unknownVariable'),
    });
  } finally {
    connection.close();
  }
}

/** A name that the legacy protocol does not have. */
class NoExtensions extends CommandFailure {}

/** Checks that the legacy protocol has this name. @throws NoExtensions for an extension */
function served(name: string): string {
  if (!name.startsWith(extensionPrefix)) return name;
  throw new NoExtensions(`${name} needs http:// or https://: the legacy protocol has no extensions`);
}

/** Returns the complete address: `cola://192.168.0.1:2111`. @throws CommandFailure for an invalid text */
export function checkedLegacyUrl(url: string): string {
  return legacyUrl(parseLegacyAddress(url));
}

/** @throws CommandFailure for a text that is not the address of a legacy interface */
function parseLegacyAddress(url: string): LegacyAddress {
  try {
    return legacyAddress(url);
  } catch (error) {
    if (error instanceof TypeError) throw new CommandFailure(error.message);
    throw error;
  }
}
