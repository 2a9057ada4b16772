import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../processes/child-program.js';
import { type Child, cores, start } from '../processes/children.js';

/** The core and the receiver in C. */
export class LatencyProgram {
  readonly #program: string;

  private constructor(program: string) {
    this.#program = program;
  }

  /** Compiles it. Undefined without a compiler. @throws Error with the messages of the compiler */
  static compile(folder: string): LatencyProgram | undefined {
    const program = join(folder, 'latency');
    const source = join(root, 'bench', 'src', 'core-socket', 'latency.c');
    const include = `-I${join(root, 'examples', 'core-c')}`;
    const words = ['-std=c99', '-O2', include, source, '-o', program, '-lm'];
    const { error, status, stderr } = spawnSync('cc', words, { encoding: 'utf8' });
    if (error !== undefined) return undefined;
    if (status !== 0) throw new Error(`latency.c: ${stderr}`);
    return new LatencyProgram(program);
  }

  core(address: string, file: string): Child {
    const stdio = ['ignore', 'ignore', 'inherit'] as const;
    return start({ core: cores.load, command: [this.#program, 'core', address, file], stdio: [...stdio] });
  }

  async receiver(file: string): Promise<{ readonly child: Child; readonly port: number }> {
    const stdio = ['ignore', 'pipe', 'inherit'] as const;
    const child = start({ core: cores.load, command: [this.#program, 'receive', file], stdio: [...stdio] });
    if (child.stdout === null) throw new Error('the receiver has no output');
    const [port]: unknown[] = await once(createInterface(child.stdout), 'line');
    return { child, port: Number(port) };
  }
}

/** A segment that a core has measured. Times in ms of the shared clock. */
interface Written {
  readonly first: number;
  readonly begin: number;
  readonly end: number;
  readonly written: number;
}

/** Delays in ms of the segments that were written in a time, and how many have not arrived. */
export interface Delays {
  /** From the last byte to its datagram. */
  readonly afterWriting: readonly number[];
  /** From the first beam of each scan to the datagram of its first segment, without the time that the segment took. */
  readonly afterFirstSegment: readonly number[];
  readonly lost: number;
}

/**
 * Finds the datagram of each segment.
 * @param core and @param receiver files of the programs
 * @param from and @param to ms of the shared clock
 */
export function delaysIn(core: string, receiver: string, from: number, to: number): Delays {
  const arrivals = new Map<string, number>();
  for (const [, frame, segment, received] of linesOf(receiver))
    arrivals.set(`${frame} ${segment}`, (received ?? 0) / 1e6);
  const scans = new Map<number, Written[]>();
  for (const [scan = 0, first = 0, begin = 0, last = 0, written = 0] of linesOf(core)) {
    const at = written / 1e6;
    if (at < from || at >= to) continue;
    const segments = scans.get(scan) ?? [];
    segments.push({ first, begin: begin / 1e6, end: last / 1e6, written: at });
    scans.set(scan, segments);
  }
  const afterWriting: number[] = [];
  const afterFirstSegment: number[] = [];
  let lost = 0;
  for (const [scan, segments] of scans) {
    // A scan at the edge of the time is not whole.
    if (segments[0]?.first !== 0) continue;
    for (const [index, { written, end }] of segments.entries()) {
      const received = arrivals.get(`${scan} ${index}`);
      if (received === undefined) {
        lost += 1;
        continue;
      }
      afterWriting.push(received - written);
      if (index === 0) afterFirstSegment.push(received - end);
    }
  }
  return { afterWriting, afterFirstSegment, lost };
}

function linesOf(file: string): number[][] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(' ').map(Number));
}
