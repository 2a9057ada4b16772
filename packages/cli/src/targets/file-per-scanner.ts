import { CommandFailure } from '../command-failure.js';
import type { Target } from '../target.js';
import type { Chosen } from './chosen.js';
import { fileNameFor, scannerPlaceholder } from './file-names.js';

/**
 * The file of each scanner: the name that was typed, with what its placeholders stand for.
 * @throws CommandFailure if several scanners would share a file, or for a placeholder that there is not
 */
export function filePerScanner(path: string, { targets, several }: Chosen): ReadonlyMap<Target, string> {
  const files = filesOfScanners(path, targets);
  if (several && !path.includes(scannerPlaceholder)) {
    throw new CommandFailure(
      `${path} is one file, and several scanners are named: put ${scannerPlaceholder} into its name, for example ${scannerPlaceholder}.json`,
    );
  }
  for (const [file, [first, second]] of scannersByFile(files)) {
    if (second === undefined) continue;
    throw new CommandFailure(`${first?.label} and ${second.label} would have the same file ${file}`);
  }
  return files;
}

/**
 * The same for files that scanners may share.
 * @throws CommandFailure for a placeholder that there is not
 */
export function filesOfScanners(path: string, targets: readonly Target[]): ReadonlyMap<Target, string> {
  return new Map(targets.map((target) => [target, fileNameFor(path, target)] as const));
}

/** The scanners of each file. */
export function scannersByFile(files: ReadonlyMap<Target, string>): ReadonlyMap<string, readonly Target[]> {
  const owners = new Map<string, Target[]>();
  for (const [target, file] of files) owners.set(file, [...(owners.get(file) ?? []), target]);
  return owners;
}
