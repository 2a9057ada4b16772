import {
  Fault,
  isLoginLevel,
  type Level,
  type LoginLevel,
  legacyProtocols,
  levelOfNumber,
} from '@azimuth/model';
import { Lockout, levelCounts } from '../access/access.js';
import type { CredentialStore } from '../access/credential-store.js';
import type { Feature } from '../feature.js';
import type { Clock } from '../interfaces/clock.js';
import type { Host } from '../interfaces/host.js';
import type { Log } from '../interfaces/log.js';
import type { Parameters } from '../parameters/parameters.js';

/** What it takes of a scanner. */
interface Scanner {
  readonly clock: Clock;
  readonly host: Pick<Host, 'log'>;
  readonly credentials: Pick<CredentialStore, 'isLegacy'>;
  readonly state: { readonly content: { readonly legacyUserLevels: Readonly<Record<LoginLevel, boolean>> } };
}

/**
 * Who may in over the legacy protocol: its own passwords, its own switches of user levels (EnableLegacyUserLevel), and a
 * lock of its own by the same rule, which neither counts nor minds what goes on over REST: a driver that logs in with an
 * old password again and again must not lock the web page out.
 */
export class LegacyAccess {
  readonly #scanner: Scanner;
  readonly lockout: Lockout;
  /** Logins that succeeded and failed, by user level. */
  readonly succeeded = levelCounts();
  readonly failed = levelCounts();
  /** Attempts at user levels that were disabled, right or wrong. */
  readonly disabled = levelCounts();

  constructor(scanner: Scanner) {
    this.#scanner = scanner;
    this.lockout = new Lockout(scanner.clock);
  }

  /**
   * A login by level number (0 to 4) and password hash; Run takes any hash. Undefined where it is refused: a wrong hash,
   * which counts as a failed login; a level that is switched off, right or wrong, a level that has no password, and any
   * level while logins are locked, which neither count nor end a count.
   */
  login(number: number, hash: number, log: Log = this.#scanner.host.log): Level | undefined {
    if (this.lockout.locked) return undefined;
    const level = levelOfNumber(number);
    if (level === 'Run') return level;
    if (level === undefined || !isLoginLevel(level)) return undefined;
    // Looked at for a level that is switched off, too: the time taken tells nothing.
    const right = this.#scanner.credentials.isLegacy(level, hash);
    if (!this.#isEnabled(level)) {
      this.#triedDisabled(level, log);
      return undefined;
    }
    if (!right) {
      this.lockout.failed(level);
      this.failed[level]++;
      log.warn('A legacy login failed', { userLevel: level, locked: this.lockout.locked });
      return undefined;
    }
    this.lockout.succeeded(level);
    this.succeeded[level]++;
    return level;
  }

  /** What is left of a level that was logged in to before: Run, once it is switched off. */
  rights(level: Level): Level {
    return isLoginLevel(level) && !this.#isEnabled(level) ? 'Run' : level;
  }

  /** Told once for each level, as no lock limits the rest. */
  #triedDisabled(level: LoginLevel, log: Log): void {
    if (this.disabled[level] === 0) {
      log.warn(
        'A legacy user level that is disabled was tried; further attempts are told in the metrics alone',
        {
          userLevel: level,
        },
      );
    }
    this.disabled[level]++;
  }

  #isEnabled(level: LoginLevel): boolean {
    return this.#scanner.state.content.legacyUserLevels[level];
  }
}

const { EtherAuxEnabled, EtherAuxIPPort, EtherHostIPPort } = legacyProtocols.members;

/** Whether and where the legacy interfaces listen. The wires follow. */
export function legacyInterfaces(parameters: Parameters): Feature {
  keepLegacyPortsApart(parameters);
  return { appliedParameters: [EtherAuxEnabled, EtherAuxIPPort, EtherHostIPPort] };
}

/** Refuses a change after which both legacy interfaces would want the same port. */
function keepLegacyPortsApart(parameters: Parameters): void {
  parameters.onChanging([EtherAuxIPPort, EtherHostIPPort], (change) => {
    if (change.read(EtherAuxIPPort) !== change.read(EtherHostIPPort)) return;
    const { name } = change.touches([EtherAuxIPPort]) ? EtherAuxIPPort : EtherHostIPPort;
    throw new Fault('outOfRange', name, 'interface A and interface B need different ports');
  });
}
