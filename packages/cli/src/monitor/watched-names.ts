import { nearestName } from '@azimuth/wording';
import { CommandFailure } from '../command-failure.js';
import { groupOf } from '../scanners/device-group.js';
import { type DevicesContent, selectDevices } from '../scanners/devices-content.js';
import { DevicesFile } from '../scanners/devices-file.js';
import type { Target } from '../scanners/target.js';

/** The names of watched scanners, and what words such as `@hall-a` or `gate*` mean among them. */
export class WatchedNames {
  readonly #content: DevicesContent;

  private constructor(targets: readonly Target[], groups: DevicesContent['groups']) {
    this.#content = { devices: targets.map(({ label, url }) => ({ name: label, url })), groups };
  }

  /** @throws CommandFailure if the devices file is invalid */
  static async of(targets: readonly Target[]): Promise<WatchedNames> {
    const { content } = await DevicesFile.read();
    return new WatchedNames(targets, content.groups);
  }

  /** Returns the names of the scanners that a word means; none if it means no watched scanner. */
  named(word: string): ReadonlySet<string> {
    try {
      return new Set(selectDevices(word, this.#content, '').devices.map(({ name }) => name));
    } catch (error) {
      if (error instanceof CommandFailure) return new Set();
      throw error;
    }
  }

  /** Returns the group of a scanner; empty if it is in none. */
  groupOf({ name, url }: { readonly name: string; readonly url: string }): string {
    return groupOf({ label: name, url }, this.#content.groups);
  }

  /** Returns the message about a word that means no watched scanner. */
  unknown(word: string): string {
    const { devices, groups } = this.#content;
    const near = nearestName(word.replace(/^@/, ''), [...devices.map(({ name }) => name), ...groups.keys()]);
    return `no watched scanner is named by "${word}"${near === undefined ? '' : `; did you mean ${near}?`}`;
  }
}
