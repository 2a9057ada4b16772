import { Scanner, ScannerError, type ScannerOptions } from '@azimuth/client';
import { isLoginLevel, type LoginLevel, loginLevels } from '@azimuth/model';
import { CommandFailure } from './command-failure.js';
import type { NamedScanner } from './legacy-connection.js';
import type { DeviceOptions } from './options.js';
import { passwordFor } from './secrets.js';

/** The scanner that the options name, for what needs no login. */
export function scannerAt(options: DeviceOptions): Scanner {
  return scanner({ url: urlOf(options) });
}

/** The scanner and the user level that the options name, with the password of the options or the prompt. */
export async function scannerWithLogin(options: DeviceOptions): Promise<Scanner> {
  const url = urlOf(options);
  const user = userOf(options);
  scanner({ url, user }); // Reports a wrong URL before it asks for a password.
  return scanner({ url, user, password: await passwordFor(user, url, options) });
}

/** Does something to the scanner that the options name, over the protocol of its URL. */
export async function withNamedScanner<T>(
  options: DeviceOptions,
  act: (scanner: NamedScanner) => Promise<T>,
): Promise<T> {
  const url = urlOf(options);
  if (!isLegacy(url)) return act(overRest(options));
  // Most commands talk to a scanner over REST: they do not load the legacy protocol.
  const { withLegacyScanner } = await import('./legacy-connection.js');
  return withLegacyScanner(url, userOf(options), options, act);
}

function overRest(options: DeviceOptions): NamedScanner {
  const scanner = scannerAt(options);
  return {
    readAny: (name) => scanner.readAny(name),
    writeAny: (name, value) => scanner.writeAny(name, value),
    callAny: (name, request) => scanner.callAny(name, request),
    rebooted: () => scanner.rebooted(),
    loggedIn: () => scannerWithLogin(options),
    lacks: (error) => error instanceof ScannerError && error.statusName === 'notFound',
  };
}

/** The URL that the options name, else the environment, else that of a scanner on this machine. */
export function urlOf({ device }: DeviceOptions): string {
  return device ?? fromEnvironment('AZIMUTH_DEVICE') ?? 'http://127.0.0.1:8080';
}

/** The user level that the options name, else the environment, else Service. */
function userOf({ user }: DeviceOptions): LoginLevel {
  return loginLevelNamed(user ?? fromEnvironment('AZIMUTH_USER') ?? 'Service');
}

/** @throws CommandFailure for a name that no level has which can log in. */
export function loginLevelNamed(name: string): LoginLevel {
  if (isLoginLevel(name)) return name;
  throw new CommandFailure(`expected one of the user levels ${loginLevels.join(', ')}, got "${name}"`);
}

/** Is it the address of a legacy interface? Get, set and call use those, too. */
function isLegacy(url: string): boolean {
  return /^colab?:/i.test(url);
}

/** A variable of the environment; one that is empty counts as not there. */
function fromEnvironment(name: string): string | undefined {
  return process.env[name] || undefined;
}

function scanner(options: ScannerOptions): Scanner {
  if (isLegacy(options.url)) {
    throw new CommandFailure(
      'this command needs http:// or https://; only get, set and call work over the legacy protocol (cola://, colab://)',
    );
  }
  try {
    return new Scanner(options);
  } catch (error) {
    if (error instanceof TypeError) throw new CommandFailure(error.message);
    throw error;
  }
}
