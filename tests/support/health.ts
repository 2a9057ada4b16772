import { readdirSync, readFileSync } from 'node:fs';
import { alarmsIn } from './alarms.js';
import type { ScannerProcess } from './scanner-process.js';

/** Looks at a process from outside: its memory, its open files, its log. */
export class Health {
  readonly #scanner: ScannerProcess;
  readonly #memory: number[] = [];
  #read = 0;

  constructor(scanner: ScannerProcess) {
    this.#scanner = scanner;
  }

  /** Notes the memory in use now; throws where the log tells of an error of the scanner's own. */
  check(): void {
    const { log } = this.#scanner;
    const end = log.lastIndexOf('\n') + 1;
    const [alarm] = alarmsIn(log.slice(this.#read, end));
    this.#read = end;
    if (alarm !== undefined) throw new Error(`the log says: ${alarm}`);
    this.#memory.push(residentMegabytes(this.#scanner.pid));
  }

  /**
   * How far (MB) the memory has grown over rounds of equal load. The first half is left out: a process takes its
   * share of memory first, and keeps it.
   */
  get growth(): number {
    const half = Math.floor(this.#memory.length / 2);
    const quarter = Math.ceil((this.#memory.length - half) / 2);
    return median(this.#memory.slice(half + quarter)) - median(this.#memory.slice(half, half + quarter));
  }

  get memory(): readonly number[] {
    return this.#memory;
  }

  get openFiles(): number {
    return readdirSync(`/proc/${this.#scanner.pid}/fd`).length;
  }
}

function residentMegabytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
