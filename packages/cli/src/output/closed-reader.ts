import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Poll interval in ms. */
const pollInterval = 200;

/**
 * Calls `onClosed` when the process that reads standard output, such as `head -1`, has ended. The system reports that
 * only to a writer, and a command may have nothing to write for hours. So on Linux, the reader is polled. On other
 * systems, and if the reader is not visible (another user, another container), only the next write fails.
 * @returns a function that ends the polling
 */
export function onClosedReader(onClosed: () => void): () => void {
  const pipe = process.platform === 'linux' ? linkTarget('self', String(process.stdout.fd)) : undefined;
  if (pipe?.startsWith('pipe:') !== true) return () => undefined;
  let readers = pipeReaders(pipe);
  if (readers.length === 0) return () => undefined;
  const timer = setInterval(() => {
    if (readers.some(({ pid, fd }) => linkTarget(pid, fd) === pipe)) return;
    // It may have handed the pipe over.
    readers = pipeReaders(pipe);
    if (readers.length > 0) return;
    clearInterval(timer);
    onClosed();
  }, pollInterval).unref();
  return () => clearInterval(timer);
}

/** An open file of a process. */
interface OpenFile {
  readonly pid: string;
  readonly fd: string;
}

/** Returns the places where other processes read this pipe. */
function pipeReaders(pipe: string): readonly OpenFile[] {
  return folderEntries('/proc')
    .filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
    .flatMap((name) =>
      folderEntries(`/proc/${name}/fd`)
        .filter((fd) => linkTarget(name, fd) === pipe && isForReading(name, fd))
        .map((fd) => ({ pid: name, fd })),
    );
}

function folderEntries(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function linkTarget(pid: string, fd: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/fd/${fd}`);
  } catch {
    return undefined;
  }
}

/** The last octal digit of the flags is 1 if it is open for writing only. */
function isForReading(pid: string, fd: string): boolean {
  try {
    return !/^flags:\s*\d*1$/m.test(readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'utf8'));
  } catch {
    return false;
  }
}
