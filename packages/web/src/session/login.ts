import { ClientError, ResultError, Scanner, ScannerError } from '@azimuth/client';
import {
  factoryPasswords,
  isLoginLevel,
  type Level,
  type LoginLevel,
  PasswordResult,
  reaches,
} from '@azimuth/model';
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';

/** After so many failed logins, a scanner refuses all logins for a while (s). */
const failuresUntilLock = 5;
const lockSeconds = 30;

/** Who is logged in at a scanner. The password stays in memory; with `keep`, until the tab is closed. */
export class Login {
  readonly #url: string;
  readonly #scanner: Signal<Scanner | undefined> = signal(undefined);
  readonly #lockedUntil: Signal<number | undefined> = signal(undefined);
  readonly #factoryPassword: Signal<boolean> = signal(false);
  #failures = 0;

  constructor(url: string) {
    this.#url = url;
    const kept = sessionStorage.getItem(this.#key);
    if (kept !== null) void this.#takeKept(kept);
  }

  /** A client that is logged in; undefined if nobody is. */
  get scanner(): ReadonlySignal<Scanner | undefined> {
    return this.#scanner;
  }

  /** When (ms, performance.now()) the scanner takes logins again, as far as this page can know; undefined if it does. */
  get lockedUntil(): ReadonlySignal<number | undefined> {
    return this.#lockedUntil;
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
    const scanner = new Scanner({ url: this.#url, user: level, password });
    try {
      await scanner.call('checkCredentials');
    } catch (error) {
      if (error instanceof ScannerError && error.statusName === 'accessDenied') this.#failed();
      throw error;
    }
    this.#failures = 0;
    this.#lockedUntil.value = undefined;
    this.#scanner.value = scanner;
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
      if (error instanceof ResultError && error.result === PasswordResult.NOT_ACCEPTED) this.#failed();
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
  }

  get #key(): string {
    return `login ${this.#url}`;
  }

  #keep(level: LoginLevel, password: string): void {
    sessionStorage.setItem(this.#key, JSON.stringify({ level, password }));
  }

  #failed(): void {
    this.#failures++;
    if (this.#failures < failuresUntilLock) return;
    this.#failures = 0;
    this.#lockedUntil.value = performance.now() + 1000 * lockSeconds;
    setTimeout(() => {
      this.#lockedUntil.value = undefined;
    }, 1000 * lockSeconds);
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
