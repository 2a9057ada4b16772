import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { sharedClock } from '../proc.js';
import { root } from './child-program.js';
import type { PostgresCluster } from './postgres-cluster.js';
import { type Place, Server } from './server.js';

const execute = promisify(execFile);
const command = join(root, 'packages', 'cli', 'bin', 'azimuth.js');

/** Shards of a fleet, unless it was made with another number. */
const shards = 128;

/** ms until workers have shared the shards. */
const patience = 180_000;

/** Workers and gateways on a database of their own. */
export class PostgresFleet {
  readonly url: string;
  readonly gateways: Server[] = [];
  workers: readonly Server[] = [];
  readonly #place: Place;
  readonly #environment: Readonly<Record<string, string>>;

  private constructor(place: Place, url: string) {
    this.#place = place;
    this.url = url;
    this.#environment = {
      NODE_ENV: 'production',
      AZIMUTH_STORE: url,
      AZIMUTH_FLEET_KEY: 'a key of the benchmark',
    };
  }

  /** A fleet of so many scanners, from serial number `first` on. Nothing runs yet. */
  static async apply(
    place: Place,
    cluster: PostgresCluster,
    { count, serial }: { readonly count: number; readonly serial: string },
  ): Promise<PostgresFleet> {
    const fleet = new PostgresFleet(place, await cluster.database());
    const file = join(place.folder, 'fleet.yaml');
    writeFileSync(file, `groups: {all: {count: ${count}, serial: "${serial}"}}\n`);
    for (const words of [['migrate'], ['apply', file]])
      await execute(process.execPath, [command, 'fleet', ...words], {
        env: { ...process.env, ...fleet.#environment },
      });
    return fleet;
  }

  async startGateways(count: number): Promise<void> {
    for (let index = 0; index < count; index++) this.gateways.push(await this.#start('gateway', '/healthz'));
  }

  /** @returns ms until all scanners are run by them */
  async startWorkers(count: number): Promise<number> {
    const begun = sharedClock();
    // At the same time, so that none takes the parts of the others: each is ready when it says how many shards it has.
    this.workers = await Promise.all(
      Array.from({ length: count }, () => this.#start('worker', '/readyz', '--capacity', '10000')),
    );
    await this.#until((held) => held.reduce((sum, one) => sum + one, 0) === shards);
    await this.#untilNoneWaits();
    return sharedClock() - begun;
  }

  /** Waits until each worker has its part of the shards. */
  async shared(): Promise<void> {
    await this.#until((held) => Math.max(...held) - Math.min(...held) <= held.length);
    await this.#untilNoneWaits();
  }

  async endWorkers(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.end()));
    this.workers = [];
  }

  async end(): Promise<void> {
    await this.endWorkers();
    await Promise.all(this.gateways.map((gateway) => gateway.end()));
  }

  async #until(isEnough: (held: readonly number[]) => boolean): Promise<void> {
    const end = performance.now() + patience;
    for (;;) {
      const held = await Promise.all(this.workers.map(shardsOf));
      if (isEnough(held)) return;
      if (performance.now() > end) throw new Error(`the workers have ${held.join(', ')} shards`);
      await pause(50);
    }
  }

  async #untilNoneWaits(): Promise<void> {
    const [gateway] = this.gateways;
    while ((await gateway?.get('/scanners?state=waiting'))?.trim() !== '[]') await pause(200);
  }

  #start(what: 'worker' | 'gateway', path: string, ...flags: readonly string[]): Promise<Server> {
    return Server.start(this.#place, {
      name: `azimuth ${what}`,
      command: (port) => [process.execPath, command, what, '--json', '--port', String(port), ...flags],
      path,
      env: this.#environment,
    });
  }
}

/** Undefined as long as it does not answer. */
async function shardsOf({ port }: Server): Promise<number> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/metrics`);
    const [, shards = '0'] = /^azimuth_worker_shards (\d+)$/m.exec(await response.text()) ?? [];
    return Number(shards);
  } catch {
    return 0;
  }
}
