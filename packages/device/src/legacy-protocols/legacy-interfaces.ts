import {
  isLoginLevel,
  type Level,
  type LoginLevel,
  legacyProtocols,
  levelOfNumber,
  Refusal,
} from '@azimuth/model';
import { Logins } from '../access/access.js';
import type { CredentialStore } from '../access/credential-store.js';
import type { Credential } from '../access/credentials.js';
import type { Feature } from '../feature.js';
import type { ContainedHardware } from '../hardware/contained-hardware.js';
import type { Clock, Log } from '../interfaces/environment.js';
import type { Parameters } from '../parameters/parameters.js';

/** The parts of a device for logins. */
interface Scanner {
  readonly clock: Clock;
  readonly hardware: Pick<ContainedHardware, 'log'>;
  readonly credentials: Pick<CredentialStore, 'content' | 'isLegacy' | 'locked'>;
  readonly state: { readonly content: { readonly legacyUserLevels: Readonly<Record<LoginLevel, boolean>> } };
}

/**
 * Logins of the legacy protocol. They have their own passwords and enabled levels (EnableLegacyUserLevel). They also
 * have their own lockout with the same rule: a driver that repeats an old password must not lock the web page out.
 */
export class LegacyAccess extends Logins {
  readonly #scanner: Scanner;

  constructor(scanner: Scanner) {
    super(scanner.clock, 'legacy');
    this.#scanner = scanner;
  }

  /**
   * Logs in by level number (0 to 4) and password hash. Run accepts any hash. Undefined if refused. A wrong hash counts
   * as a failed login. Three refusals do not change the count: for a disabled level, for a level without a password,
   * and for any level while logins are locked or the credentials cannot be read.
   */
  login(number: number, hash: number, log: Log = this.#scanner.hardware.log): Level | undefined {
    if (this.lockout.locked || this.#scanner.credentials.locked) return undefined;
    const level = levelOfNumber(number);
    if (level === 'Run') return level;
    if (level === undefined || !isLoginLevel(level)) return undefined;
    // Compares for a disabled level, too, so that the time of the response reveals nothing.
    const right = this.#scanner.credentials.isLegacy(level, hash);
    if (!this.#isEnabled(level)) {
      this.triedDisabled(level, log);
      return undefined;
    }
    if (!right) {
      this.loginFailed(level, log);
      return undefined;
    }
    this.loginSucceeded(level);
    return level;
  }

  /** The password of a login that has just succeeded at this level. Undefined if the level needs none. */
  passwordOf(level: Level): Credential | undefined {
    return isLoginLevel(level) ? this.#scanner.credentials.content.legacy[level] : undefined;
  }

  /**
   * The rights of a session that has logged in at this level. They fall to Run once the level is disabled or its
   * password has changed.
   * @param password that of `passwordOf` at its login
   */
  rights(level: Level, password: Credential | undefined): Level {
    if (!isLoginLevel(level)) return level;
    return this.#isEnabled(level) && this.passwordOf(level) === password ? level : 'Run';
  }

  #isEnabled(level: LoginLevel): boolean {
    return this.#scanner.state.content.legacyUserLevels[level];
  }
}

const { EtherAuxIPPort, EtherHostIPPort } = legacyProtocols.members;

export interface LegacyInterfaces extends Feature {
  readonly access: LegacyAccess;
}

/**
 * The logins and the ports. A change that gives both interfaces the same port is refused. The server opens the ports.
 */
export function legacyInterfaces(options: Scanner & { readonly parameters: Parameters }): LegacyInterfaces {
  const { parameters } = options;
  parameters.onChanging([EtherAuxIPPort, EtherHostIPPort], (change) => {
    if (change.read(EtherAuxIPPort) !== change.read(EtherHostIPPort)) return;
    const { name } = change.touches([EtherAuxIPPort]) ? EtherAuxIPPort : EtherHostIPPort;
    throw new Refusal('outOfRange', name, 'interface A and interface B need different ports');
  });
  const access = new LegacyAccess(options);
  return { access, remember: () => access.lockout.remember() };
}
