import { CommandFailure } from '../command-failure.js';
import { remark } from '../output/output.js';
import { selectDevices } from '../scanners/devices-content.js';
import { DevicesFile } from '../scanners/devices-file.js';

/**
 * Returns a function that is true for the names of scanners that words mean: URLs, or, after an `@`, names, patterns and
 * groups. The devices file says what is in a group. Names and patterns also mean scanners that are no longer in the file.
 * Undefined if there are no words: all scanners are meant.
 */
export async function chosenNames(
  words: readonly string[] | undefined,
): Promise<((name: string) => boolean) | undefined> {
  if (words === undefined || words.length === 0) return undefined;
  const exact = new Set<string>();
  const patterns: RegExp[] = [];
  for (const word of words) {
    const name = word.replace(/^@/, '');
    patterns.push(namePattern(name));
    if (!word.startsWith('@')) continue;
    for (const each of await namesInFile(word)) exact.add(each);
  }
  return (name) => exact.has(name) || patterns.some((pattern) => pattern.test(name));
}

/** The names and URLs of the devices that a word means in the devices file; none if it is not there. */
async function namesInFile(word: string): Promise<readonly string[]> {
  try {
    const { content, path } = await DevicesFile.read();
    const { devices } = selectDevices(word, content, path);
    return devices.flatMap(({ name, url }) => [name, url.replace(/\/$/, '')]);
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    // The log may know a name that the file does not; a mistake in the file is another matter.
    if (!/^(there is no scanner|no scanner matches|the group @)/.test(error.message)) remark(error.message);
    return [];
  }
}

/** A name, all names below it, or a pattern with `*`. */
function namePattern(name: string): RegExp {
  const parts = name.split(/\*+/).map((part) => part.replaceAll(/[^\w]/g, '\\$&'));
  return new RegExp(name.includes('*') ? `^${parts.join('.*')}$` : `^${parts.join('')}(/.*)?$`);
}
