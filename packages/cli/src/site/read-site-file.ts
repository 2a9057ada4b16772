import { longestFile, textOfFile } from '../input/bounded-file.js';
import { SiteFile } from './site-file.js';

/** @throws CommandFailure if it cannot be read, FileMistakes with all mistakes in it */
export async function siteFileAt(path: string): Promise<SiteFile> {
  return new SiteFile(path, await textOfFile(path, { limit: longestFile.site }));
}

/**
 * The words behind `--device` that mean the scanners of a file: URLs, and names of the devices file with an `@`.
 * @param keys as they are in the file
 */
export async function wordsFor(keys: readonly string[]): Promise<readonly string[]> {
  if (keys.every(isUrl)) return keys;
  const { DevicesFile } = await import('../scanners/devices-file.js');
  const { content } = await DevicesFile.read();
  const names = new Set(content.devices.map(({ name }) => name));
  // A host without http:// is a URL, too, if no scanner has it as its name.
  return keys.map((key) => (isUrl(key) || (!names.has(key) && /[.:]/.test(key)) ? key : `@${key}`));
}

function isUrl(key: string): boolean {
  return /^[a-z]+:\/\//i.test(key);
}
