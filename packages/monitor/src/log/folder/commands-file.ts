import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommandEntry } from '../log-entry.js';
import { encodeLine } from '../log-line.js';
import { storableEntry } from '../storable-entry.js';
import { commandsFile, dayOf } from './log-file-name.js';

/** Lines of up to this many bytes: the system appends them as a whole, between those of other processes. */
const longestLine = 4096;
const lineFeed = 0x0a;
const ofGroup = 0o060;
const groupMayWrite = 0o020;

const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);

/**
 * Appends what a command did to the folder of a log. The folder must exist; another process may have it. Several commands
 * may do so at the same time. When it resolves, the entry is on the disk.
 * @throws errors of the system
 */
export async function appendCommand(folder: string, entry: CommandEntry): Promise<void> {
  const { mode } = await stat(folder);
  const file = await open(join(folder, commandsFile(dayOf(entry.at))), flags, 0o600);
  try {
    // Users of one group share a folder to which the group may write.
    if ((mode & groupMayWrite) !== 0) await file.chmod(0o600 | ofGroup).catch(() => undefined);
    for (const line of linesOf(entry)) await file.appendFile(await behindTornLine(file, line));
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** Entries with many paths become several lines. */
function linesOf(entry: CommandEntry): readonly Buffer[] {
  const line = encodeLine(storableEntry(entry));
  if (line.length <= longestLine || entry.wrote.length < 2) return [line];
  const half = Math.ceil(entry.wrote.length / 2);
  const parts = [entry.wrote.slice(0, half), entry.wrote.slice(half)];
  return parts.flatMap((wrote) => linesOf({ ...entry, wrote }));
}

/** A command that was killed may have left a part of a line. */
async function behindTornLine(file: FileHandle, line: Buffer): Promise<Buffer> {
  const { size } = await file.stat();
  if (size === 0) return line;
  const last = Buffer.alloc(1);
  await file.read(last, 0, 1, size - 1);
  return last[0] === lineFeed ? line : Buffer.concat([Buffer.of(lineFeed), line]);
}
