import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export interface StoredFile {
  path: string;
  content: Buffer;
  /** Permission bits. */
  mode: number;
}

/** Every file in a folder, however deep. */
export function filesIn(folder: string): StoredFile[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return { path, content: readFileSync(path), mode: lstatSync(path).mode & 0o777 };
    });
}

/** The only file that contains a text. Throws if there is none or more than one. */
export function fileWith(folder: string, text: string): StoredFile {
  const [file, ...others] = filesIn(folder).filter(({ content }) => content.includes(text));
  if (file === undefined || others.length > 0) throw new Error(`not exactly one file holds ${text}`);
  return file;
}

/** A folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'azimuth-device-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
