import {
  type LegacyAddress,
  LegacyError,
  LegacyScanner,
  legacyAddress,
  legacyUrl,
} from '@azimuth/client/legacy';
import { extensionPrefix } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';
import { urlOf, userOf } from '../connection.js';
import type { DeviceOptions } from '../options.js';
import { passwordFor } from '../password.js';
import type { NamedCalls, NamedScanner } from './named-scanner.js';

/** Does something to a scanner over one connection of the legacy protocol, and closes it. */
export async function withLegacyScanner<T>(
  options: DeviceOptions,
  act: (scanner: NamedScanner) => Promise<T>,
): Promise<T> {
  const address = addressOf(options);
  const user = userOf(options);
  const connection = await LegacyScanner.connect(address);
  const calls: NamedCalls = {
    readAny: async (name) => connection.readAny(served(name)),
    writeAny: async (name, value) => connection.writeAny(served(name), value),
    callAny: (name, request) => connection.callAny(name, request),
    rebooted: () => connection.rebooted(),
  };
  try {
    return await act({
      ...calls,
      loggedIn: async () => {
        await connection.login(user, await passwordFor(user, legacyUrl(address), options));
        return calls;
      },
      lacks: (error) => error instanceof LegacyError && error.errorName === 'unknownVariable',
    });
  } finally {
    connection.close();
  }
}

/** The name, which the legacy protocol has to know. @throws CommandFailure for what stands beside the specification. */
function served(name: string): string {
  if (!name.startsWith(extensionPrefix)) return name;
  throw new CommandFailure(`${name} needs http:// or https://: the legacy protocol has no extensions`);
}

function addressOf(options: DeviceOptions): LegacyAddress {
  try {
    return legacyAddress(urlOf(options));
  } catch (error) {
    if (error instanceof TypeError) throw new CommandFailure(error.message);
    throw error;
  }
}
