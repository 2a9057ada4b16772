import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { portsOf } from '@azimuth/test-support/dds-domain';
import { temporaryFolder } from '@azimuth/test-support/files';
import { until } from '@azimuth/test-support/waiting';
import { onTestFinished } from 'vitest';

export interface Complaint {
  readonly frame: number;
  readonly vendor: string;
  readonly text: string;
}

/** Everything that is sent in a domain on loopback. */
export class Capture {
  readonly #file = join(temporaryFolder(), 'domain.pcapng');
  readonly #ports: { readonly first: number; readonly last: number };
  readonly #child: ChildProcessByStdio<null, null, Readable>;
  readonly #closed: Promise<unknown>;
  #says = '';

  private constructor(domain: number) {
    this.#ports = portsOf(domain);
    const { first, last } = this.#ports;
    const filter = `udp portrange ${first}-${last}`;
    // What the capture has not taken yet must fit its buffer (MB) while the machine is busy with other things.
    const words = ['-q', '-i', 'lo', '-B', '64', '-f', filter, '-w', this.#file];
    this.#child = spawn('dumpcap', words, { stdio: ['ignore', 'ignore', 'pipe'] });
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#says += text;
    });
    this.#closed = once(this.#child, 'close');
    onTestFinished(async () => {
      this.#child.kill('SIGKILL');
      await this.#closed;
    });
  }

  static async start(domain: number): Promise<Capture> {
    const capture = new Capture(domain);
    await until(() => capture.#says.includes('File: '));
    return capture;
  }

  /** Ends the capture, with everything in the file that was sent before. Throws if it missed packets. */
  async stop(): Promise<void> {
    const mark = randomBytes(16);
    await until(async () => {
      await send(mark, this.#ports.last);
      return readFileSync(this.#file).includes(mark);
    });
    this.#child.kill('SIGINT');
    await this.#closed;
    const [, received, dropped] =
      /received\/dropped on interface '[^']+': (\d+)\/(\d+)/.exec(this.#says) ?? [];
    if (received === undefined || dropped !== '0') throw new Error(`capture: ${this.#says}`);
  }

  /** How many packets of RTPS the dissector finds, by the vendor that sent them. */
  async packets(): Promise<ReadonlyMap<string, number>> {
    const found = new Map<string, number>();
    for (const [vendor = ''] of await this.#dissect('rtps', ['rtps.vendorId'])) {
      // The vendor of the packet comes first; a participant also states it in its announcement.
      const sender = vendor.split(',')[0] ?? '';
      found.set(sender, (found.get(sender) ?? 0) + 1);
    }
    return found;
  }

  /** What the dissector finds wrong: malformed packets, and whatever else it warns of. */
  async complaints(): Promise<readonly Complaint[]> {
    // CycloneDDS wakes its own sockets with datagrams of one byte.
    const filter = '(_ws.malformed || _ws.expert.severity >= warning || !rtps) && udp.length > 9';
    const rows = await this.#dissect(filter, ['frame.number', 'rtps.vendorId', '_ws.expert.message']);
    return rows.map(([frame, vendor = '', text = '']) => ({ frame: Number(frame), vendor, text }));
  }

  async #dissect(filter: string, fields: readonly string[]): Promise<readonly (readonly string[])[]> {
    const wanted = `(${filter}) && udp.dstport != ${this.#ports.last}`;
    // Some domains have ports that the dissector knows as those of other protocols, such as 13400.
    const options = ['-o', 'udp.try_heuristic_first:TRUE', '-T', 'fields'];
    for (const field of fields) options.push('-e', field);
    const { stdout } = await promisify(execFile)('tshark', ['-r', this.#file, '-Y', wanted, ...options], {
      maxBuffer: 2 ** 28,
    });
    return stdout.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')]));
  }
}

/** Sends one datagram on loopback. */
export async function send(bytes: Buffer, port: number): Promise<void> {
  const socket = createSocket('udp4');
  try {
    await promisify<void>((done) => socket.send(bytes, port, '127.0.0.1', (error) => done(error)))();
  } finally {
    socket.close();
  }
}
