import { Command } from 'commander';
import { scannerWithLogin } from '../connection.js';
import { deviceOptions, withDeviceOptions, withExamples } from '../options.js';
import {
  passphraseOf,
  type TransferOptions,
  withForce,
  withPassphrase,
  withProgress,
} from '../transfers/options.js';
import { OutputFile, reportWritten } from '../transfers/output-file.js';
import { ProgressLine } from '../transfers/progress.js';

export function backupCommand(): Command {
  const command = new Command('backup')
    .description('Save the parameters of a scanner, as they are now, to a file.')
    .argument('<file>', 'file to write; - for standard output')
    .action(async (file: string) => {
      await backup(file, deviceOptions(command));
    });
  return withExamples(
    withProgress(withForce(withPassphrase(withDeviceOptions(command)))),
    'azimuth backup gate3.json --device http://192.168.0.1',
    'azimuth backup gate3.json --passphrase-file secret.txt --force',
    'azimuth backup - | gzip > gate3.json.gz',
  );
}

/** Saves the parameters of a scanner into a file. */
async function backup(path: string, options: TransferOptions): Promise<void> {
  const file = await OutputFile.at(path, options.force === true);
  const passphrase = await passphraseOf(options);
  const scanner = await scannerWithLogin(options);
  const progress = new ProgressLine(process.stderr, options.progress === true);
  try {
    const content = await scanner.backup({
      ...(passphrase === undefined ? {} : { passphrase }),
      onProgress: progress.of('Fetching'),
    });
    reportWritten(path, await file.write(inOnePiece(content)), options);
  } finally {
    progress.end();
  }
}

async function* inOnePiece(content: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield content;
}
