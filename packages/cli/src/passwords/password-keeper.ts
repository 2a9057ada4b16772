import type { LoginLevel } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';
import { commandEnvironment, type PasswordStage } from '../scanners/command-environment.js';
import { passwordFromCommand, passwordToCommand } from '../scanners/password-command.js';
import { PasswordStore, type StoredPasswords } from '../scanners/password-store.js';

/** Keeps the passwords of scanners. What it is given is lasting when a promise resolves. */
export interface PasswordKeeper {
  find(scanner: string, level: LoginLevel): Promise<StoredPasswords>;
  /** Keeps a password that is to be set, and the one in force. @throws CommandFailure if it cannot be kept */
  propose(
    scanner: string,
    level: LoginLevel,
    passwords: Required<Pick<StoredPasswords, 'password' | 'next'>>,
  ): Promise<void>;
  /** Keeps a password that a login has proven. */
  prove(scanner: string, level: LoginLevel, password: string): Promise<void>;
  /** Takes a proposal back: the scanner has refused it. */
  withdraw(scanner: string, level: LoginLevel, before: StoredPasswords): Promise<void>;
}

/** Keeps passwords in a file that only its owner may read. */
export class FileKeeper implements PasswordKeeper {
  readonly #store: PasswordStore;

  constructor(path: string) {
    this.#store = new PasswordStore(path);
  }

  find(scanner: string, level: LoginLevel): Promise<StoredPasswords> {
    return this.#store.find(scanner, level);
  }

  async propose(scanner: string, level: LoginLevel, passwords: StoredPasswords): Promise<void> {
    const { proven } = await this.#store.find(scanner, level);
    await this.#store.store(scanner, level, { ...passwords, ...(proven === undefined ? {} : { proven }) });
  }

  prove(scanner: string, level: LoginLevel, password: string): Promise<void> {
    return this.#store.store(scanner, level, { password, proven: new Date().toISOString() });
  }

  withdraw(scanner: string, level: LoginLevel, before: StoredPasswords): Promise<void> {
    return this.#store.store(scanner, level, before);
  }
}

/** What is so if a command does not keep a password: at the second stage, the scanner has it already. */
const ifNotKept: Readonly<Record<PasswordStage, string>> = {
  next: 'Nothing was changed',
  password: 'The scanner has the new password, which was kept at the stage next; --resume goes on',
};

/** Gives passwords to a command of the user, and reads them by another one. */
export class CommandKeeper implements PasswordKeeper {
  readonly #store: string;
  readonly #show: string;

  /** @param store reads a password from its standard input. @param show prints it. Both know by their environment which one */
  constructor(store: string, show: string) {
    this.#store = store;
    this.#show = show;
  }

  async find(scanner: string, level: LoginLevel): Promise<StoredPasswords> {
    const password = await this.#shown(scanner, level, 'password');
    const next = await this.#shown(scanner, level, 'next');
    return next === password ? { password } : { password, next };
  }

  async propose(scanner: string, level: LoginLevel, { next = '' }: StoredPasswords): Promise<void> {
    await this.#keep(scanner, level, 'next', next);
  }

  prove(scanner: string, level: LoginLevel, password: string): Promise<void> {
    return this.#keep(scanner, level, 'password', password);
  }

  async withdraw(): Promise<void> {
    // The old password has a place of its own: the other one does not hurt.
  }

  async #keep(scanner: string, level: LoginLevel, stage: PasswordStage, password: string): Promise<void> {
    const meanwhile = ifNotKept[stage];
    await passwordToCommand(this.#store, password, commandEnvironment(scanner, level, stage), meanwhile);
    if ((await this.#shown(scanner, level, stage)) === password) return;
    throw new CommandFailure(
      `--show-command does not print what --store-command was given for ${scanner}, stage ${stage}: expected the same password. ${meanwhile}`,
      'refused',
    );
  }

  /** Returns what the command prints; undefined if it fails, as for a password that it does not have. */
  async #shown(scanner: string, level: LoginLevel, stage: PasswordStage): Promise<string | undefined> {
    try {
      return await passwordFromCommand(this.#show, scanner, commandEnvironment(scanner, level, stage));
    } catch (error) {
      if (error instanceof CommandFailure) return undefined;
      throw error;
    }
  }
}
