import { Scanner, ScannerError } from '@azimuth/client';
import { factoryPasswords, type LoginLevel, loginLevels } from '@azimuth/model';
import { canLogIn } from '../scanners/connection.js';
import type { Target } from '../scanners/target.js';
import type { LoginResult, Logins } from './observation.js';

interface GivenLogin {
  readonly level: LoginLevel;
  readonly password: string;
}

/** The logins to try. */
interface WantedLogins {
  /** The password from the user; undefined if it is not to be tried. */
  readonly given?: GivenLogin;
  /** True if the factory passwords are to be tried. */
  readonly factory: boolean;
}

/** Tries to log in once. A wrong password counts as a failed login; five in a row lock all logins for 30 s. */
export type Attempt = (level: LoginLevel, password: string) => Promise<LoginResult>;

/**
 * Tries logins so that never two in a row fail: after each failure, a password that is known to be right resets the
 * count. Without such a password, the first failure is the last attempt.
 */
export async function triedLogins({ given, factory }: WantedLogins, attempt: Attempt): Promise<Logins> {
  let right: GivenLogin | undefined;
  let hasFailed = false;
  const attempted = async (login: GivenLogin): Promise<LoginResult> => {
    const result = await attempt(login.level, login.password);
    hasFailed = result === 'denied';
    if (result === 'in') right ??= login;
    return result;
  };
  const results = new Map<LoginLevel, LoginResult>();
  const own = { given: given && (await ofGiven(given, attempted)) };
  if (!factory) return { ...own, factory: results };
  for (const level of loginLevels.toReversed()) {
    const login = { level, password: factoryPasswords[level] };
    if (own.given?.level === level && own.given.isFactory) {
      results.set(level, own.given.result);
      continue;
    }
    if (hasFailed && right !== undefined) await attempted(right);
    if (hasFailed) return { ...own, factory: results, stopped: oneHasFailed };
    const result = await attempted(login);
    results.set(level, result);
    if (result === 'locked') return { ...own, factory: results, stopped: 'logins are locked' };
  }
  if (hasFailed && right !== undefined) await attempted(right);
  return { ...own, factory: results };
}

const oneHasFailed =
  'a password was wrong, and none is known that is right, so no more were tried: --login with the right password of Service';

async function ofGiven(given: GivenLogin, attempted: (login: GivenLogin) => Promise<LoginResult>) {
  const { level, password } = given;
  return { level, result: await attempted(given), isFactory: password === factoryPasswords[level] };
}

/** Logins requested on the command line. */
export interface WantedAttempts {
  readonly login?: boolean;
  readonly tryFactoryPasswords?: boolean;
}

/** Tries the requested logins; undefined if none was requested. */
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
    const requested = { factory: tryFactoryPasswords, given };
    return triedLogins(requested, (user, password) => attempt(new Scanner({ url, user, password })));
  };
}

async function attempt(scanner: Scanner): Promise<LoginResult> {
  try {
    return (await canLogIn(scanner)) ? 'in' : 'denied';
  } catch (error) {
    if (error instanceof ScannerError && error.statusName === 'accessDenied') return 'locked';
    throw error;
  }
}
