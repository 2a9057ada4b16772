import {
  type Command,
  clientTimeout,
  type TimeoutOptions,
  type TransferOptions,
} from '../options/command.js';
import { newFileText, saveFilePerScanner } from '../scanners/file-per-scanner.js';

export function defineCommand(command: Command): Command {
  return command
    .description('Have the scanner make a diagnostic archive (zip), and save it to a file.')
    .argument('<file>', `file to write; - for standard output. ${newFileText}`)
    .option('--output <name>', 'also keep the archive on the scanner, under this name')
    .option('--suspend', 'suspend measuring while the archive is made')
    .action((file: string) => diagnose(file, command.allOptions()))
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
function diagnose(path: string, options: Options): Promise<void> {
  const { output, suspend: runlevelLoop } = options;
  return saveFilePerScanner(path, options, 'The scanner makes the archive', (scanner, onProgress) =>
    scanner.diagnose({ output, runlevelLoop, ...clientTimeout(options), onProgress }),
  );
}
