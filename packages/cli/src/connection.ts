import { Scanner, type ScannerOptions } from '@azimuth/client';
import { isLoginLevel, type LoginLevel, loginLevels } from '@azimuth/model';
import { CommandFailure } from './command-failure.js';
import type { DeviceOptions } from './options.js';
import { passwordFor } from './password.js';

/** The scanner that the options name, for what needs no login. */
export function scannerAt(options: DeviceOptions): Scanner {
  return scanner({ url: urlOf(options) });
}

/** The scanner that the options name, with the user level and password that they name or that somebody types. */
export async function scannerWithLogin(options: DeviceOptions): Promise<Scanner> {
  const url = urlOf(options);
  const user = userOf(options);
  scanner({ url, user }); // A wrong URL is told before anybody is asked for a password.
  return scanner({ url, user, password: await passwordFor(user, url, options) });
}

/** The URL that the options name, else the environment, else that of a scanner on this machine. */
export function urlOf({ device }: DeviceOptions): string {
  return device ?? given('AZIMUTH_DEVICE') ?? 'http://127.0.0.1:8080';
}

/** The user level that the options name, else the environment, else Service. */
export function userOf({ user }: DeviceOptions): LoginLevel {
  return loginLevelNamed(user ?? given('AZIMUTH_USER') ?? 'Service');
}

/** @throws CommandFailure for a name that no level has which can log in. */
export function loginLevelNamed(name: string): LoginLevel {
  if (isLoginLevel(name)) return name;
  throw new CommandFailure(`nobody logs in as "${name}": ${loginLevels.join(', ')} are the user levels`);
}

/** Is it the address of a legacy interface? Get, set and call use those, too. */
export function isLegacy(url: string): boolean {
  return /^colab?:/i.test(url);
}

/** A variable of the environment; one that is empty counts as not there. */
function given(name: string): string | undefined {
  return process.env[name] || undefined;
}

function scanner(options: ScannerOptions): Scanner {
  if (isLegacy(options.url)) {
    throw new CommandFailure(
      'this command needs http:// or https://: over the legacy protocol (cola://, colab://) there are get, set and call',
    );
  }
  try {
    return new Scanner(options);
  } catch (error) {
    if (error instanceof TypeError) throw new CommandFailure(error.message);
    throw error;
  }
}
