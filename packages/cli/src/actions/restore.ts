import { readFile } from 'node:fs/promises';
import { CommandFailure } from '../command-failure.js';
import { confirm, terminalOfCommand } from '../confirm.js';
import { scannerWithLogin, urlOf } from '../connection.js';
import { printable } from '../printable.js';
import { passphraseOf, type TransferOptions } from '../transfers/options.js';

/** Puts the parameters of a backup file back, and tells which of them stay as they were: exit code 1. */
export async function restore(path: string, options: TransferOptions): Promise<void> {
  const file = await readFile(path).catch((error: Error) => {
    throw new CommandFailure(`${path} cannot be read: ${error.message}`);
  });
  const passphrase = await passphraseOf(options);
  if (options.yes !== true) {
    await confirm(`Replace the parameters of ${urlOf(options)} by those of ${path}?`, terminalOfCommand());
  }
  const scanner = await scannerWithLogin(options);
  const restored = await scanner.restore(
    Uint8Array.from(file),
    passphrase === undefined ? {} : { passphrase },
  );
  if (options.json === true) process.stdout.write(`${JSON.stringify(restored)}\n`);
  const { failed } = restored;
  if (failed.length === 0) return;
  if (options.json !== true) process.stdout.write(failed.map((name) => `${printable(name)}\n`).join(''));
  throw new CommandFailure(`${failed.length} parameters could not be restored; the others were`, 'refused');
}
