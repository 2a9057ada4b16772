import { Scanner, ScannerError } from '@azimuth/client';
import type { Target } from '../scanners/target.js';
import { type GivenLogin, triedLogins } from './logins.js';
import type { LoginResult, Logins } from './observation.js';

/** What is asked for on the command line. */
export interface WantedAttempts {
  readonly login?: boolean;
  readonly tryFactoryPasswords?: boolean;
}

/** Tries the logins that were asked for; undefined if none was. */
export function attemptsAt(
  target: Target,
  { login = false, tryFactoryPasswords = false }: WantedAttempts,
): (() => Promise<Logins>) | undefined {
  if (!login && !tryFactoryPasswords) return undefined;
  return async () => {
    const { user: level, url } = target;
    const given: GivenLogin | undefined = login
      ? { level, password: await target.passwordOf(level) }
      : undefined;
    const wanted = { factory: tryFactoryPasswords, given };
    return triedLogins(wanted, (user, password) => attempt(new Scanner({ url, user, password })));
  };
}

async function attempt(scanner: Scanner): Promise<LoginResult> {
  try {
    await scanner.call('checkCredentials');
    return 'in';
  } catch (error) {
    if (!(error instanceof ScannerError) || error.statusName !== 'accessDenied') throw error;
    return error.endpoint === 'getChallenge' ? 'locked' : 'denied';
  }
}
