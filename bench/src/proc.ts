import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts CPU time of a process in hundredths of a second, whatever the kernel's own tick. */
const ticksPerSecond = 100;

/** Megabytes (10⁶ bytes): resident now, and at most so far. */
export interface Memory {
  readonly resident: number;
  readonly peak: number;
}

/**
 * Seconds of CPU time of all threads of a process and its descendants; NaN if the system
 * does not report it.
 */
export function cpuSeconds(pid: number): number {
  return sum(familyOf(pid).map(ownCpuSeconds));
}

/**
 * The memory of a process and its descendants; NaN if the system does not report it. Memory that two processes share
 * counts twice.
 */
export function memory(pid: number): Memory {
  const statuses = familyOf(pid).map((member) => read(`/proc/${member}/status`));
  return {
    resident: sum(statuses.map((status) => megabytes(status, 'VmRSS'))),
    peak: sum(statuses.map((status) => megabytes(status, 'VmHWM'))),
  };
}

/**
 * Seconds that the main thread of a process was ready to run and had to wait for its core, since it began; NaN if
 * the system does not report it.
 */
export function waitedSeconds(pid: number): number {
  const nanoseconds = read(`/proc/${pid}/schedstat`).split(' ')[1];
  return Number(nanoseconds ?? Number.NaN) / 1e9;
}

function familyOf(pid: number): number[] {
  const children = read(`/proc/${pid}/task/${pid}/children`).trim();
  return [pid, ...(children === '' ? [] : children.split(' ').flatMap((child) => familyOf(Number(child))))];
}

function ownCpuSeconds(pid: number): number {
  const exact = sum(
    threadsOf(pid).map((thread) => Number(read(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0])),
  );
  // Some kernels count only hundredths of a second.
  return exact > 0 ? exact / 1e9 : roughCpuSeconds(pid);
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

function roughCpuSeconds(pid: number): number {
  const line = read(`/proc/${pid}/stat`);
  // The name of the program, in parentheses, can contain blanks: count from its end.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11] ?? Number.NaN) + Number(fields[12] ?? Number.NaN)) / ticksPerSecond;
}

function megabytes(status: string, name: string): number {
  const kibibytes = new RegExp(`^${name}:\\s*(\\d+) kB$`, 'm').exec(status)?.[1];
  return (Number(kibibytes ?? Number.NaN) * 1024) / 1e6;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Milliseconds of a clock that all processes of this machine share. */
export function sharedClock(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
