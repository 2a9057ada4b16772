import { type FileHandle, open, stat } from 'node:fs/promises';
import type { Source } from '@azimuth/client';
import { CommandFailure } from '../command-failure.js';

const pieceLength = 64 * 1024;

/**
 * A file to be sent, read piece by piece.
 * @throws CommandFailure where it cannot be read, is empty, or is larger than the interface allows (bytes).
 */
export async function fileSource(path: string, mostBytes: number): Promise<Source> {
  const found = await stat(path).catch((error: Error) => {
    throw new CommandFailure(`${path} cannot be read: ${error.message}`);
  });
  if (!found.isFile()) throw new CommandFailure(`${path} is no file`);
  if (found.size === 0) throw new CommandFailure(`${path} is empty`);
  if (found.size > mostBytes) {
    throw new CommandFailure(
      `${path} has ${found.size} bytes, and ${mostBytes} are the most that a scanner takes`,
    );
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
