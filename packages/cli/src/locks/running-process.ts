import { readFileSync } from 'node:fs';

/**
 * True if a process of this number runs on this computer, and is not this one. Linux shows what it runs: a number that
 * another program has got meanwhile does not count.
 */
export function isRunning(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // A process of another user cannot be signalled.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  const [own, other] = [programOf(process.pid), programOf(pid)];
  return own === undefined || other === undefined || own === other;
}

/** Returns the program that a process runs; undefined where the system does not show it. */
function programOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8');
  } catch {
    return undefined;
  }
}
