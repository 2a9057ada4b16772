import { backupPassphrase } from '../input/secrets.js';
import {
  type Command,
  clientTimeout,
  type TimeoutOptions,
  type TransferOptions,
} from '../options/command.js';
import { newFileText, saveFilePerScanner } from '../scanners/file-per-scanner.js';

export function defineCommand(command: Command): Command {
  return command
    .description('Save the parameters of a scanner, as they are now, to a file.')
    .argument('<file>', `file to write; - for standard output. ${newFileText}`)
    .action((file: string) => backup(file, command.allOptions()))
    .withDeviceOptions()
    .withPassphrase()
    .withForce()
    .withProgress()
    .withTimeout('how long the scanner may take to write the backup', 600)
    .withExamples(
      'azimuth backup gate3.json --device http://192.168.0.1',
      'azimuth backup gate3.json --passphrase-file secret.txt --force',
      'azimuth backup - | gzip > gate3.json.gz',
      'azimuth backup @hall/* backups/{date}/{scanner}.json    (a file for each scanner)',
    );
}

/** Saves the parameters of each scanner into a file. */
async function backup(path: string, options: TransferOptions & TimeoutOptions): Promise<void> {
  const passphrase = await backupPassphrase(options);
  await saveFilePerScanner(path, options, 'The scanner writes the backup', async (scanner, onProgress) =>
    inOnePiece(await scanner.backup({ passphrase, ...clientTimeout(options), onProgress })),
  );
}

async function* inOnePiece(content: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield content;
}
