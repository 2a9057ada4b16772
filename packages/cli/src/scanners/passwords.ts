import type { LoginLevel } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';
import { askPassword } from '../input/prompt.js';
import { readSecret } from '../input/secrets.js';
import type { Device } from './devices-content.js';

/** What a question is about: `http://192.168.0.1`, or `20 scanners`. */
type Place = () => string;

/**
 * The passwords of one command. Each file is read, each command run and each question asked once. Questions come one
 * after the other.
 */
export class Passwords {
  readonly #file: string | undefined;
  readonly #place: Place;
  readonly #found = new Map<string, Promise<string>>();
  #question: Promise<unknown> = Promise.resolve();

  /** @param file of `--password-file` */
  constructor(file: string | undefined, place: Place) {
    this.#file = file;
    this.#place = place;
  }

  /** The password of a level. @throws CommandFailure if there is none, Cancelled if the question is cancelled */
  async of(user: LoginLevel, device?: Device): Promise<string> {
    return (await this.known(user, device)) ?? this.#once(`asked ${user}`, () => this.#ask(user));
  }

  /**
   * The password of a level without a question: of `--password-file`, else of the device, else of AZIMUTH_PASSWORD. What
   * the devices file names belongs to the level that it names, and goes to no other scanner.
   */
  async known(user: LoginLevel, device?: Device): Promise<string | undefined> {
    const file = this.#file;
    if (file !== undefined) return this.#once(`file ${file}`, () => readSecret(file, 'password'));
    if (device !== undefined && user === (device.user ?? 'Service')) {
      const { passwordFile, passwordCommand, name } = device;
      if (passwordFile !== undefined) {
        return this.#once(`file ${passwordFile}`, () => readSecret(passwordFile, `password of ${name}`));
      }
      if (passwordCommand !== undefined) {
        return this.#once(`command ${JSON.stringify(passwordCommand)}`, async () => {
          const { passwordFromCommand } = await import('./password-command.js');
          return this.#inTurn(() => passwordFromCommand(passwordCommand, name));
        });
      }
    }
    return process.env.AZIMUTH_PASSWORD || undefined;
  }

  #once(key: string, find: () => Promise<string>): Promise<string> {
    const found = this.#found.get(key) ?? find();
    this.#found.set(key, found);
    return found;
  }

  async #ask(user: LoginLevel): Promise<string> {
    if (!process.stdin.isTTY) {
      throw new CommandFailure(
        `the password of ${user} is needed: give --password-file or AZIMUTH_PASSWORD (cannot ask for it without a terminal)`,
      );
    }
    return this.#inTurn(() =>
      askPassword(`Password of ${user} at ${this.#place()}: `, process.stdin, process.stderr),
    );
  }

  /** Commands may ask at the terminal, too. */
  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#question.then(act);
    this.#question = turn.catch(() => undefined);
    return turn;
  }
}
