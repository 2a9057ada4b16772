import { isLoginLevel, type LoginLevel, loginLevels } from '@azimuth/model';
import { nearestName } from '@azimuth/wording';
import { CommandFailure } from '../command-failure.js';
import { maxFileBytes, readTextFile } from '../input/bounded-file.js';

/**
 * Reads passwords of user levels from a file with a line LEVEL=PASSWORD for each. Empty lines, and lines that begin with `#`,
 * do not count.
 * @throws CommandFailure, whose message has no text of the file but a level: all others may be secrets
 */
export async function levelPasswords(path: string): Promise<Readonly<Partial<Record<LoginLevel, string>>>> {
  const text = await readTextFile(path, { limit: maxFileBytes.secret, name: `the password file ${path}` });
  const passwords: Partial<Record<LoginLevel, string>> = {};
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line === '' || line.startsWith('#')) continue;
    const [, level = '', password = ''] = /^(\w*)=(.*)$/s.exec(line) ?? [];
    if (!isLoginLevel(level) || password === '') {
      const near = nearestName(level, loginLevels);
      const hint = near === undefined || near === level ? '' : `; did you mean ${near}=…?`;
      throw new CommandFailure(
        `${path}, line ${index + 1}: expected LEVEL=PASSWORD, with one of the levels ${loginLevels.join(', ')}${hint}`,
      );
    }
    passwords[level] = password;
  }
  return passwords;
}
