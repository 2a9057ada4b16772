import { ClientError, ResultError, Scanner, ScannerError, type ScannerOptions } from '@azimuth/client';
import {
  factoryPasswords,
  general,
  isLoginLevel,
  type Level,
  type LoginLevel,
  PasswordResult,
  reaches,
} from '@azimuth/model';
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';

/** State of the login. */
type LoginState =
  /** @property lost level of the login that the scanner no longer accepts; undefined after a logout */
  | { readonly kind: 'out'; readonly lost: LoginLevel | undefined }
  /** @property hasFactoryPassword true if the password is the public one of the factory */
  | { readonly kind: 'in'; readonly scanner: Scanner; readonly hasFactoryPassword: boolean };

const out: LoginState = { kind: 'out', lost: undefined };

/** The login at a scanner. The password stays in memory; with `keep`, until the tab is closed. */
export class Login {
  readonly #url: string;
  readonly #neededFor: (endpoint: string) => Level;
  readonly #state: Signal<LoginState> = signal(out);
  /** The client of the login; undefined without a login. */
  readonly scanner: ReadonlySignal<Scanner | undefined> = computed(() => {
    const state = this.#state.value;
    return state.kind === 'in' ? state.scanner : undefined;
  });
  /** The level whose login the scanner no longer accepts; undefined if that did not happen since the last login. */
  readonly lost: ReadonlySignal<LoginLevel | undefined> = computed(() => {
    const state = this.#state.value;
    return state.kind === 'out' ? state.lost : undefined;
  });
  readonly #lock: LoginLock;

  /** @param neededFor the lowest level that may write a variable or call a method */
  constructor(url: string, neededFor: (endpoint: string) => Level) {
    this.#url = url;
    this.#neededFor = neededFor;
    this.#lock = new LoginLock(() => givesNoChallenge(new Scanner({ url })));
    const stored = sessionStorage.getItem(this.#key);
    if (stored !== null) void this.#restoreLogin(stored);
  }

  /** Reason why the scanner accepts no logins at present; undefined if it accepts them, as far as this page knows. */
  get locked(): ReadonlySignal<Locked | undefined> {
    return this.#lock.locked;
  }

  /** Checks whether the scanner accepts logins: any client may have locked them. */
  checkLock(): Promise<void> {
    return this.#lock.check(false);
  }

  /** The level that is logged in. */
  get level(): LoginLevel | undefined {
    return this.scanner.value?.user;
  }

  /** True if the password of the login was the public one of the factory. */
  get hasFactoryPassword(): boolean {
    const state = this.#state.value;
    return state.kind === 'in' && state.hasFactoryPassword;
  }

  /** True if the present login includes the rights of this level. */
  mayAs(level: Level): boolean {
    const held = this.level;
    return held !== undefined && reaches(held, level);
  }

  /**
   * Logs in, if the scanner accepts the password.
   * @param keep true to store the password until the tab is closed
   * @throws ClientError; ScannerError with status 4 for a wrong password, a disabled level, or locked logins
   */
  async enter(level: LoginLevel, password: string, keep: boolean): Promise<void> {
    const options = { url: this.#url, user: level, password };
    try {
      await new Scanner(options).call('checkCredentials');
    } catch (error) {
      // This failure may be the one that locks the logins.
      if (isDenied(error)) await this.#lock.check(error.endpoint !== challenge);
      throw error;
    }
    this.#state.value = {
      kind: 'in',
      scanner: new LoggedInScanner(options, (error) => this.#denied(error)),
      hasFactoryPassword: password === factoryPasswords[level],
    };
    if (keep) this.#keep(level, password);
    else sessionStorage.removeItem(this.#key);
  }

  /**
   * Sets the password of a level. The old password is the proof, so no login is needed.
   * @throws ClientError; ResultError if the scanner refuses it
   */
  async changePassword(level: LoginLevel, oldPassword: string, newPassword: string): Promise<void> {
    const scanner = this.scanner.peek() ?? new Scanner({ url: this.#url });
    try {
      await scanner.changePassword(level, oldPassword, newPassword);
    } catch (error) {
      if (error instanceof ResultError) await this.#lock.check(error.result === PasswordResult.NOT_ACCEPTED);
      throw error;
    }
    const state = this.#state.peek();
    if (state.kind !== 'in' || level !== state.scanner.user) return;
    this.#state.value = { ...state, hasFactoryPassword: newPassword === factoryPasswords[level] };
    if (sessionStorage.getItem(this.#key) !== null) this.#keep(level, newPassword);
  }

  leave(): void {
    sessionStorage.removeItem(this.#key);
    this.#state.value = out;
  }

  /**
   * The scanner has refused something for the login. If it gives no challenge, logins are locked, and the login may be right.
   * If the level is too low, the login is right. Otherwise the password was changed, or the level was switched off.
   */
  #denied(error: ScannerError): void {
    if (error.endpoint === challenge) {
      void this.#lock.check(false);
      return;
    }
    const { level } = this;
    if (level === undefined || !reaches(level, this.#neededFor(error.endpoint))) return;
    this.leave();
    this.#state.value = { kind: 'out', lost: level };
  }

  get #key(): string {
    return `login ${this.#url}`;
  }

  #keep(level: LoginLevel, password: string): void {
    sessionStorage.setItem(this.#key, JSON.stringify({ level, password }));
  }

  async #restoreLogin(stored: string): Promise<void> {
    const { level = '', password = '' }: { level?: string; password?: string } = JSON.parse(stored);
    if (!isLoginLevel(level)) return;
    try {
      await this.enter(level, password, true);
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      // The password was changed meanwhile, or the scanner does not answer: the person logs in again.
      sessionStorage.removeItem(this.#key);
    }
  }
}

const challenge = general.members.getChallenge.name;

function isDenied(error: unknown): error is ScannerError {
  return error instanceof ScannerError && error.statusName === 'accessDenied';
}

/**
 * True if a scanner refuses to send a challenge, as it does while logins are locked.
 * @throws ClientError if it cannot tell
 */
async function givesNoChallenge(scanner: Scanner): Promise<boolean> {
  try {
    await scanner.call('getChallenge', { user: 'Service' });
    return false;
  } catch (error) {
    if (isDenied(error)) return true;
    throw error;
  }
}

/** A client with a login. It reports each refusal of the login. */
class LoggedInScanner extends Scanner {
  readonly #denied: (error: ScannerError) => void;

  /** @param denied called with each refusal for the login, before the caller gets it */
  constructor(options: ScannerOptions, denied: (error: ScannerError) => void) {
    super(options);
    this.#denied = denied;
  }

  override writeAny(name: string, value: unknown): Promise<void> {
    return this.#watched(super.writeAny(name, value));
  }

  override callAny(...call: Parameters<Scanner['callAny']>): Promise<unknown> {
    return this.#watched(super.callAny(...call));
  }

  async #watched<T>(act: Promise<T>): Promise<T> {
    try {
      return await act;
    } catch (error) {
      if (error instanceof ScannerError && error.statusName === 'accessDenied') this.#denied(error);
      throw error;
    }
  }
}

/** Duration of a lock in s. Five failed logins, by any client, lock all logins (specification, Limits). */
const lockSeconds = 30;
/** ms between two checks of the lock. */
const checkInterval = 2000;

/** A lock of logins. */
interface Locked {
  /** The latest end of the lock, in ms by performance.now(). A scanner does not show when it began. */
  readonly until: number;
  /** True if a failed login of this page caused the lock. Otherwise, it began before it was noticed. */
  readonly byThisPage: boolean;
}

/** The lock of logins at a scanner. While logins are locked, the scanner is checked repeatedly. */
export class LoginLock {
  readonly #isLocked: () => Promise<boolean>;
  readonly #locked: Signal<Locked | undefined> = signal(undefined);
  /** Undefined while the scanner accepts logins, as far as it is known. */
  readonly locked: ReadonlySignal<Locked | undefined> = this.#locked;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param isLocked resolves with true if the scanner sends no challenge; rejects if that cannot be known now */
  constructor(isLocked: () => Promise<boolean>) {
    this.#isLocked = isLocked;
  }

  /** Checks the scanner. Resolves when the scanner has answered. */
  async check(byThisPage: boolean): Promise<void> {
    clearTimeout(this.#timer);
    let isLocked: boolean;
    try {
      isLocked = await this.#isLocked();
    } catch {
      // It does not answer: the lock counts down as far as it is known.
      isLocked = this.#locked.peek() !== undefined;
    }
    clearTimeout(this.#timer);
    const known = this.#locked.peek();
    if (!isLocked) this.#locked.value = undefined;
    else {
      this.#locked.value = known ?? { until: performance.now() + 1000 * lockSeconds, byThisPage };
      this.#timer = setTimeout(() => void this.check(byThisPage), checkInterval);
    }
  }
}
