import { createReadStream } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import type { Source } from '@azimuth/client';
import type { Container } from '@azimuth/device/firmware';
import { counted, largestFirmware } from '@azimuth/model';
import { CommandFailure, unreadable } from '../command-failure.js';

/** A firmware file on this computer. */
export interface FirmwareFile {
  readonly path: string;
  readonly source: Source;
  /** The release in it, `2.4.4`; undefined if only the scanner can read it. */
  readonly release: string | undefined;
  readonly isSigned: boolean;
}

/**
 * Opens a firmware file for sending.
 * @param isSigned as the user says; by default, as the file says: its content, or `.spk.signed` at the end of its name
 * @throws CommandFailure if it cannot be read, is empty, or is larger than the interface allows
 */
export async function firmwareFile(path: string, isSigned?: boolean): Promise<FirmwareFile> {
  const source = await fileSource(path);
  const container = await containerIn(path);
  const looksSigned = container === undefined ? /\.signed$/i.test(path) : container.signature !== undefined;
  return { path, source, release: container?.manifest.release, isSigned: isSigned ?? looksSigned };
}

/** Returns the content of a firmware file without its payload; undefined if only the scanner can read it. */
async function containerIn(path: string): Promise<Container | undefined> {
  const { DamagedContainer, readContainer } = await import('@azimuth/device/firmware');
  try {
    return await readContainer(createReadStream(path));
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
