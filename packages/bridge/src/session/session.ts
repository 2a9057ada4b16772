import { open } from 'node:fs/promises';
import { largestServed } from './limits.js';
import { readEntry, readHead, type SessionEntry, type SessionHead } from './session-line.js';

/** Error for a file that is no session, or a damaged one. Its message names the file and the line. */
export class SessionError extends Error {
  override readonly name = 'SessionError';
}

/** A recorded session. */
export interface Session {
  /** Path of its file. */
  readonly path: string;
  readonly head: SessionHead;
  readonly entries: readonly SessionEntry[];
  /** True if its last line is not complete: the recording was cut off. All lines before it are there. */
  readonly isCut: boolean;
}

/** Reads a session. @throws SessionError; errors of node:fs */
export async function readSession(path: string): Promise<Session> {
  const text = await textOf(path);
  const lines = text.split('\n');
  // Every complete line ends with a line feed, so nothing follows the last one.
  const rest = lines.pop() ?? '';
  const [first = rest, ...others] = lines;
  const read = <T>(number: number, line: string, as: (line: string) => T): T => {
    try {
      return as(line);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new SessionError(`${path}, line ${number}: ${reason}`);
    }
  };
  const head = read(1, first, readHead);
  const entries = others.map((line, index) => read(index + 2, line, readEntry));
  return { path, head, entries, isCut: rest !== '' };
}

async function textOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const facts = await file.stat();
    const { size } = facts;
    if (!facts.isFile()) throw new SessionError(`${path}: expected a file, got something else`);
    if (size > largestServed)
      throw new SessionError(`${path}: expected up to ${largestServed} bytes, got ${size}`);
    return (await file.readFile()).toString();
  } finally {
    await file.close();
  }
}
