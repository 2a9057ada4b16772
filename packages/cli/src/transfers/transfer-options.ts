import type { Command } from 'commander';
import { CommandFailure } from '../command-failure.js';
import { readSecret } from '../input/secrets.js';
import type { DeviceOptions } from '../options/device-options.js';

/** Options of commands that transfer files, in addition to the options of every command. */
export interface TransferOptions extends DeviceOptions {
  readonly force?: boolean;
  readonly yes?: boolean;
  readonly progress?: boolean;
  readonly passphraseFile?: string;
}

export function withProgress(command: Command): Command {
  return command.option('--progress', 'show progress even if stderr is not a terminal');
}

export function withForce(command: Command): Command {
  return command.option('--force', 'replace an existing file');
}

export function withYes(command: Command): Command {
  return command.option('--yes', 'do not ask for confirmation');
}

export function withPassphrase(command: Command): Command {
  return command.option(
    '--passphrase-file <file>',
    'read the passphrase from this file (default: AZIMUTH_PASSPHRASE, otherwise none)',
  );
}

const longestPassphrase = 256;

/** The passphrase of a backup file; undefined if it has none. @throws CommandFailure */
export async function passphraseOf({ passphraseFile }: TransferOptions): Promise<string | undefined> {
  const passphrase =
    passphraseFile === undefined
      ? process.env.AZIMUTH_PASSPHRASE || undefined
      : await readSecret(passphraseFile, 'passphrase');
  if (passphrase !== undefined && [...passphrase].length > longestPassphrase) {
    throw new CommandFailure(`a passphrase has at most ${longestPassphrase} characters`);
  }
  return passphrase;
}
