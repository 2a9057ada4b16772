import { stat } from 'node:fs/promises';
import { type Document, isMap } from 'yaml';
import { CommandFailure } from '../command-failure.js';
import { maxFileBytes, readTextFileIfExists } from '../input/bounded-file.js';
import { replaceFile } from '../transfers/replaced-file.js';
import { YamlFile } from '../yaml/yaml-file.js';
import { devicesPath } from './device-names.js';
import { type DevicesContent, devicesIn } from './devices-content.js';

/** The members that `devices add` writes, as in the file. */
interface DeviceEntry {
  readonly url: string;
  readonly user?: string;
  readonly 'password-file'?: string;
  readonly 'password-command'?: string;
  readonly serial?: string | undefined;
}

/** The file with the names of scanners. Changes keep its comments. */
export class DevicesFile {
  readonly path: string;
  readonly content: DevicesContent;
  readonly #document: Document;

  private constructor(path: string, document: Document, content: DevicesContent) {
    this.path = path;
    this.#document = document;
    this.content = content;
  }

  /**
   * Reads the file; a missing one is empty.
   * @throws CommandFailure if it cannot be read, or is invalid
   */
  static async read(path = devicesPath()): Promise<DevicesFile> {
    const yaml = new YamlFile(
      path,
      (await readTextFileIfExists(path, { limit: maxFileBytes.devices })) ?? '',
    );
    yaml.throwMistakes();
    const content = devicesIn(yaml);
    if (content.devices.some(({ passwordCommand }) => passwordCommand !== undefined)) {
      await refuseWritableByOthers(path);
    }
    return new DevicesFile(path, yaml.document, content);
  }

  /** Adds a device, or replaces it. */
  setDevice(name: string, entry: DeviceEntry): void {
    this.#setIn(['devices', name], entry);
  }

  /** Gives a device another URL. What else the file says about it stays. */
  moveDevice(name: string, { url, serial }: Pick<DeviceEntry, 'url' | 'serial'>): void {
    this.#document.setIn(['devices', name, 'url'], url);
    if (serial !== undefined) this.#document.setIn(['devices', name, 'serial'], serial);
  }

  /** Removes a device, also from the groups that list it. */
  removeDevice(name: string): void {
    this.#document.deleteIn(['devices', name]);
    for (const [group, members] of this.content.groups) {
      // From the end: each deletion moves the later items.
      for (const [index, member] of [...members.entries()].toReversed()) {
        if (member === name) this.#document.deleteIn(['groups', group, index]);
      }
    }
  }

  /** Names the file with the passwords of all devices. */
  setPasswords(path: string): void {
    if (!isMap(this.#document.contents)) this.#document.contents = this.#document.createNode({});
    this.#document.set('passwords', path);
  }

  /** Replaces where the password of a device comes from; without a command, the device has none of its own. */
  setPasswordCommand(name: string, command: string | undefined): void {
    for (const member of ['password-file', 'password-command']) {
      this.#document.deleteIn(['devices', name, member]);
    }
    if (command !== undefined) this.#document.setIn(['devices', name, 'password-command'], command);
  }

  setGroup(name: string, members: readonly string[]): void {
    this.#setIn(['groups', name], members);
  }

  removeGroup(name: string): void {
    this.#document.deleteIn(['groups', name]);
  }

  /** Replaces the file at once, readable for its owner only. @throws CommandFailure */
  async write(): Promise<void> {
    await replaceFile(this.path, this.#document.toString({ lineWidth: 0 }));
  }

  #setIn(path: readonly [string, string], value: unknown): void {
    const [section] = path;
    if (!isMap(this.#document.contents)) this.#document.contents = this.#document.createNode({});
    if (!isMap(this.#document.get(section))) this.#document.set(section, this.#document.createNode({}));
    this.#document.setIn(path, this.#document.createNode(value));
  }
}

/** Refuses a file that others can write: they could run commands as its owner. */
async function refuseWritableByOthers(path: string): Promise<void> {
  const { mode } = await stat(path);
  if ((mode & 0o022) === 0) return;
  throw new CommandFailure(`${path} has password commands, and others may write to it: run chmod 600 on it`);
}
