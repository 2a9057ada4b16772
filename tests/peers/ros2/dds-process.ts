import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { type JsonObject, object, parse } from '@azimuth/test-support/json';
import { onTestFinished } from 'vitest';
import { type Program, pathOf } from './build.js';

/** The unicast ports of CycloneDDS: free ones, as is its default, or those that the specification gives to a domain. */
export type CyclonePorts = 'any' | 'of the domain';

/** CycloneDDS on loopback: it uses multicast there only if it is told that loopback can. */
function cycloneConfiguration(ports: CyclonePorts): string {
  const index = ports === 'any' ? 'none' : 'auto';
  const discovery = `<Discovery><ParticipantIndex>${index}</ParticipantIndex></Discovery>`;
  const network = '<Interfaces><NetworkInterface name="lo" multicast="true"/></Interfaces>';
  const general = `<General><AllowMulticast>true</AllowMulticast>${network}</General>`;
  return `<CycloneDDS><Domain>${general}${discovery}</Domain></CycloneDDS>`;
}

export interface DdsProcessOptions {
  readonly onEvent?: (event: JsonObject) => void;
  readonly ports?: CyclonePorts;
}

/** A program of this folder, with what it prints as events. The test ends it. */
export class DdsProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly events: JsonObject[] = [];
  readonly exited: Promise<number | null>;
  #errors = '';
  #isOver = false;

  constructor(program: Program, words: readonly (string | number)[], options: DdsProcessOptions = {}) {
    const { onEvent = () => {}, ports = 'any' } = options;
    const env = { ...process.env, CYCLONEDDS_URI: cycloneConfiguration(ports) };
    this.#child = spawn(pathOf(program), words.map(String), { stdio: ['pipe', 'pipe', 'pipe'], env });
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#errors += text;
    });
    this.#child.stdin.on('error', () => undefined);
    // A program that is killed may leave a line without an end.
    let rest = '';
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = text.split('\n');
      lines[0] = rest + lines[0];
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const event = object(parse(line));
        this.events.push(event);
        onEvent(event);
      }
    });
    this.exited = once(this.#child, 'close').then(() => {
      this.#isOver = true;
      return this.#child.exitCode;
    });
    onTestFinished(() => this.kill());
  }

  /** Throws if the program has ended although nobody asked for it. */
  check(): void {
    if (this.#isOver) throw new Error(`${this.#child.spawnfile} has ended: ${this.#errors}`);
  }

  /** Ends the program in good order: it says goodbye to the other participants. Throws if it complains. */
  async stop(): Promise<void> {
    this.#child.stdin.end();
    const code = await this.exited;
    if (code !== 0) throw new Error(`${this.#child.spawnfile} ended with ${code}: ${this.#errors}`);
  }

  /** Ends the program without a goodbye. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.exited;
  }

  /** Stops the program in the middle of what it does. Its sockets stay, and fill up. */
  freeze(): void {
    this.#child.kill('SIGSTOP');
  }

  thaw(): void {
    this.#child.kill('SIGCONT');
  }
}
