import { type FileHandle, open, stat } from 'node:fs/promises';
import type { Source } from '@azimuth/client';
import { firmwareUpdate } from '@azimuth/model';
import { Command } from 'commander';
import { CommandFailure } from '../command-failure.js';
import { scannerWithLogin, urlOf } from '../connection.js';
import { deviceOptions, withDeviceOptions, withExamples } from '../options.js';
import { printable } from '../output.js';
import { confirm, terminalOfCommand } from '../prompt.js';
import { type TransferOptions, withProgress, withYes } from '../transfers/options.js';
import { ProgressLine } from '../transfers/progress.js';

export function updateCommand(): Command {
  const command = new Command('update')
    .summary('install firmware')
    .description(
      'Send firmware, have it installed, wait until the scanner is back, and print its version. A scanner cannot go back to an older release.',
    )
    .argument('<file>', 'the firmware: .spk, or .spk.signed from release 2.2.0 on')
    .option('--expect <version>', 'fail unless the scanner runs this version afterwards, as in 2.4.4.0R')
    .action(async (file: string) => {
      await update(file, deviceOptions(command));
    });
  return withExamples(
    withProgress(withYes(withDeviceOptions(command))),
    'azimuth update firmware.spk.signed',
    'azimuth update firmware.spk.signed --yes --expect 2.4.4.0R --json',
  );
}

interface Options extends TransferOptions {
  readonly expect?: string;
}

/** Installs firmware, and prints the versions before and afterwards. */
async function update(path: string, options: Options): Promise<void> {
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

const pieceLength = 64 * 1024;

/**
 * A file to be sent, read piece by piece.
 * @throws CommandFailure if it cannot be read, is empty, or is larger than the interface allows (bytes).
 */
async function fileSource(path: string, mostBytes: number): Promise<Source> {
  const found = await stat(path).catch((error: Error) => {
    throw new CommandFailure(`${path} cannot be read: ${error.message}`);
  });
  if (!found.isFile()) throw new CommandFailure(`${path} is not a regular file`);
  if (found.size === 0) throw new CommandFailure(`${path} is empty`);
  if (found.size > mostBytes) {
    throw new CommandFailure(`${path} has ${found.size} bytes; a scanner takes at most ${mostBytes}`);
  }
  await (await opened(path)).close();
  return { size: found.size, stream: () => streamOf(path) };
}

function streamOf(path: string): ReadableStream<Uint8Array<ArrayBuffer>> {
  let file: FileHandle | undefined;
  return new ReadableStream(
    {
      async pull(controller) {
        file ??= await opened(path);
        const { bytesRead, buffer } = await file.read(new Uint8Array(pieceLength), 0, pieceLength);
        if (bytesRead > 0) {
          controller.enqueue(buffer.subarray(0, bytesRead));
          return;
        }
        await file.close();
        controller.close();
      },
      async cancel() {
        await file?.close();
      },
    },
    { highWaterMark: 0 },
  );
}

async function opened(path: string): Promise<FileHandle> {
  return open(path, 'r').catch((error: Error) => {
    throw new CommandFailure(`${path} cannot be read: ${error.message}`);
  });
}
