import { createReadStream } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import type { Source } from '@azimuth/client';
import { counted, largestFirmware } from '@azimuth/model';
import { CommandFailure, unreadable } from '../command-failure.js';
import { confirm, terminalOfCommand } from '../input/prompt.js';
import {
  type Command,
  clientTimeout,
  type TimeoutOptions,
  type TransferOptions,
} from '../options/command.js';
import { printable } from '../output/output.js';
import { targetsText } from '../scanners/chosen.js';
import { scannerAt, scannerWithLogin } from '../scanners/connection.js';
import { withScanners } from '../scanners/each-scanner.js';
import { requireRunningClock } from '../scanners/standing-clock.js';

export function defineCommand(command: Command): Command {
  return command
    .description(
      'Send a firmware file, wait until the scanner has installed it and is back, and print its version. If the scanner loses its power meanwhile and is back with the old version, the command fails. A scanner cannot go back to an older release.',
    )
    .argument('<file>', 'firmware file: .spk, or .spk.signed from release 2.2.0 on')
    .option(
      '--expect <version>',
      'fail if the scanner does not run this version afterwards, for example 2.4.4.0R',
    )
    .action((file: string) => update(file, command.allOptions()))
    .withDeviceOptions()
    .withYes()
    .withProgress()
    .withTimeout('how long the scanner may take once it has the file, until it is back', 1800)
    .withExamples(
      'azimuth update firmware.spk.signed',
      'azimuth update firmware.spk.signed --yes --expect 2.4.4.0R --json',
    );
}

interface Options extends TransferOptions, TimeoutOptions {
  readonly expect?: string;
}

/** Installs firmware, and prints the versions before and afterwards. */
async function update(path: string, options: Options): Promise<void> {
  const source = await fileSource(path);
  const release = await releaseIn(path);
  await withScanners(options, async (scanners) => {
    const { targets } = scanners;
    for (const target of targets) scannerAt(target); // Reports a wrong URL before any question.
    if (options.yes !== true) {
      const subject = targets.length === 1 ? 'The scanner reboots, and' : 'They reboot, and';
      await confirm(
        `Install ${path} on ${targetsText(targets)}? ${subject} cannot go back to an older release.`,
        terminalOfCommand(),
      );
    }
    await scanners.each(async (target, output) => {
      const scanner = await scannerWithLogin(target);
      const read = (name: string) => scanner.readAny(name);
      await requireRunningClock(read, 'the installation', options, (text) => output.remark(text));
      const progress = output.progress();
      try {
        const updated = await scanner.update(source, {
          version: options.expect,
          release,
          ...clientTimeout(options),
          onProgress: progress.of('Sending'),
          onStage: (stage) => {
            if (stage !== 'sending') progress.stage(`The scanner is ${stage}`);
          },
          onInstallProgress: progress.percentOf('Installing'),
        });
        const { from, to } = updated;
        await output.print(updated, () => [`${printable(from)} → ${printable(to)}`]);
      } finally {
        progress.end();
      }
    });
  });
}

/** Returns the release in a firmware file; undefined if only the scanner can read it. */
async function releaseIn(path: string): Promise<string | undefined> {
  const { DamagedContainer, readContainer } = await import('@azimuth/device/firmware');
  try {
    return (await readContainer(createReadStream(path))).manifest.release;
  } catch (error) {
    if (error instanceof DamagedContainer) return undefined;
    throw error;
  }
}

const pieceLength = 64 * 1024;

/**
 * Reads a file piece by piece while it is sent.
 * @throws CommandFailure if it cannot be read, is empty, or is larger than the interface allows.
 */
async function fileSource(path: string): Promise<Source> {
  const stats = await stat(path).catch(unreadable(path));
  if (!stats.isFile()) throw new CommandFailure(`${path} is not a regular file`);
  if (stats.size === 0) throw new CommandFailure(`${path} is empty`);
  if (stats.size > largestFirmware) {
    throw new CommandFailure(
      `${path} has ${counted(stats.size, 'byte')}; a scanner accepts at most ${largestFirmware}`,
    );
  }
  await (await opened(path)).close();
  return { size: stats.size, stream: () => fileStream(path) };
}

function fileStream(path: string): ReadableStream<Uint8Array<ArrayBuffer>> {
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
  return open(path, 'r').catch(unreadable(path));
}
