import { readFile } from 'node:fs/promises';
import {
  type BackupContent,
  currentValues,
  emptyBackup,
  otherUnit,
  ownVariables,
  type PlannedParameter,
  parametersIn,
  plannedRestore,
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
import { passphraseOf, type TransferOptions, withPassphrase, withYes } from '../transfers/options.js';

export function restoreCommand(): Command {
  const command = new Command('restore')
    .description(
      'Set the working and the stored parameters to those of a backup file. The command shows what will change before it asks for confirmation. Afterwards it lists the parameters that could not be restored. A backup of another scanner contains the address and the name of that scanner: it is refused without --with-network.',
    )
    .argument('<file>', 'the backup file')
    .option('--with-network', 'accept a backup of another scanner, with its address and its name')
    .action(async (file: string, own: { readonly withNetwork?: boolean }) => {
      await restore(file, { ...deviceOptions(command), ...own });
    });
  return withExamples(
    withYes(withPassphrase(withDeviceOptions(command))),
    'azimuth restore gate3.json',
    'azimuth restore gate3.json --passphrase-file secret.txt --yes',
    'azimuth restore gate3.json --with-network    (this scanner replaces the scanner of the backup)',
  );
}

interface Options extends TransferOptions {
  readonly withNetwork?: boolean;
}

/**
 * Restores the parameters of a backup file, and lists those that could not be restored: exit code 1. A backup of another
 * scanner needs `--with-network`. Before that, and before a question, a table on stderr shows what changes.
 */
async function restore(path: string, options: Options): Promise<void> {
  const file = await readFile(path).catch(unreadable(path));
  const passphrase = await passphraseOf(options);
  const terminal = terminalOfCommand();
  const question = `Replace the parameters of ${scannerAt(options).url} by those of ${path}?`;
  const asks = options.yes !== true;
  if (asks && terminal === undefined) await confirm(question, terminal);
  const content = await contentOf(file, passphrase);
  const reader = scannerAt(options);
  const other = await otherUnitOf(path, content, reader);
  if (other !== undefined && options.withNetwork !== true) {
    throw new CommandFailure(
      `${other}. Nothing was changed. To restore it anyway, with address and name: --with-network`,
    );
  }
  const tells = asks || other !== undefined;
  const changes = tells || options.json === true ? await changesBy(content ?? emptyBackup, reader) : [];
  if (tells && content !== undefined) process.stderr.write(tableOf(changes));
  if (asks) await confirm(question, terminal);
  const scanner = await scannerWithLogin(options);
  const restored = await scanner.restore(
    Uint8Array.from(file),
    passphrase === undefined ? {} : { passphrase },
  );
  if (options.json === true) {
    const changed = changes.map(({ name, from, to }) => ({ name, from, to }));
    process.stdout.write(`${JSON.stringify({ ...restored, changes: changed })}\n`);
  }
  const { failed } = restored;
  if (failed.length === 0) return;
  if (options.json !== true) process.stdout.write(failed.map((name) => `${printable(name)}\n`).join(''));
  const count = failed.length === 1 ? '1 parameter' : `${failed.length} parameters`;
  throw new CommandFailure(`${count} could not be restored; all others were restored`, 'refused');
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
  return changesOf(plannedRestore(content, now, { withOwn: true }));
}
