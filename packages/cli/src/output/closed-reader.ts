import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** ms between two looks. */
const lookEvery = 200;

/**
 * Calls `gone` when the process that reads standard output, as `head -1`, has ended. The system tells that only whoever
 * writes to a pipe, and a command may have nothing to write for hours. So on Linux the reader is looked for; elsewhere, and if
 * the reader cannot be seen (another user, another container), the next write finds out.
 * @returns a function that ends the looking
 */
export function onClosedReader(gone: () => void): () => void {
  const pipe = process.platform === 'linux' ? linkOf('self', String(process.stdout.fd)) : undefined;
  if (pipe?.startsWith('pipe:') !== true) return () => undefined;
  let readers = readersOf(pipe);
  if (readers.length === 0) return () => undefined;
  const timer = setInterval(() => {
    if (readers.some(({ pid, fd }) => linkOf(pid, fd) === pipe)) return;
    // It may have handed the pipe over.
    readers = readersOf(pipe);
    if (readers.length > 0) return;
    clearInterval(timer);
    gone();
  }, lookEvery).unref();
  return () => clearInterval(timer);
}

/** A file that a process has open. */
interface OpenFile {
  readonly pid: string;
  readonly fd: string;
}

/** Where other processes read this pipe. */
function readersOf(pipe: string): readonly OpenFile[] {
  return entriesOf('/proc')
    .filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
    .flatMap((name) =>
      entriesOf(`/proc/${name}/fd`)
        .filter((fd) => linkOf(name, fd) === pipe && isForReading(name, fd))
        .map((fd) => ({ pid: name, fd })),
    );
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function linkOf(pid: string, fd: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/fd/${fd}`);
  } catch {
    return undefined;
  }
}

/** The last octal digit of the flags is 1 if it is open for writing alone. */
function isForReading(pid: string, fd: string): boolean {
  try {
    return !/^flags:\s*\d*1$/m.test(readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'utf8'));
  } catch {
    return false;
  }
}
