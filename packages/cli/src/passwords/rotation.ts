import { AnswerError, ResultError, Scanner, ScannerError } from '@azimuth/client';
import type { LoginLevel } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';
import { canLogIn, scannerAt } from '../scanners/connection.js';
import type { StoredPasswords } from '../scanners/password-store.js';
import type { Target } from '../scanners/target.js';
import { generatedPassword } from './generated-password.js';
import type { PasswordKeeper } from './password-keeper.js';

/** Gives scanners generated passwords. At any moment, what is kept has the password that is in force. */
export class PasswordRotation {
  readonly #keeper: PasswordKeeper;
  readonly #level: LoginLevel;

  constructor(keeper: PasswordKeeper, level: LoginLevel) {
    this.#keeper = keeper;
    this.#level = level;
  }

  /** Returns when the kept password was proven last, to recognize a later proof. */
  async provenAt({ label }: Target): Promise<string> {
    return (await this.#keeper.find(label, this.#level)).proven ?? 'never';
  }

  /** True if the password that was being set is in force, or was proven since. At most one login. */
  async isInForce(target: Target, provenBefore: unknown): Promise<boolean> {
    const { next, proven } = await this.#keeper.find(target.label, this.#level);
    if (next === undefined) return proven !== undefined && proven !== provenBefore;
    if (!(await this.#opens(target, next))) return false;
    await this.#keeper.prove(target.label, this.#level, next);
    return true;
  }

  /**
   * Sets a new password: keeps it and the old one, sets it, proves it by a login, and forgets the old one.
   * @throws CommandFailure if no known password is right, ClientError
   */
  async rotate(target: Target): Promise<void> {
    const { label } = target;
    const before = await this.#keeper.find(label, this.#level);
    const { next: pending } = before;
    if (pending !== undefined && (await this.#opens(target, pending))) {
      await this.#keeper.prove(label, this.#level, pending);
      return;
    }
    const old = await this.#passwordInForce(target, before);
    const next = generatedPassword();
    await this.#keeper.propose(label, this.#level, { password: old, next });
    try {
      await scannerAt(target).changePassword(this.#level, old, next);
    } catch (error) {
      // The scanner has answered that it changes nothing. Of any other failure, nobody knows.
      if (error instanceof ResultError || error instanceof ScannerError) {
        await this.#keeper.withdraw(label, this.#level, { ...before, password: old, next: undefined });
      }
      throw error;
    }
    if (!(await this.#opens(target, next))) {
      throw new AnswerError(
        target.url,
        'changePassword',
        'it accepted a password, and refuses the login with it',
      );
    }
    await this.#keeper.prove(label, this.#level, next);
  }

  /** Returns the kept password if it is right, else the one that the user has given. */
  async #passwordInForce(target: Target, { password }: StoredPasswords): Promise<string> {
    if (password !== undefined && (await this.#opens(target, password))) return password;
    const given = await target.passwordOf(this.#level);
    if (given !== password && (await this.#opens(target, given))) return given;
    throw new CommandFailure(
      `the known password of ${this.#level} is wrong, or the level is disabled. Nothing was changed on this scanner`,
      'denied',
    );
  }

  #opens({ url }: Target, password: string): Promise<boolean> {
    return canLogIn(new Scanner({ url, user: this.#level, password }));
  }
}
