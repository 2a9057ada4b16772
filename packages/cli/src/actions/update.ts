import { firmwareUpdate } from '@azimuth/model';
import { confirm, terminalOfCommand } from '../confirm.js';
import { scannerWithLogin, urlOf } from '../connection.js';
import { printable } from '../printable.js';
import { fileSource } from '../transfers/file-source.js';
import type { TransferOptions } from '../transfers/options.js';
import { ProgressLine } from '../transfers/progress.js';

interface Options extends TransferOptions {
  readonly expect?: string;
}

/** Installs firmware, and tells the versions before and afterwards. */
export async function update(path: string, options: Options): Promise<void> {
  const { maxBytes = Number.POSITIVE_INFINITY } = firmwareUpdate.members.update.facts.verbs.PUT ?? {};
  const source = await fileSource(path, maxBytes);
  if (options.yes !== true) {
    await confirm(
      `Install ${path} on ${urlOf(options)}? The scanner reboots, and cannot go back to an older release.`,
      terminalOfCommand(),
    );
  }
  const scanner = await scannerWithLogin(options);
  const progress = new ProgressLine(process.stderr, options.progress === true);
  try {
    const updated = await scanner.update(source, {
      ...(options.expect === undefined ? {} : { version: options.expect }),
      onProgress: progress.of('Sending'),
      onStage: (stage) => {
        if (stage !== 'sending') progress.stage(`The scanner is ${stage}`);
      },
    });
    const { from, to } = updated;
    process.stdout.write(
      options.json === true ? `${JSON.stringify(updated)}\n` : `${printable(from)} → ${printable(to)}\n`,
    );
  } finally {
    progress.end();
  }
}
