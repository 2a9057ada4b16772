import type { Progress, Scanner } from '@azimuth/client';
import { counted } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';
import type { TransferOptions } from '../options/command.js';
import { outputFiles, standardOutput } from '../transfers/output-file.js';
import type { Chosen } from './chosen.js';
import { scannerWithLogin } from './connection.js';
import { withScanners } from './each-scanner.js';
import { type Target, targetFileName } from './target.js';

/**
 * Returns the file of each scanner: the typed name, with its placeholders replaced.
 * @throws CommandFailure if several scanners would share a file, or for an unknown placeholder
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
 * Returns the file of each scanner if scanners may share a file.
 * @throws CommandFailure for an unknown placeholder
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

/** Description of the placeholders in the name of a file, for help texts. */
export const placeholdersText =
  '{scanner} in it stands for the name of the scanner, and {date} for the day, such as 2026-05-04';

/** Description of the placeholders for a file that is written. */
export const newFileText = `${placeholdersText}. Folders that are missing are made`;

/** Placeholder for the name of the scanner in the name of a file. */
const scannerPlaceholder = '{scanner}';

/** True if a typed name of a file has a placeholder. */
export function hasPlaceholder(typed: string): boolean {
  return /\{[^{}]*\}/.test(typed);
}

/**
 * Returns a typed name of a file, with its placeholders replaced.
 * @param target the scanner; undefined if no scanner is used
 * @throws CommandFailure for an unknown placeholder; call it before any request
 */
export function fileNameFor(typed: string, target: Pick<Target, 'label'> | undefined): string {
  return typed.replaceAll(/\{[^{}]*\}/g, (placeholder) => {
    if (placeholder === '{date}') return today();
    if (placeholder !== scannerPlaceholder) {
      throw new CommandFailure(
        `${typed}: expected the placeholder ${scannerPlaceholder} or {date}, got ${placeholder}`,
      );
    }
    if (target !== undefined) return targetFileName(target);
    throw new CommandFailure(`${typed}: no scanner is asked, so ${scannerPlaceholder} stands for nothing`);
  });
}

/** Returns `2026-05-04`, in local time. */
function today(): string {
  const now = new Date();
  const [month, day] = [now.getMonth() + 1, now.getDate()].map((part) => `${part}`.padStart(2, '0'));
  return `${now.getFullYear()}-${month}-${day}`;
}

/**
 * Lets each scanner make a file, and saves it.
 * @param stage the first step of the scanner: `The scanner writes the backup`
 * @param fetch the file of one scanner
 */
export async function saveFilePerScanner(
  path: string,
  options: TransferOptions,
  stage: string,
  fetch: (scanner: Scanner, onProgress: Progress) => Promise<AsyncIterable<Uint8Array>>,
): Promise<void> {
  await withScanners(options, async (scanners) => {
    const paths = filePerScanner(path, scanners);
    const files = await outputFiles(paths, options);
    await scanners.each(async (target, output) => {
      const name = paths.get(target) ?? path;
      const scanner = await scannerWithLogin(target);
      const progress = output.progress();
      try {
        progress.stage(stage);
        const bytes = await files.get(target)?.write(await fetch(scanner, progress.of('Fetching')));
        if (name === standardOutput) return;
        await output.print({ file: name, bytes }, () => []);
        output.done(`saved to ${name}, ${counted(bytes ?? 0, 'byte')}`);
      } finally {
        progress.end();
      }
    });
  });
}
