import { counted } from '@azimuth/model';
import { passphraseOf } from '../input/secrets.js';
import { type Command, type TimeoutOptions, type TransferOptions, timeoutOf } from '../options/command.js';
import { scannerWithLogin } from '../scanners/connection.js';
import { withScanners } from '../scanners/each-scanner.js';
import { filePerScanner, newFileText } from '../scanners/file-per-scanner.js';
import { outputFiles, standardOutput } from '../transfers/output-file.js';

export function defineCommand(command: Command): Command {
  return command
    .description('Save the parameters of a scanner, as they are now, to a file.')
    .argument('<file>', `file to write; - for standard output. ${newFileText}`)
    .action((file: string) => backup(file, command.given()))
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
  const passphrase = await passphraseOf(options);
  await withScanners(options, async (scanners) => {
    const paths = filePerScanner(path, scanners);
    const files = await outputFiles(paths, options);
    await scanners.each(async (target, output) => {
      const name = paths.get(target) ?? path;
      const scanner = await scannerWithLogin(target);
      const progress = output.progress();
      try {
        progress.stage('The scanner writes the backup');
        const content = await scanner.backup({
          passphrase,
          ...timeoutOf(options),
          onProgress: progress.of('Fetching'),
        });
        const bytes = await files.get(target)?.write(inOnePiece(content));
        if (name === standardOutput) return;
        await output.print({ file: name, bytes }, () => []);
        output.done(`saved to ${name}, ${counted(bytes ?? 0, 'byte')}`);
      } finally {
        progress.end();
      }
    });
  });
}

async function* inOnePiece(content: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield content;
}
