import { stat } from 'node:fs/promises';
import { type LoginLevel, loginLevels } from '@azimuth/model';
import { stringify } from 'yaml';
import { z } from 'zod';
import { CommandFailure } from '../command-failure.js';
import { maxFileBytes, readTextFileIfExists } from '../input/bounded-file.js';
import { withFileLock } from '../locks/file-lock.js';
import { replaceFile } from '../transfers/replaced-file.js';
import { YamlFile } from '../yaml/yaml-file.js';
import { members, parsedNode, text } from '../yaml/yaml-form.js';

/** The passwords of one level of a scanner. */
export interface StoredPasswords {
  /** The password that is in force, or was before `next`. */
  readonly password?: string | undefined;
  /** A password that is being set: only a login tells whether it is in force. */
  readonly next?: string | undefined;
  /** When a login has proven `password`, in UTC. */
  readonly proven?: string | undefined;
}

const entryForm = members('expected password, next, proven', {
  password: text.optional(),
  next: text.optional(),
  proven: text.optional(),
});

const expected = 'expected scanners, each with its levels';
const storeForm = z.record(z.string(), z.partialRecord(z.enum(loginLevels), entryForm, { error: expected }), {
  error: expected,
});

type Content = z.output<typeof storeForm>;

const head = '# Passwords of scanners, written by azimuth password --generate. Keep this file secret.\n';

/** A file with the passwords of scanners, by their names and levels. Only its owner may read it. */
export class PasswordStore {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Returns the stored passwords of a level. @throws CommandFailure for a file that others can read, FileMistakes */
  async find(scanner: string, level: LoginLevel): Promise<StoredPasswords> {
    return (await this.#read())[scanner]?.[level] ?? {};
  }

  /** Stores the passwords of a level. They are on disk when the promise resolves. @throws CommandFailure as find */
  async store(scanner: string, level: LoginLevel, entry: StoredPasswords): Promise<void> {
    await withFileLock(this.path, async () => {
      const content = await this.#read();
      const levels = { ...content[scanner], [level]: entry };
      await replaceFile(this.path, head + stringify({ ...content, [scanner]: levels }, { lineWidth: 0 }));
    });
  }

  async #read(): Promise<Content> {
    await refuseReadableByOthers(this.path);
    const written = await readTextFileIfExists(this.path, { limit: maxFileBytes.devices });
    if (written === undefined) return {};
    const file = new YamlFile(this.path, written);
    file.throwMistakes();
    const { contents } = file.document;
    const content = contents === null ? {} : parsedNode(file, storeForm, contents);
    file.throwMistakes();
    return content ?? {};
  }
}

/** Refuses a file of passwords that others can read, write or own. */
async function refuseReadableByOthers(path: string): Promise<void> {
  const stats = await stat(path).catch(() => undefined);
  if (stats === undefined || process.getuid === undefined) return;
  if (!stats.isFile()) throw new CommandFailure(`${path} is not a regular file`);
  if (stats.uid !== process.getuid()) {
    throw new CommandFailure(
      `${path} has passwords, and belongs to another user: expected a file of your own`,
    );
  }
  if ((stats.mode & 0o077) !== 0) {
    throw new CommandFailure(`${path} has passwords, and others can read or write it: run chmod 600 on it`);
  }
}
