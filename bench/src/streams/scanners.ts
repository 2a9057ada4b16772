import { SystemClock } from '@azimuth/device';
import type { ScannerService } from '@azimuth/server';
import { openScanner } from '../whole-scanner.js';

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
    for (const [index, port] of ports.entries()) {
      group.#scanners.push(await openScanner(new SystemClock(), { number: index + 1, port }));
    }
    return group;
  }

  get count(): ScanCount {
    const measuring = this.#scanners.map(({ device }) => device.features.measuring);
    return {
      scans: measuring.reduce((sum, { scans }) => sum + scans, 0),
      skipped: measuring.reduce((sum, { skipped }) => sum + skipped, 0),
    };
  }

  async close(): Promise<void> {
    await Promise.all(this.#scanners.map((scanner) => scanner.close()));
  }
}
