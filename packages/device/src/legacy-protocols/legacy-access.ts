import { isLoginLevel, type Level, type LoginLevel, levelOfNumber } from '@azimuth/model';
import type { CredentialStore } from '../access/credential-store.js';
import { Lockout } from '../access/lockout.js';
import type { Clock } from '../ports/clock.js';
import type { Host, Log } from '../ports/host.js';
import { Tally } from '../tally.js';

/** What it takes of a scanner. */
interface Scanner {
  readonly clock: Clock;
  readonly host: Pick<Host, 'log'>;
  readonly credentials: Pick<CredentialStore, 'isLegacy'>;
  readonly state: { readonly content: { readonly legacyUserLevels: Readonly<Record<LoginLevel, boolean>> } };
}

/**
 * Who may in over the legacy protocol: its own passwords, its own switches of user levels (EnableLegacyUserLevel), and a
 * lock of its own, which neither counts nor minds what goes on over REST.
 */
export class LegacyAccess {
  readonly #scanner: Scanner;
  readonly lockout: Lockout;
  /** Logins that succeeded and failed, by user level. */
  readonly succeeded = new Tally<LoginLevel>();
  readonly failed = new Tally<LoginLevel>();

  constructor(scanner: Scanner) {
    this.#scanner = scanner;
    this.lockout = new Lockout(scanner.clock);
  }

  /**
   * A login by level number (0 to 4) and password hash; Run takes any hash. Undefined where it is refused: a wrong hash,
   * which counts as a failed login, a level that is switched off or has no password, and any level while logins are
   * locked, which do not. The right hash of a level that is switched off does not end a row of failures either: else a
   * password that everybody knows would let others be guessed without end.
   */
  login(number: number, hash: number, log: Log = this.#scanner.host.log): Level | undefined {
    if (this.lockout.locked) return undefined;
    const level = levelOfNumber(number);
    if (level === 'Run') return level;
    if (level === undefined || !isLoginLevel(level)) return undefined;
    if (!this.#scanner.credentials.isLegacy(level, hash)) {
      this.lockout.failed();
      this.failed.add(level);
      log.warn('A legacy login failed', { userLevel: level, locked: this.lockout.locked });
      return undefined;
    }
    if (!this.#isEnabled(level)) return undefined;
    this.lockout.succeeded();
    this.succeeded.add(level);
    return level;
  }

  /** What is left of a level that was logged in to before: Run, once it is switched off. */
  rights(level: Level): Level {
    return isLoginLevel(level) && !this.#isEnabled(level) ? 'Run' : level;
  }

  #isEnabled(level: LoginLevel): boolean {
    return this.#scanner.state.content.legacyUserLevels[level];
  }
}
