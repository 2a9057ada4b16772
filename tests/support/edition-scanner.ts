import { MemoryStorage, SystemRandom, VirtualClock } from '@azimuth/device';
import { type Edition, newestRelease, oldestRelease, releases, variants } from '@azimuth/model';
import { ScannerService } from '@azimuth/server';
import { usualCore, VirtualHardware } from '@azimuth/simulation';
import { afterAll, beforeAll } from 'vitest';
import { Client } from './client.js';
import { freePort } from './free-port.js';
import { number } from './json.js';
import { until } from './waiting.js';

type NamedEdition = readonly [string, Edition];

const every: readonly NamedEdition[] = releases.flatMap((release) =>
  variants.map((variant) => [`${release} ${variant}`, { release, variant }] as const),
);

/** The oldest and the newest, the first with backups, and all variants. */
const some = [`${oldestRelease} basic`, '2.2.0 full', '2.2.1 picoScan120', `${newestRelease} full`];

/** The editions to test with their names: some, or all (`tests/long/editions`). */
export const editions: readonly NamedEdition[] =
  process.env.AZIMUTH_EDITIONS === 'all' ? every : every.filter(([name]) => some.includes(name));

/** Of so many names at least in other editions, how many the smallest variant has at least. */
export function fewestIn({ variant }: Edition, usual: number): number {
  return variant === variants.at(-1) ? (usual * 3) / 4 : usual;
}

const bootMilliseconds = 2000;
const quiet = () => {};

/** A scanner of one edition in this process, in memory and on virtual time, with one connection to it. */
export class EditionScanner {
  readonly #service: ScannerService;
  readonly #clock: VirtualClock;
  #client: Client;

  private constructor(service: ScannerService, clock: VirtualClock) {
    this.#service = service;
    this.#clock = clock;
    this.#client = this.#connect();
  }

  static async start({ release, variant }: Edition): Promise<EditionScanner> {
    const clock = new VirtualClock();
    const random = new SystemRandom();
    const hardware = new VirtualHardware({ info: quiet, warn: quiet, error: quiet }, { bootMilliseconds });
    const service = await ScannerService.start({
      clock,
      hardware: hardware,
      device: {
        identity: { serialNumber: '12345678' },
        random,
        core: () => usualCore(random, hardware),
        storage: new MemoryStorage(),
        release,
        variant,
      },
      network: { address: '127.0.0.1' },
      web: { port: await freePort(), maxConnections: 100, metricsFreshFor: 0 },
    });
    return new EditionScanner(service, clock);
  }

  get client(): Client {
    return this.#client;
  }

  get address(): string {
    return `http://127.0.0.1:${this.#service.ports.http}`;
  }

  /** Cycles the power. */
  async powerCycle(): Promise<void> {
    this.#client.close();
    this.#service.device.lifecycle.powerCycle();
    this.#clock.advance(bootMilliseconds);
    await until(() => this.#service.ports.http !== null);
    this.#client = this.#connect();
  }

  async close(): Promise<void> {
    this.#client.close();
    await this.#service.close();
  }

  #connect(): Client {
    return new Client(number(this.#service.ports.http), { keepAlive: true });
  }
}

/** A scanner of this edition for all tests of a block. */
export function scannerOf(edition: Edition): () => EditionScanner {
  let scanner: EditionScanner | undefined;
  beforeAll(async () => {
    scanner = await EditionScanner.start(edition);
  });
  afterAll(() => scanner?.close());
  return () => {
    if (scanner === undefined) throw new Error('the scanner has not started');
    return scanner;
  };
}
