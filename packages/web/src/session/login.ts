import { ClientError, ResultError, Scanner, ScannerError } from '@azimuth/client';
import {
  factoryPasswords,
  general,
  isLoginLevel,
  type Level,
  type LoginLevel,
  PasswordResult,
  reaches,
} from '@azimuth/model';
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { LoggedInScanner } from './logged-in-scanner.js';
import { type Locked, LoginLock } from './login-lock.js';

/** Who is logged in at a scanner. The password stays in memory; with `keep`, until the tab is closed. */
export class Login {
  readonly #url: string;
  readonly #neededFor: (endpoint: string) => Level;
  readonly #scanner: Signal<Scanner | undefined> = signal(undefined);
  readonly #factoryPassword: Signal<boolean> = signal(false);
  readonly #lost: Signal<LoginLevel | undefined> = signal(undefined);
  readonly #lock: LoginLock;

  /** @param neededFor the lowest level that may write a variable or call a method */
  constructor(url: string, neededFor: (endpoint: string) => Level) {
    this.#url = url;
    this.#neededFor = neededFor;
    this.#lock = new LoginLock(() => givesNoChallenge(new Scanner({ url })));
    const kept = sessionStorage.getItem(this.#key);
    if (kept !== null) void this.#takeKept(kept);
  }

  /** A client that is logged in; undefined if nobody is. */
  get scanner(): ReadonlySignal<Scanner | undefined> {
    return this.#scanner;
  }

  /** Why the scanner takes no logins at present; undefined if it does, as far as this page knows. */
  get locked(): ReadonlySignal<Locked | undefined> {
    return this.#lock.locked;
  }

  /** The level whose login the scanner has ceased to accept; undefined if that did not happen since the last login. */
  get lost(): ReadonlySignal<LoginLevel | undefined> {
    return this.#lost;
  }

  /** Asks the scanner whether it takes logins: anybody may have locked them. */
  lookForLock(): Promise<void> {
    return this.#lock.look(false);
  }

  /** The level that is logged in. */
  get level(): LoginLevel | undefined {
    return this.#scanner.value?.user;
  }

  /** Was the password that is in use the public one of the factory? */
  get hasFactoryPassword(): boolean {
    return this.#factoryPassword.value;
  }

  /** Does the present login include the rights of this level? */
  mayAs(level: Level): boolean {
    const held = this.level;
    return held !== undefined && reaches(held, level);
  }

  /**
   * Logs in, if the scanner accepts the password.
   * @param keep whether the password is kept until the tab is closed
   * @throws ClientError; ScannerError with status 4 for a wrong password, a disabled level, or locked logins
   */
  async enter(level: LoginLevel, password: string, keep: boolean): Promise<void> {
    const options = { url: this.#url, user: level, password };
    try {
      await new Scanner(options).call('checkCredentials');
    } catch (error) {
      // Was it the failure that locks?
      if (isDenied(error)) await this.#lock.look(error.endpoint !== challenge);
      throw error;
    }
    this.#lost.value = undefined;
    this.#scanner.value = new LoggedInScanner(options, (error) => this.#denied(error));
    this.#factoryPassword.value = password === factoryPasswords[level];
    if (keep) this.#keep(level, password);
    else sessionStorage.removeItem(this.#key);
  }

  /**
   * Sets the password of a level. Its old password is the proof; nobody has to be logged in.
   * @throws ClientError; ResultError if the scanner refuses it
   */
  async changePassword(level: LoginLevel, oldPassword: string, newPassword: string): Promise<void> {
    const scanner = this.#scanner.peek() ?? new Scanner({ url: this.#url });
    try {
      await scanner.changePassword(level, oldPassword, newPassword);
    } catch (error) {
      if (error instanceof ResultError) await this.#lock.look(error.result === PasswordResult.NOT_ACCEPTED);
      throw error;
    }
    if (level !== this.level) return;
    this.#factoryPassword.value = newPassword === factoryPasswords[level];
    if (sessionStorage.getItem(this.#key) !== null) this.#keep(level, newPassword);
  }

  leave(): void {
    sessionStorage.removeItem(this.#key);
    this.#scanner.value = undefined;
    this.#factoryPassword.value = false;
    this.#lost.value = undefined;
  }

  /**
   * The scanner has refused something for the login. If it gives no challenge, logins are locked, and the login may be right.
   * If the level is too low, the login is right. Otherwise the password was changed, or the level was switched off.
   */
  #denied(error: ScannerError): void {
    if (error.endpoint === challenge) {
      void this.#lock.look(false);
      return;
    }
    const { level } = this;
    if (level === undefined || !reaches(level, this.#neededFor(error.endpoint))) return;
    this.leave();
    this.#lost.value = level;
  }

  get #key(): string {
    return `login ${this.#url}`;
  }

  #keep(level: LoginLevel, password: string): void {
    sessionStorage.setItem(this.#key, JSON.stringify({ level, password }));
  }

  async #takeKept(kept: string): Promise<void> {
    const { level = '', password = '' }: { level?: string; password?: string } = JSON.parse(kept);
    if (!isLoginLevel(level)) return;
    try {
      await this.enter(level, password, true);
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      // The password was changed meanwhile. A scanner that is gone is asked again when somebody logs in.
      sessionStorage.removeItem(this.#key);
    }
  }
}

const challenge = general.members.getChallenge.name;

function isDenied(error: unknown): error is ScannerError {
  return error instanceof ScannerError && error.statusName === 'accessDenied';
}

/** Does a scanner refuse to give a challenge, as it does while logins are locked? @throws ClientError if it cannot tell */
async function givesNoChallenge(scanner: Scanner): Promise<boolean> {
  try {
    await scanner.call('getChallenge', { user: 'Service' });
    return false;
  } catch (error) {
    if (isDenied(error)) return true;
    throw error;
  }
}
