import { readFile } from 'node:fs/promises';
import {
  type BackupContent,
  currentValues,
  emptyBackup,
  otherUnit,
  ownVariables,
  type PlannedParameter,
  parametersIn,
  plannedChanges,
  type Scanner,
} from '@azimuth/client';
import { Command } from 'commander';
import { CommandFailure, unreadable } from '../command-failure.js';
import { scannerAt, scannerWithLogin } from '../connection.js';
import { deviceOptions, withDeviceOptions, withExamples } from '../options.js';
import { printable } from '../output.js';
import { confirm, terminalOfCommand } from '../prompt.js';
import { contentOf, otherUnitText, unreadableUnit } from '../restore/backup-file.js';
import { changesOf, tableOf } from '../restore/changes.js';
import type { Target } from '../target.js';
import { placeOf } from '../targets/chosen.js';
import { withScanners } from '../targets/each-scanner.js';
import { filePerScanner } from '../targets/file-per-scanner.js';
import type { TargetOutput } from '../targets/target-output.js';
import { passphraseOf, type TransferOptions, withPassphrase, withYes } from '../transfers/options.js';

export function restoreCommand(): Command {
  const command = new Command('restore')
    .description(
      'Set the working and the stored parameters to those of a backup file. The command shows what will change before it asks for confirmation. Afterwards it lists the parameters that could not be restored. A backup of another scanner contains the address and the name of that scanner: it is refused without --with-network.',
    )
    .argument('<file>', 'the backup file. With several scanners, {scanner} in it stands for the name of each')
    .option('--with-network', 'accept a backup of another scanner, with its address and its name')
    .action(async (file: string) => {
      await restore(file, deviceOptions(command));
    });
  return withExamples(
    withYes(withPassphrase(withDeviceOptions(command))),
    'azimuth restore gate3.json',
    'azimuth restore gate3.json --passphrase-file secret.txt --yes',
    'azimuth restore @hall/* backups/{scanner}.json    (to each scanner its own backup)',
    'azimuth restore gate3.json --with-network    (this scanner replaces the scanner of the backup)',
  );
}

interface Options extends TransferOptions {
  readonly withNetwork?: boolean;
}

/** A backup file, as it was read. */
interface BackupFile {
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Undefined if only the scanner can read it. */
  readonly content: BackupContent | undefined;
}

/**
 * Restores the parameters of a backup file, and lists those that could not be restored: exit code 1. A backup of another
 * scanner needs `--with-network`. Before that, and before a question, a table on stderr shows what changes.
 */
async function restore(path: string, options: Options): Promise<void> {
  const passphrase = await passphraseOf(options);
  const terminal = terminalOfCommand();
  const asks = options.yes !== true;
  await withScanners(options, async (scanners) => {
    const files = await backupFiles(filePerScanner(path, scanners), passphrase);
    for (const target of scanners.targets) scannerAt(target); // Reports a wrong URL before it asks anything.
    const question = `Replace the parameters of ${placeOf(scanners.targets)} by those of ${path}?`;
    if (asks && terminal === undefined) await confirm(question, terminal);
    const planned = await scanners.each(async (target, output) => {
      const file = files.get(target);
      return file === undefined ? [] : changesFor(file, scannerAt(target), { options, output, asks });
    });
    if (asks && planned.size > 0) await confirm(question, terminal);
    await scanners.each(async (target, output) => {
      const scanner = await scannerWithLogin(target);
      const bytes = files.get(target)?.bytes ?? new Uint8Array();
      const restored = await scanner.restore(bytes, passphrase === undefined ? {} : { passphrase });
      const changes = (planned.get(target) ?? []).map(({ name, from, to }) => ({ name, from, to }));
      const { failed } = restored;
      await output.print({ ...restored, changes }, () => failed.map(printable));
      if (failed.length === 0) {
        output.done('restored and saved');
        return;
      }
      const count = failed.length === 1 ? '1 parameter' : `${failed.length} parameters`;
      throw new CommandFailure(`${count} could not be restored; all others were restored`, 'refused');
    });
  });
}

async function backupFiles(
  paths: ReadonlyMap<Target, string>,
  passphrase: string | undefined,
): Promise<ReadonlyMap<Target, BackupFile>> {
  const files = new Map<Target, BackupFile>();
  for (const [target, path] of paths) {
    const bytes = Uint8Array.from(await readFile(path).catch(unreadable(path)));
    files.set(target, { path, bytes, content: await contentOf(bytes, passphrase) });
  }
  return files;
}

/** What a restore changes, shown where somebody has to know. @throws CommandFailure if the backup is of another scanner */
async function changesFor(
  { path, content }: BackupFile,
  reader: Scanner,
  { options, output, asks }: { options: Options; output: TargetOutput; asks: boolean },
): Promise<readonly PlannedParameter[]> {
  const other = await otherUnitOf(path, content, reader);
  if (other !== undefined && options.withNetwork !== true) {
    throw new CommandFailure(
      `${other}. Nothing was changed. To restore it anyway, with address and name: --with-network`,
    );
  }
  const tells = asks || other !== undefined;
  const changes = tells || options.json === true ? await changesBy(content ?? emptyBackup, reader) : [];
  if (tells && content !== undefined) output.table(tableOf(changes));
  return changes;
}

/** Why the file may be a backup of another scanner; undefined if it is of this one. */
async function otherUnitOf(
  path: string,
  content: BackupContent | undefined,
  scanner: Scanner,
): Promise<string | undefined> {
  if (content === undefined) return unreadableUnit(path);
  const other = otherUnit(content, await currentValues(scanner, ownVariables));
  return other === undefined ? undefined : otherUnitText(path, scanner.url, other);
}

/** What the scanner changes if it restores this content. */
async function changesBy(
  content: BackupContent,
  scanner: Pick<Scanner, 'readAny'>,
): Promise<readonly PlannedParameter[]> {
  const now = await currentValues(scanner, parametersIn(content));
  return changesOf(plannedChanges(content.values, now));
}
