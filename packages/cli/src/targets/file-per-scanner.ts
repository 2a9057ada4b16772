import { CommandFailure } from '../command-failure.js';
import { fileNameOf, type Target } from '../target.js';
import type { Scanners } from './each-scanner.js';

/** Stands in the name of a file for the name of the scanner. */
const placeholder = '{scanner}';

/**
 * The file of each scanner: the name that was typed, with the name of the scanner in place of `{scanner}`.
 * @throws CommandFailure if several scanners would share a file
 */
export function filePerScanner(path: string, { targets, several }: Scanners): ReadonlyMap<Target, string> {
  if (several && !path.includes(placeholder)) {
    throw new CommandFailure(
      `${path} is one file, and several scanners are named: put ${placeholder} into its name, for example ${placeholder}.json`,
    );
  }
  const files = new Map(
    targets.map((target) => [target, path.replaceAll(placeholder, fileNameOf(target))] as const),
  );
  const owners = new Map<string, Target>();
  for (const [target, file] of files) {
    const other = owners.get(file);
    if (other !== undefined) {
      throw new CommandFailure(`${other.label} and ${target.label} would have the same file ${file}`);
    }
    owners.set(file, target);
  }
  return files;
}
