import type { LoginLevel } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';
import { askPassword } from '../input/prompt.js';
import { readSecret } from '../input/secrets.js';
import { commandEnvironment, scannerOfCommand } from './command-environment.js';
import type { Device } from './devices-content.js';

/** The subject of a question: `http://192.168.0.1`, or `20 scanners`. */
type Place = () => string;

/**
 * The passwords of one command. Each file is read, each command run and each question asked once. Questions come one
 * after the other.
 */
export class Passwords {
  readonly #file: string | undefined;
  readonly #place: Place;
  readonly #passwords = new Map<string, Promise<string>>();
  #question: Promise<unknown> = Promise.resolve();

  /** @param file of `--password-file` */
  constructor(file: string | undefined, place: Place) {
    this.#file = file;
    this.#place = place;
  }

  /**
   * Returns the password of a level. @throws CommandFailure if there is none, Cancelled if the question is cancelled
   */
  async of(user: LoginLevel, device?: Device): Promise<string> {
    return (await this.known(user, device)) ?? this.#once(`asked ${user}`, () => this.#prompt(user));
  }

  /**
   * Returns the password of a level without a question: of `--password-file`, else of the device, else of the file with
   * the passwords of all devices, else of AZIMUTH_PASSWORD. A password in the devices file belongs to the level that the file names, and is sent to no other
   * scanner.
   */
  async known(user: LoginLevel, device?: Device): Promise<string | undefined> {
    const file = this.#file;
    if (file !== undefined) return this.#once(`file ${file}`, () => readSecret(file, 'password'));
    if (device === undefined) return process.env.AZIMUTH_PASSWORD || undefined;
    const { passwordFile, passwordCommand, passwords, name } = device;
    if (user === (device.user ?? 'Service')) {
      if (passwordFile !== undefined) {
        return this.#once(`file ${passwordFile}`, () => readSecret(passwordFile, `password of ${name}`));
      }
      if (passwordCommand !== undefined) {
        const command = JSON.stringify(passwordCommand);
        // A command that does not ask for which scanner it runs prints the same for all of them.
        const whose = command.includes(scannerOfCommand) ? name : 'all';
        return this.#once(`command ${command} ${whose}`, async () => {
          const { passwordFromCommand } = await import('./password-command.js');
          return this.#inTurn(() =>
            passwordFromCommand(passwordCommand, name, commandEnvironment(name, user)),
          );
        });
      }
    }
    if (passwords !== undefined) {
      const { storedPassword } = await import('./stored-password.js');
      const stored = await storedPassword(passwords, device, user);
      if (stored !== undefined) return stored;
    }
    return process.env.AZIMUTH_PASSWORD || undefined;
  }

  #once(key: string, find: () => Promise<string>): Promise<string> {
    const cached = this.#passwords.get(key) ?? find();
    this.#passwords.set(key, cached);
    return cached;
  }

  async #prompt(user: LoginLevel): Promise<string> {
    if (!process.stdin.isTTY) {
      throw new CommandFailure(
        `the password of ${user} is needed: give --password-file or AZIMUTH_PASSWORD (cannot ask for it without a terminal)`,
      );
    }
    return this.#inTurn(() =>
      askPassword(`Password of ${user} at ${this.#place()}: `, process.stdin, process.stderr),
    );
  }

  /** Acts after all earlier acts: only one question is open at a time, also of password commands. */
  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#question.then(act);
    this.#question = turn.catch(() => undefined);
    return turn;
  }
}
