import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FirmwareInstaller, NetworkSettings, Sensor } from '@azimuth/device';
import { VirtualHardware } from '@azimuth/simulation';
import { firmware } from '@azimuth/test-support/firmware';
import { temporaryFolder } from '@azimuth/test-support/serve-process';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { expect, onTestFinished, test, vi } from 'vitest';
import { azimuth } from './run.js';

/** A board that installs firmware and sets an address, or fails to. */
class Board extends VirtualHardware {
  install: FirmwareInstaller['install'] = async () => undefined;
  refuses = false;
  faults: readonly string[] = [];
  readonly firmware: FirmwareInstaller = {
    install: (file, progress, signal) => this.install(file, progress, signal),
  };
  override readonly network = {
    lease: () => undefined,
    apply: async (_: NetworkSettings) => {
      if (this.refuses) throw new Error('ip: Operation not permitted');
    },
  };

  tell: (sensor: Sensor) => void = () => undefined;

  override onChange(changed: (sensor: Sensor) => void): () => void {
    this.tell = changed;
    return super.onChange(changed);
  }

  errors(): readonly string[] {
    return this.faults;
  }
}

async function boardScanner(release?: string) {
  let board: Board | undefined;
  const scanner = await TestScanner.start({
    release,
    hardware: (log) => {
      board = new Board(log);
      return board;
    },
  });
  if (board === undefined) throw new Error('no board');
  vi.stubEnv('AZIMUTH_DEVICE', scanner.service.url ?? '');
  vi.stubEnv('AZIMUTH_PASSWORD', 'servicelevel');
  return { scanner, board };
}

test('an update shows the progress of the installer in percent, and ends with its error', async () => {
  const { scanner, board } = await boardScanner('2.1.0');
  const running = setInterval(() => scanner.clock.advance(50), 50);
  onTestFinished(() => clearInterval(running));
  const file = join(temporaryFolder(), 'F.spk');
  writeFileSync(file, firmware());
  board.install = async (_, progress) => {
    for (const percent of [20, 60]) {
      progress(percent);
      await new Promise((resolve) => setTimeout(resolve, 700));
    }
    throw new Error('rauc: no slot');
  };
  const { stdout, stderr, exitCode } = await azimuth('update', file, '--yes', '--progress');
  expect([stdout, exitCode]).toEqual(['', 1]);
  expect(stderr).toMatch(/^The scanner is installing …\nInstalling 20 %\nInstalling 60 %\n/m);
  expect(stderr.trimEnd()).toMatch(/RunFirmwareUpdate: refused \(UpdateState Error\) – .*rauc: no slot$/);
  expect((await azimuth('status')).stdout).toMatch(/^Reasons +installation of firmware by the hardware$/m);
});

test('errors and failing members of the hardware are reasons in status and doctor', async () => {
  const { scanner, board } = await boardScanner();
  board.faults = ['the board is too hot'];
  board.temperature = () => Number.NaN;
  board.tell('errors');
  board.tell('temperature');
  scanner.clock.advance(2000);
  const { stdout } = await azimuth('status');
  const reasons = /^Reasons +(.*)$/m.exec(stdout)?.[1]?.split('; ').toSorted();
  expect(reasons).toEqual(['failing: temperature of the hardware', 'hardware: the board is too hot']);
  expect((await azimuth('doctor', '--no-discover')).stdout).toContain('hardware: the board is too hot');
  board.faults = [];
  board.temperature = () => 30;
  board.tell('errors');
  scanner.clock.advance(2000);
  expect((await azimuth('status')).stdout).not.toMatch(/^Reasons/m);
});

test('network settings that the system refuses are shown with the address in use', async () => {
  const { board } = await boardScanner();
  expect((await azimuth('status')).stdout).toMatch(/^Address +192\.168\.0\.1 mask 255\.255\.255\.0, MAC/m);
  board.refuses = true;
  await azimuth('set', 'EtherIPAddress', '10.0.0.5');
  await azimuth('call', 'EthernetUpdate', '--yes');
  const { stdout } = await azimuth('status');
  expect(stdout).toMatch(/^Address +192\.168\.0\.1 mask/m);
  expect(stdout).toMatch(/^Network +the settings could not be applied: .*Operation not permitted$/m);
  const checks = (await azimuth('doctor', '--no-discover')).stdout;
  expect(checks).toMatch(/problem +the network settings are not in force: .*the scanner uses 192\.168\.0\.1/);
  board.refuses = false;
  await azimuth('call', 'EthernetUpdate', '--yes');
  expect((await azimuth('status')).stdout).toMatch(/^Address +10\.0\.0\.5 mask/m);
});
