import { dateAndSystemTime, operatingData, status as statusGroup } from '@azimuth/model';
import { VirtualHardware } from '@azimuth/simulation';
import type { FaultPlan } from '@azimuth/simulation/faults';
import { Client, statusOf } from '@azimuth/test-support/client';
import { LogBook } from '@azimuth/test-support/log-book';
import { bootMilliseconds, TestScanner } from '@azimuth/test-support/test-scanner';
import { promisesSettled, until } from '@azimuth/test-support/waiting';
import { describe, expect, test } from 'vitest';

const { DeviceStatus, temperatureAlarmStatus } = statusGroup.members;
const { PowerOnCnt } = operatingData.members;
const { LSPdatetime } = dateAndSystemTime.members;

async function scannerWith(...faults: FaultPlan['faults']): Promise<TestScanner> {
  return TestScanner.start({ faults: { faults } });
}

const phaseOf = (scanner: TestScanner) => scanner.service.device.lifecycle.phase;

/** Lets time pass in steps, so that the scanner finishes its work on the disk. */
async function pass(scanner: TestScanner, milliseconds: number): Promise<void> {
  for (let left = milliseconds; left > 0; left -= 500) {
    scanner.clock.advance(Math.min(500, left));
    for (let turn = 0; turn < 10; turn++) await promisesSettled();
  }
}

describe('the device', () => {
  test('loses its power for some time: what was not saved is lost, and nothing listens meanwhile', async () => {
    const scanner = await scannerWith({ kind: 'device-power-cut', at: 1000, for: 5000 });
    const before = await scanner.client().value('LocationName');
    await new Client(scanner.httpPort).write('LocationName', 'Gate 3');
    const port = scanner.httpPort;
    await pass(scanner, 1000);
    // A connection that comes while the listener is closed is reset.
    await until(() => isRefused(port));
    await pass(scanner, 5000 + bootMilliseconds - 1);
    expect(phaseOf(scanner)).toBe('down');
    scanner.clock.advance(1);
    await until(() => scanner.service.ports.http !== null);
    expect(await new Client(port).value('LocationName')).toEqual(before);
    expect(scanner.service.device.read(PowerOnCnt)).toBe(2);
  });

  test('fails to boot three times, and takes longer', async () => {
    const scanner = await scannerWith(
      { kind: 'device-boot-loop', first: 3 },
      { kind: 'device-slow-boot', first: 1, delay: 10_000 },
    );
    scanner.service.device.lifecycle.powerCycle();
    await pass(scanner, 10_000 + 4 * bootMilliseconds - 500);
    expect(phaseOf(scanner)).toBe('down');
    expect(scanner.faults.list.map(({ times }) => times)).toEqual([3, 1]);
    scanner.clock.advance(500);
    await until(() => phaseOf(scanner) === 'up');
    expect(scanner.log.errors).toHaveLength(3);
  });

  test('boots late with a known issue of every release', async () => {
    const scanner = await scannerWith({ kind: 'known-issue', issue: 'all/late-start' });
    await pass(scanner, 0);
    scanner.clock.advance(1);
    scanner.service.device.lifecycle.powerCycle();
    await pass(scanner, 18_000 + bootMilliseconds - 1);
    expect(phaseOf(scanner)).toBe('down');
    await pass(scanner, 500);
    await until(() => phaseOf(scanner) === 'up');
  });

  test('refuses a known issue of another release, and says of which', async () => {
    const scanner = await scannerWith();
    expect(() =>
      scanner.faults.add({ faults: [{ kind: 'known-issue', issue: '2.1.0/angle-filter' }] }),
    ).toThrow('faults[0].issue: 2.1.0/angle-filter belongs to release 2.1.0; this scanner runs 2.4.4');
    expect(scanner.faults.list).toEqual([]);
    const planned = scannerWith({ kind: 'known-issue', issue: '2.1.0/angle-filter' });
    await expect(planned).rejects.toThrow('belongs to release 2.1.0');
  });

  test.each([
    ['device-save-fails', /^EIO|i\/o error/],
    ['device-disk-full', /ENOSPC.*make room/],
  ] as const)('cannot save: %s', async (kind, reason) => {
    const scanner = await scannerWith({ kind, at: 1000, for: 1000 });
    const save = () => new Client(scanner.httpPort).call('WriteEeprom');
    await new Client(scanner.httpPort).write('LocationName', 'Gate 3');
    scanner.clock.advance(1000);
    const refused = await save();
    expect(statusOf(refused)).toBe(3);
    expect(decodeURIComponent(String(refused.headers['azimuth-detail']))).toMatch(reason);
    scanner.clock.advance(1000);
    expect(statusOf(await save())).toBe(0);
  });

  test('boots as soon as its disk is no longer full', async () => {
    const scanner = await scannerWith({ kind: 'device-disk-full', for: 60_000 });
    scanner.service.device.lifecycle.powerCycle();
    await pass(scanner, 10_000);
    expect(phaseOf(scanner)).toBe('down');
    await pass(scanner, 60_000);
    await until(() => phaseOf(scanner) === 'up');
  });

  test.each([6, 7] as const)('shows DeviceStatus %i for some time', async (status) => {
    const scanner = await scannerWith({ kind: 'device-status', status, at: 100, for: 100, repeat: 300 });
    const seen: unknown[] = [];
    for (let step = 0; step < 6; step++) {
      seen.push(await new Client(scanner.httpPort).value(DeviceStatus.name));
      scanner.clock.advance(100);
    }
    expect(seen).toEqual([3, status, 3, 3, status, 3]);
  });

  test('gets hot: its temperature alarm comes and goes', async () => {
    const scanner = await scannerWith({ kind: 'device-temperature', at: 1000, for: 1000 });
    const alarm = () => new Client(scanner.httpPort).value(temperatureAlarmStatus.name);
    expect(await alarm()).toBe(false);
    scanner.clock.advance(1000);
    expect(await alarm()).toBe(true);
    scanner.clock.advance(24 * 3_600_000);
    expect(await alarm()).toBe(false);
  });

  test.each([3_600_000, -86_400_000])('has a clock that jumps by %i ms', async (step) => {
    const scanner = await scannerWith({ kind: 'device-clock-step', at: 1000, step });
    const { device } = scanner.service;
    const time = () => {
      const { uiYear, usiMonth, usiDay, usiHour, usiMinute, usiSec } = device.read(LSPdatetime);
      return Date.UTC(uiYear, usiMonth - 1, usiDay, usiHour, usiMinute, usiSec);
    };
    const before = time();
    scanner.clock.advance(1000);
    expect(time() - before).toBe(1000 + step);
    expect(scanner.faults.list[0]?.state).toBe('over');
  });

  test('has dirt on its front screen for some time; other dirt stays', async () => {
    const scanner = await scannerWith({
      kind: 'device-contamination',
      sector: 3,
      level: 0.9,
      at: 1000,
      for: 1000,
    });
    const { hardware } = scanner.service.device;
    scanner.clock.advance(1000);
    expect(hardware.contamination?.().slice(0, 4)).toEqual([0, 0, 0.9, 0]);
    scanner.clock.advance(1000);
    expect(hardware.contamination?.().slice(0, 4)).toEqual([0, 0, 0, 0]);
  });

  test('is as it was set when faults that overlap are over', async () => {
    const faults: FaultPlan['faults'] = [
      { kind: 'device-temperature', celsius: 95, for: 2000 },
      { kind: 'device-temperature', celsius: 70, at: 1000, for: 2000 },
      { kind: 'device-contamination', level: 0.9, for: 2000 },
      { kind: 'device-contamination', level: 0.5, sector: 2, at: 1000, for: 2000 },
    ];
    const hardware = new VirtualHardware(new LogBook());
    const scanner = await TestScanner.start({ faults: { faults }, hardware: () => hardware });
    const now = () => [hardware.temperature(), ...hardware.contamination().slice(0, 2)];
    scanner.clock.advance(500);
    expect(now()).toEqual([95, 0.9, 0.9]);
    hardware.setTemperature(20);
    hardware.setContamination(0.1);
    expect(now()).toEqual([95, 0.9, 0.9]);
    scanner.clock.advance(1000);
    expect(now()).toEqual([70, 0.9, 0.5]);
    scanner.clock.advance(1000);
    expect(now()).toEqual([70, 0.1, 0.5]);
    scanner.clock.advance(1000);
    expect(now()).toEqual([20, 0.1, 0.1]);
  });

  test('is as before when a fault is cleared', async () => {
    const scanner = await scannerWith({ kind: 'device-status', status: 6 });
    scanner.clock.advance(0);
    expect(scanner.service.device.read(DeviceStatus)).toBe(6);
    scanner.faults.clear();
    expect(scanner.service.device.read(DeviceStatus)).toBe(3);
    expect(scanner.faults.list).toEqual([]);
  });
});

/** Returns true if no program listens at this port. */
async function isRefused(port: number): Promise<boolean> {
  try {
    await new Client(port).get('LocationName');
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
  }
}
