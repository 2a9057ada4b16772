import { Command } from 'commander';
import { scannerWithLogin } from '../connection.js';
import { deviceOptions, withDeviceOptions, withExamples } from '../options.js';
import { type TransferOptions, withForce, withProgress } from '../transfers/options.js';
import { OutputFile, reportWritten } from '../transfers/output-file.js';
import { ProgressLine } from '../transfers/progress.js';

export function diagnoseCommand(): Command {
  const command = new Command('diagnose')
    .description('Have the scanner make a diagnostic archive (zip), and save it to a file.')
    .argument('<file>', 'file to write; - for standard output')
    .option('--output <name>', 'also keep the archive on the scanner, under this name')
    .option('--suspend', 'suspend measuring while the archive is made')
    .action(async (file: string) => {
      await diagnose(file, deviceOptions(command));
    });
  return withExamples(
    withProgress(withForce(withDeviceOptions(command))),
    'azimuth diagnose gate3.zip',
    'azimuth diagnose gate3.zip --suspend --force',
    'azimuth diagnose - > gate3.zip',
  );
}

interface Options extends TransferOptions {
  readonly output?: string;
  readonly suspend?: boolean;
}

/** Saves a new diagnostic archive of a scanner into a file. */
async function diagnose(path: string, options: Options): Promise<void> {
  const file = await OutputFile.at(path, options.force === true);
  const scanner = await scannerWithLogin(options);
  const progress = new ProgressLine(process.stderr, options.progress === true);
  try {
    progress.stage('The scanner makes the archive');
    const archive = await scanner.diagnose({
      ...(options.output === undefined ? {} : { output: options.output }),
      ...(options.suspend === true ? { runlevelLoop: true } : {}),
      onProgress: progress.of('Fetching'),
    });
    reportWritten(path, await file.write(archive), options);
  } finally {
    progress.end();
  }
}
