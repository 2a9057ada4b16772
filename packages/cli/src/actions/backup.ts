import { scannerWithLogin } from '../connection.js';
import { passphraseOf, type TransferOptions } from '../transfers/options.js';
import { ProgressLine } from '../transfers/progress.js';
import { WholeFile } from '../transfers/whole-file.js';
import { tellWritten } from '../transfers/written.js';

/** Saves the parameters of a scanner into a file. */
export async function backup(path: string, options: TransferOptions): Promise<void> {
  const file = await WholeFile.at(path, options.force === true);
  const passphrase = await passphraseOf(options);
  const scanner = await scannerWithLogin(options);
  const progress = new ProgressLine(process.stderr, options.progress === true);
  try {
    const content = await scanner.backup({
      ...(passphrase === undefined ? {} : { passphrase }),
      onProgress: progress.of('Fetching'),
    });
    tellWritten(path, await file.write(inOnePiece(content)), options);
  } finally {
    progress.end();
  }
}

async function* inOnePiece(content: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield content;
}
