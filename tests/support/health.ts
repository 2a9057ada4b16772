import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { growthOf } from './growth.js';
import { object, parse } from './json.js';
import type { ScannerProcess } from './scanner-process.js';

/** Observes a process from outside: memory, open files, log. */
export class Health {
  readonly #scanner: ScannerProcess;
  readonly #memory: number[] = [];
  readonly #isExpected: (message: string) => boolean;
  #read = 0;

  /** @param isExpected true for a message in the log about what the test does */
  constructor(scanner: ScannerProcess, isExpected: (message: string) => boolean = () => false) {
    this.#scanner = scanner;
    this.#isExpected = isExpected;
  }

  /** Records the memory in use. Throws if the log contains an error of the scanner's own. */
  check(): void {
    const { log } = this.#scanner;
    const end = log.lastIndexOf('\n') + 1;
    const lines = log.slice(this.#read, end).split('\n');
    const alarm = lines.find((line) => line !== '' && !isHarmless(line, this.#scanner, this.#isExpected));
    this.#read = end;
    if (alarm !== undefined) throw new Error(`the log says: ${alarm}`);
    this.#memory.push(residentMegabytes(this.#scanner.pid));
  }

  /** Growth (MB) of the memory over rounds of equal load that goes on. */
  get growth(): number {
    return growthOf(this.#memory);
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

/** Bytes of memory that a process has resident. */
export function residentBytes({ pid }: ScannerProcess): number {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) * 1024;
}

export function openFiles({ pid }: ScannerProcess): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** A value in the metrics of a scanner; NaN if there is none of this name. */
export async function metric(scanner: ScannerProcess, name: string): Promise<number> {
  const { text } = await scanner.client().send({ method: 'GET', path: '/metrics' });
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
}

/** True if a detail of status 3 is not an error of the scanner's own. */
export function isExpectedFailure(detail: string): boolean {
  return detail === 'user: expected the name of a user level that can log in';
}

function isHarmless(
  line: string,
  scanner: ScannerProcess,
  isExpected: (message: string) => boolean,
): boolean {
  if (!line.startsWith('{')) return false;
  const { level, reason, msg } = object(parse(line));
  if (typeof level === 'number' && level < 50) return true;
  if (typeof msg === 'string' && isExpected(msg)) return true;
  return typeof reason === 'string' && (isExpectedFailure(reason) || isForeignPort(reason, scanner));
}

/** The reason in the log if a port is in use to which an input has set a data stream. */
const streamPortInUse = /^PortTaken: Port (\d+) on \S+ is in use\. Write another port to the settings/;

/** Another program of this machine may use the port that an input has chosen for a stream; the scanner itself may not. */
function isForeignPort(reason: string, scanner: ScannerProcess): boolean {
  const [, port] = streamPortInUse.exec(reason) ?? [];
  return port !== undefined && !listeningPorts(scanner).has(Number(port));
}

const listening = '0A';

/** The TCP ports at which a process listens. */
function listeningPorts({ pid }: ScannerProcess): ReadonlySet<number> {
  const sockets = new Set(readdirSync(`/proc/${pid}/fd`).map((fd) => socketOf(pid, fd)));
  const rows = ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/${pid}/net/${table}`, 'utf8').trim().split('\n').slice(1),
  );
  const ports = new Set<number>();
  for (const row of rows) {
    const columns = row.trim().split(/\s+/);
    const [, address = '', , state] = columns;
    if (state !== listening || !sockets.has(columns[9])) continue;
    ports.add(Number.parseInt(address.slice(address.lastIndexOf(':') + 1), 16));
  }
  return ports;
}

/** The inode of the socket behind a file descriptor; undefined for a file, or if it was closed meanwhile. */
function socketOf(pid: number, fd: string): string | undefined {
  try {
    return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1];
  } catch {
    return undefined;
  }
}
