import { ScannerError } from '@azimuth/client';
import { isLegacy, scannerAt, scannerWithLogin, urlOf } from '../connection.js';
import type { DeviceOptions } from '../options.js';

/** What can be done to a scanner by names, over REST as over the legacy protocol. */
export interface NamedCalls {
  readAny(name: string): Promise<unknown>;
  writeAny(name: string, value: unknown): Promise<void>;
  callAny(name: string, request?: unknown): Promise<unknown>;
  /** Waits out a reboot that was just asked for. */
  rebooted(): Promise<void>;
}

/** A scanner at which nobody has logged in yet. */
export interface NamedScanner extends NamedCalls {
  /** The same scanner, with the user level and password that the options name or that somebody types. */
  loggedIn(): Promise<NamedCalls>;
  /** Does an error tell that the scanner has no variable of this name? */
  lacks(error: unknown): boolean;
}

/** Does something to the scanner that the options name, over the protocol that its address stands for. */
export async function withNamedScanner<T>(
  options: DeviceOptions,
  act: (scanner: NamedScanner) => Promise<T>,
): Promise<T> {
  if (!isLegacy(urlOf(options))) return act(overRest(options));
  const { withLegacyScanner } = await import('./legacy-connection.js');
  return withLegacyScanner(options, act);
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
