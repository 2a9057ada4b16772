import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@azimuth/test-support/serve-process';
import { type StartOptions, startScanner, type TestScanner } from '@azimuth/testing';
import { onTestFinished, vi } from 'vitest';

/** Scanners gate1, gate2 … of a hall, on the real clock, in a folder of its own. */
export interface Hall {
  readonly folder: string;
  readonly scanners: readonly TestScanner[];
  /** The path of a file in the folder. */
  readonly at: (name: string) => string;
}

/** The releases of a hall: each third scanner has the same one. */
export const releases = ['2.4.4', '2.2.0', '2.1.0'] as const;

/** Starts so many scanners, and writes a devices file with them. They end with the test. */
export async function startHall(
  count: number,
  optionsOf: (number: number) => StartOptions = () => ({}),
): Promise<Hall> {
  const folder = temporaryFolder();
  const scanners = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      startScanner({
        release: releases[index % releases.length],
        clock: 'real',
        asDevice: true,
        bootTime: 0.1,
        serial: `24500${String(index + 1).padStart(3, '0')}`,
        ...optionsOf(index + 1),
      }),
    ),
  );
  onTestFinished(async () => {
    await Promise.all(scanners.map((scanner) => scanner.close()));
  });
  const at = (name: string) => join(folder, name);
  const lines = scanners.map(
    ({ url, ports }, index) => `  hall/gate${index + 1}:\n    url: ${url}\n    https-port: ${ports.https}\n`,
  );
  writeFileSync(at('devices.yaml'), `devices:\n${lines.join('')}`, { mode: 0o600 });
  vi.stubEnv('AZIMUTH_DEVICES', at('devices.yaml'));
  vi.stubEnv('AZIMUTH_DEVICE', '');
  vi.stubEnv('AZIMUTH_PASSWORD', 'servicelevel');
  return { folder, scanners, at };
}

/** How often each scanner has carried out a method. */
export function calls({ scanners }: Hall, method: string): readonly number[] {
  return scanners.map(
    ({ journal }) =>
      journal.entries.filter((entry) => entry.kind === 'call' && entry.name === method && entry.status === 0)
        .length,
  );
}
