import { AnswerError, type Description, Scanner, ScannerError, type ScannerOptions } from '@azimuth/client';
import { extensionPrefix, isLoginLevel, type LoginLevel, loginLevels } from '@azimuth/model';
import { nearestName } from '@azimuth/wording';
import { CommandFailure } from '../command-failure.js';
import { commandRecord } from '../log/command-record.js';
import type { NamedScanner } from './legacy-connection.js';
import type { Target } from './target.js';

/** What the scanners of a command describe. Each of them is asked once. */
const descriptions = new WeakMap<Pick<Target, 'url'>, Description>();

/** The address of a scanner, and its name if it has one. */
type Addressed = Pick<Target, 'url'> & Partial<Pick<Target, 'label'>>;

/** A scanner without a login. */
export function scannerAt(target: Addressed): Scanner {
  const made = scanner({
    url: target.url,
    description: descriptions.get(target),
    onPost: commandRecord.of(target),
  });
  descriptions.set(target, made.description);
  return made;
}

/** Returns a scanner with a login. Asks for its password if it is not known. */
export async function scannerWithLogin(target: Target): Promise<Scanner> {
  const { url, user } = target;
  const { description } = scannerAt(target); // Reports a wrong URL before it asks for a password.
  const password = await target.passwordOf(user);
  return scanner({ url, user, description, password, onPost: commandRecord.of(target) });
}

/**
 * Logs in once. Returns false if the level is off or the password wrong: five such logins lock the scanner.
 * @throws ScannerError while logins are locked
 */
export async function canLogIn(scanner: Scanner): Promise<boolean> {
  try {
    await scanner.call('checkCredentials');
    return true;
  } catch (error) {
    const isDenied = error instanceof ScannerError && error.statusName === 'accessDenied';
    // A challenge is denied while logins are locked.
    if (isDenied && error.endpoint === 'checkCredentials') return false;
    throw error;
  }
}

/** Runs an action with a scanner over the protocol of its URL. */
export async function withNamedScanner<T>(
  target: Target,
  act: (scanner: NamedScanner) => Promise<T>,
): Promise<T> {
  if (!isLegacy(target.url)) return act(overRest(target));
  // Most commands use REST: they do not load the legacy protocol.
  const { withLegacyScanner } = await import('./legacy-connection.js');
  return withLegacyScanner(target, act);
}

function overRest(target: Target): NamedScanner {
  const scanner = scannerAt(target);
  return {
    readAny: (name) => scanner.readAny(name),
    writeAny: (name, value) => scanner.writeAny(name, value),
    callAny: (name, request) => scanner.callAny(name, request),
    rebooted: (options) => scanner.rebooted(options),
    loggedIn: () => scannerWithLogin(target),
    lacks: (error) =>
      (error instanceof ScannerError && error.statusName === 'notFound') ||
      // Real scanners have no extensions, and answer with a page of their own.
      (error instanceof AnswerError && error.endpoint.startsWith(extensionPrefix)),
  };
}

/** Parses a level. @throws CommandFailure for a name that is not a level for logins. */
export function loginLevelNamed(name: string): LoginLevel {
  if (isLoginLevel(name)) return name;
  const suggestion = nearestName(name, loginLevels);
  const question = suggestion === undefined ? '' : `; did you mean ${suggestion}?`;
  throw new CommandFailure(
    `expected one of the user levels ${loginLevels.join(', ')}, got "${name}"${question}`,
  );
}

/**
 * Returns one form for all texts with the same address of a scanner, over any protocol.
 * @throws CommandFailure for an invalid text
 */
export async function checkedUrl(url: string): Promise<string> {
  if (!isLegacy(url)) return scanner({ url }).url;
  const { checkedLegacyUrl } = await import('./legacy-connection.js');
  return checkedLegacyUrl(url);
}

/** True for the address of a legacy interface. Get, set and call use those, too. */
function isLegacy(url: string): boolean {
  return /^colab?:/i.test(url);
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
