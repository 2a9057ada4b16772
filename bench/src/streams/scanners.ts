import { MemoryStorage, SystemClock, SystemRandom, virtualIdentity } from '@azimuth/device';
import { basicSettings, measurementDataOutput, type Variable } from '@azimuth/model';
import { ScannerService } from '@azimuth/server';
import { VirtualHost } from '@azimuth/world';
import { parseScene, SceneCore } from '@azimuth/world/scene';
import { sceneOf } from '../raycast/scene.js';

/** Lines of the scene that each scanner sees. */
export const linesOfScene = 200;

const profile = 8;
const service = { level: 'Service' } as const;
const { ScanDataEnable, ScanDataEthSettings } = measurementDataOutput.members;
const { PerformanceProfileNumber } = basicSettings.members;

/** Counts over all scanners of a process. */
export interface ScanCount {
  /** Computed scans, and skipped revolutions. */
  readonly scans: number;
  readonly skipped: number;
}

/** Complete scanners in one process. Each streams to one port of this machine. */
export class ScannerGroup {
  readonly #scanners: ScannerService[] = [];

  /** Opens a scanner for each port. */
  static async open(ports: readonly number[]): Promise<ScannerGroup> {
    const group = new ScannerGroup();
    for (const [index, port] of ports.entries()) group.#scanners.push(await openScanner(index + 1, port));
    return group;
  }

  get count(): ScanCount {
    const measuring = this.#scanners.map(({ device }) => device.measuring);
    return {
      scans: measuring.reduce((sum, { scans }) => sum + scans, 0),
      skipped: measuring.reduce((sum, { skipped }) => sum + skipped, 0),
    };
  }

  async close(): Promise<void> {
    await Promise.all(this.#scanners.map((scanner) => scanner.close()));
  }
}

async function openScanner(number: number, port: number): Promise<ScannerService> {
  const scanner = await ScannerService.start({
    device: {
      identity: virtualIdentity(String(number)),
      random: new SystemRandom(),
      storage: new MemoryStorage(),
      core: new SceneCore({ scene: parseScene(sceneOf(linesOfScene), 'scene'), seed: number }),
      variant: 'full',
      bootMilliseconds: 0,
    },
    clock: new SystemClock(),
    host: new VirtualHost({ info() {}, warn: report, error: report }),
    network: { mode: 'simulate', host: '127.0.0.1' },
    web: { port: 0, maxConnections: 10 },
  });
  write(scanner, PerformanceProfileNumber, profile);
  write(scanner, ScanDataEthSettings, {
    Protocol: 1,
    IPAddress: [127, 0, 0, 1],
    Port: port,
  });
  write(scanner, ScanDataEnable, true);
  return scanner;
}

function write<T>({ device }: ScannerService, variable: Variable<T>, value: T): void {
  device.write(variable, value, service);
}

function report(message: string): void {
  process.stderr.write(`a scanner reports: ${message}\n`);
}
