import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { longestLine } from '../log-line.js';

/** A complete line of a file. */
export interface FileLine {
  /** Without its line feed; undefined if it is longer than any entry. */
  readonly bytes: Buffer | undefined;
}

/** Lines of a file that are read at once, and the offset behind them. */
export interface FileLines {
  readonly lines: readonly FileLine[];
  readonly end: number;
}

const step = 256 * 1024;
const lineFeed = 0x0a;
/** A pipe with the name of a log blocks nobody. */
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Yields the complete lines of a file that begin at `start` or later. A line that is being written is left for later. It
 * ends where the file ended when it was called; memory is bounded, however long a line is.
 * @throws errors of the system
 */
export async function* linesOfFile(path: string, start: number): AsyncGenerator<FileLines> {
  const file = await open(path, flags);
  try {
    const { size } = await file.stat();
    yield* linesBetween(file, start, size);
  } finally {
    await file.close();
  }
}

async function* linesBetween(file: FileHandle, start: number, size: number): AsyncGenerator<FileLines> {
  let begun: Buffer = Buffer.alloc(0);
  let isTooLong = false;
  for (let at = start; at < size; ) {
    const bytes = Buffer.allocUnsafe(Math.min(step, size - at));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, at);
    if (bytesRead === 0) return;
    const lines: FileLine[] = [];
    let from = 0;
    for (let to = bytes.indexOf(lineFeed); to >= 0 && to < bytesRead; to = bytes.indexOf(lineFeed, from)) {
      const rest = bytes.subarray(from, to);
      const isBounded = !isTooLong && begun.length + rest.length < longestLine;
      lines.push({
        bytes: !isBounded ? undefined : begun.length === 0 ? rest : Buffer.concat([begun, rest]),
      });
      begun = Buffer.alloc(0);
      isTooLong = false;
      from = to + 1;
    }
    at += bytesRead;
    if (lines.length > 0) yield { lines, end: at - (bytesRead - from) };
    const rest = bytes.subarray(from, bytesRead);
    isTooLong ||= begun.length + rest.length >= longestLine;
    begun = isTooLong ? Buffer.alloc(0) : Buffer.concat([begun, rest]);
  }
}
