import { scannerWithLogin } from '../connection.js';
import type { TransferOptions } from '../transfers/options.js';
import { ProgressLine } from '../transfers/progress.js';
import { WholeFile } from '../transfers/whole-file.js';
import { tellWritten } from '../transfers/written.js';

interface Options extends TransferOptions {
  readonly output?: string;
  readonly suspend?: boolean;
}

/** Saves a new diagnostic archive of a scanner into a file. */
export async function diagnose(path: string, options: Options): Promise<void> {
  const file = await WholeFile.at(path, options.force === true);
  const scanner = await scannerWithLogin(options);
  const progress = new ProgressLine(process.stderr, options.progress === true);
  try {
    progress.stage('The scanner makes the archive');
    const archive = await scanner.diagnose({
      ...(options.output === undefined ? {} : { output: options.output }),
      ...(options.suspend === true ? { runlevelLoop: true } : {}),
      onProgress: progress.of('Fetching'),
    });
    tellWritten(path, await file.write(archive), options);
  } finally {
    progress.end();
  }
}
