import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, writeFileSync } from 'node:fs';
import { connect as connectTcp } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { connectAsync, type MqttClient } from 'mqtt';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './files.js';
import { freePort } from './free-port.js';

/** What a client has got last on each topic. */
export interface Watcher {
  readonly client: MqttClient;
  readonly last: ReadonlyMap<string, string>;
  readonly all: readonly { readonly topic: string; readonly payload: string; readonly retain: boolean }[];
}

/** A broker of Debian in a folder of its own. It ends with the test. */
export class Mosquitto {
  readonly folder = temporaryFolder();
  #process: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    readonly lines: readonly string[],
  ) {}

  /** @param lines of its configuration, beside those for its port and its folder */
  static async start(...lines: readonly string[]): Promise<Mosquitto> {
    const broker = new Mosquitto(await freePort(), lines);
    onTestFinished(() => broker.kill());
    await broker.up();
    return broker;
  }

  get url(): string {
    return `mqtt://127.0.0.1:${this.port}`;
  }

  async up(): Promise<void> {
    const file = join(this.folder, 'mosquitto.conf');
    const own = [
      `listener ${this.port} 127.0.0.1`,
      'user root',
      'persistence true',
      `persistence_location ${this.folder}/`,
    ];
    const access = this.lines.some((line) => line.startsWith('password_file'))
      ? []
      : ['allow_anonymous true'];
    writeFileSync(file, [...own, ...access, ...this.lines, ''].join('\n'));
    const child = spawn('mosquitto', ['-c', file], { stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr.on('data', (text) => appendFileSync(join(this.folder, 'log'), String(text)));
    this.#process = child;
    await this.#accepting(child);
  }

  /** Ends it as a restart does: it saves what is retained. */
  async stop(): Promise<void> {
    await this.#end('SIGTERM');
  }

  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /**
   * Follows all topics.
   * @param session the name of a session, for which the broker keeps what comes while the client is away; none by default
   */
  async watch(pattern = '#', session?: string): Promise<Watcher> {
    const kept = { clientId: session, clean: false, properties: { sessionExpiryInterval: 3600 } };
    const client = await connectAsync(this.url, {
      ...{ protocolVersion: 5, reconnectPeriod: 50 },
      ...(session === undefined ? {} : kept),
    });
    onTestFinished(() => client.endAsync(true));
    client.on('error', () => undefined);
    const last = new Map<string, string>();
    const all: { topic: string; payload: string; retain: boolean }[] = [];
    client.on('message', (topic, payload, { retain }) => {
      last.set(topic, payload.toString());
      all.push({ topic, payload: payload.toString(), retain });
    });
    await client.subscribeAsync(pattern, { qos: 1, rap: true });
    return { client, last, all };
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  }

  async #accepting(child: ChildProcess): Promise<void> {
    while (child.exitCode === null) {
      const socket = connectTcp(this.port, '127.0.0.1');
      try {
        await once(socket, 'connect');
        return;
      } catch {
        await setTimeout(20);
      } finally {
        socket.destroy();
      }
    }
    throw new Error(`mosquitto has ended with ${child.exitCode}`);
  }
}

/** Writes a file with the digest of a password. Returns its path. */
export function passwordFile(folder: string, user: string, password: string): string {
  const file = join(folder, 'passwords');
  writeFileSync(file, `${user}:${password}\n`, { mode: 0o600 });
  spawnSync('mosquitto_passwd', ['-U', file]);
  return file;
}
