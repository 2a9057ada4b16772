import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { CommandFailure } from '../command-failure.js';
import { scannerAt, scannerWithLogin } from '../connection.js';
import { deviceOptions, withDeviceOptions, withExamples } from '../options.js';
import { printable } from '../output.js';
import { confirm, terminalOfCommand } from '../prompt.js';
import { contentOf, otherUnit } from '../restore/backup-file.js';
import { changesBy, tableOf } from '../restore/changes.js';
import { passphraseOf, type TransferOptions, withPassphrase, withYes } from '../transfers/options.js';

export function restoreCommand(): Command {
  const command = new Command('restore')
    .summary('restore the parameters of a backup file')
    .description(
      'Restore the parameters of a backup file, working and stored. Shows what changes before it asks, and lists what could not be restored. A backup of another scanner is refused unless --with-network is given, because it holds the address and the name of that scanner.',
    )
    .argument('<file>', 'the backup file')
    .option('--with-network', 'also restore a backup of another scanner, with its address and its name')
    .action(async (file: string, own: { readonly withNetwork?: boolean }) => {
      await restore(file, { ...deviceOptions(command), ...own });
    });
  return withExamples(
    withYes(withPassphrase(withDeviceOptions(command))),
    'azimuth restore gate3.json',
    'azimuth restore gate3.json --passphrase-file secret.txt --yes',
    'azimuth restore gate3.json --with-network    (the scanner that takes the place of another one)',
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
  const file = await readFile(path).catch((error: Error) => {
    throw new CommandFailure(`${path} cannot be read: ${error.message}`);
  });
  const passphrase = await passphraseOf(options);
  const terminal = terminalOfCommand();
  const question = `Replace the parameters of ${scannerAt(options).url} by those of ${path}?`;
  const asks = options.yes !== true;
  if (asks && terminal === undefined) await confirm(question, terminal);
  const content = await contentOf(file, passphrase);
  const reader = scannerAt(options);
  const other = await otherUnit(path, content, reader);
  if (other !== undefined && options.withNetwork !== true) {
    throw new CommandFailure(
      `${other}: nothing was changed; --with-network restores it anyway, with address and name`,
    );
  }
  const tells = asks || other !== undefined;
  const values = content?.values ?? new Map<string, unknown>();
  const changes = tells || options.json === true ? await changesBy(values, reader) : [];
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
  throw new CommandFailure(`${failed.length} parameters could not be restored; the others were`, 'refused');
}
