import type { AppendedFile } from './log-disk.js';

/** Bytes that are searched at once. */
const step = 65_536;
const lineFeed = 0x0a;

/**
 * Removes what is behind the last line feed of a file: a line that a kill or a power cut has torn.
 * @returns the number of bytes that it removed
 */
export async function cutTornLine(file: AppendedFile): Promise<number> {
  const size = await file.size();
  const end = await endOfLastLine(file, size);
  if (end === size) return 0;
  await file.truncate(end);
  await file.sync();
  return size - end;
}

async function endOfLastLine(file: AppendedFile, size: number): Promise<number> {
  const bytes = Buffer.alloc(step);
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - step);
    const count = await file.read(bytes.subarray(0, end - start), start);
    const found = bytes.subarray(0, count).lastIndexOf(lineFeed);
    if (found >= 0) return start + found + 1;
    end = start;
  }
  return 0;
}
