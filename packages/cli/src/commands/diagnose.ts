import { counted } from '@azimuth/model';
import { type Command, type TimeoutOptions, type TransferOptions, timeoutOf } from '../options/command.js';
import { scannerWithLogin } from '../scanners/connection.js';
import { withScanners } from '../scanners/each-scanner.js';
import { filePerScanner, newFileText } from '../scanners/file-per-scanner.js';
import { outputFiles, standardOutput } from '../transfers/output-file.js';

export function defineCommand(command: Command): Command {
  return command
    .description('Have the scanner make a diagnostic archive (zip), and save it to a file.')
    .argument('<file>', `file to write; - for standard output. ${newFileText}`)
    .option('--output <name>', 'also keep the archive on the scanner, under this name')
    .option('--suspend', 'suspend measuring while the archive is made')
    .action((file: string) => diagnose(file, command.given()))
    .withDeviceOptions()
    .withForce()
    .withProgress()
    .withTimeout('how long the scanner may take to make the archive', 300)
    .withExamples(
      'azimuth diagnose gate3.zip',
      'azimuth diagnose gate3.zip --suspend --force',
      'azimuth diagnose - > gate3.zip',
    );
}

interface Options extends TransferOptions, TimeoutOptions {
  readonly output?: string;
  readonly suspend?: boolean;
}

/** Saves a new diagnostic archive of each scanner into a file. */
async function diagnose(path: string, options: Options): Promise<void> {
  await withScanners(options, async (scanners) => {
    const paths = filePerScanner(path, scanners);
    const files = await outputFiles(paths, options);
    await scanners.each(async (target, output) => {
      const name = paths.get(target) ?? path;
      const scanner = await scannerWithLogin(target);
      const progress = output.progress();
      try {
        progress.stage('The scanner makes the archive');
        const archive = await scanner.diagnose({
          output: options.output,
          runlevelLoop: options.suspend,
          ...timeoutOf(options),
          onProgress: progress.of('Fetching'),
        });
        const bytes = await files.get(target)?.write(archive);
        if (name === standardOutput) return;
        await output.print({ file: name, bytes }, () => []);
        output.done(`saved to ${name}, ${counted(bytes ?? 0, 'byte')}`);
      } finally {
        progress.end();
      }
    });
  });
}
