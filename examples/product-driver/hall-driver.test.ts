import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { decodeTelegram } from 'azimuth-scanner/client';
import { type Snapshot, startScanner, type TestScanner } from 'azimuth-scanner/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { HallDriver } from './hall-driver.js';

// One scanner for all tests: each begins with the same snapshot. Its time, and the timers of the driver, pass only with
// `advance`.
let scanner: TestScanner;
let fresh: Snapshot;
let receiver: Socket;
let received: Buffer[];
let driver: HallDriver;
let begin: { readonly last: number; readonly time: number };

beforeAll(async () => {
  vi.useFakeTimers();
  scanner = await startScanner({
    timers: vi,
    scene: 'empty-room',
    stored: { temperatureAlarmConfiguration: { upperThreshold: 50, lowerThreshold: 40 } },
  });
  fresh = await scanner.snapshot();
  receiver = createSocket('udp4').bind(0, '127.0.0.1');
  receiver.on('message', (datagram) => received.push(datagram));
  await once(receiver, 'listening');
});

beforeEach(async () => {
  await scanner.restore(fresh);
  received = [];
  driver = driverOf({});
  begin = { last: scanner.journal.last, time: scanner.device.clock.monotonic() };
});

afterEach(() => driver.stop());

afterAll(async () => {
  await scanner.close();
  receiver.close();
  vi.useRealTimers();
});

function driverOf(options: { readonly password?: string; readonly place?: string }): HallDriver {
  const { port } = receiver.address();
  return new HallDriver({
    url: scanner.url,
    password: 'servicelevel',
    place: 'Hall 1',
    scanPort: port,
    ...options,
  });
}

/** The times, in ms since the begin of the test, at which the driver has asked for a variable. */
function timesOf(name: string): number[] {
  return scanner.journal.entries
    .filter((entry) => entry.number > begin.last && 'name' in entry && entry.name === name)
    .map(({ time }) => time - begin.time);
}

async function startedDriver(): Promise<void> {
  driver.start();
  await scanner.advance(0);
}

/** Starts the driver, without its scans: no test of dirt needs them, and each costs time. */
async function startedWithoutScans(): Promise<void> {
  await startedDriver();
  await scanner.write('ScanDataEnable', false);
}

describe('setting up', () => {
  test('writes the name of the place, and saves it', async () => {
    await startedDriver();
    expect(await scanner.journal.write('LocationName', { since: 0 })).toMatchObject({
      level: 'Service',
    });
    await scanner.powerCycle();
    expect(scanner.read('LocationName')).toBe('Hall 1');
  });

  test('saves nothing if the scanner has the name already', async () => {
    await scanner.write('LocationName', 'Hall 1');
    const { last } = scanner.journal;
    await startedDriver();
    const calls = scanner.journal.entries.filter(({ kind, number }) => kind === 'call' && number > last);
    expect(calls).not.toContainEqual(expect.objectContaining({ name: 'WriteEeprom' }));
  });

  test.each(['Hall 2', 'Gate', 'A', '47-11', 'x'.repeat(16)])('works for the place %s', async (place) => {
    driver = driverOf({ place });
    await startedDriver();
    expect([driver.state, scanner.read('LocationName')]).toEqual(['ready', place]);
  });

  test.each(['x'.repeat(99), 'x'.repeat(200), 'ä'.repeat(99)])(
    'is refused for the place %s',
    async (place) => {
      driver = driverOf({ place });
      await startedDriver();
      expect(driver.state).toBe('refused');
    },
  );

  test('sends scans to this computer', async () => {
    await startedDriver();
    await scanner.advance(1000);
    const kinds = new Set(received.map((datagram) => decodeTelegram(datagram).kind));
    expect([...kinds]).toEqual(['scan']);
    expect(received.length).toBeGreaterThan(100);
  });

  test('switches the stream on after its destination is set', async () => {
    const since = scanner.journal.last;
    await startedDriver();
    const settings = await scanner.journal.write('ScanDataEthSettings', { since });
    const enabled = await scanner.journal.write('ScanDataEnable');
    expect(enabled.number).toBeGreaterThan(settings.number);
  });

  test.each(['wrong', 'main', 'client', ''])('is refused with the password "%s"', async (password) => {
    driver = driverOf({ password });
    await startedDriver();
    expect(driver.state).toBe('refused');
    expect(scanner.read('ScanDataEnable')).toBe(false);
  });

  test('tries a wrong password once, so that nobody is locked out', async () => {
    driver = driverOf({ password: 'wrong' });
    await startedDriver();
    await scanner.advance(60_000);
    expect(scanner.device.access.lockout.locked).toBe(false);
  });
});

describe('watching', () => {
  test('asks every 250 ms', async () => {
    await startedDriver();
    await scanner.advance(1000);
    expect(timesOf('ContaminationResult')).toEqual([0, 250, 500, 750, 1000]);
  });

  test.each([
    [45, 'ready'],
    [50, 'ready'],
    [51, 'hot'],
    [90, 'hot'],
  ] as const)('at %i °C the scanner is %s', async (celsius, state) => {
    await startedDriver();
    await scanner.simulation.temperature(celsius);
    await scanner.advance(250);
    expect(driver.state).toBe(state);
  });

  test.each([
    [45, 'hot'],
    [39, 'ready'],
  ] as const)('after heat, at %i °C it is %s', async (celsius, state) => {
    await startedDriver();
    await scanner.simulation.temperature(60);
    await scanner.advance(250);
    await scanner.simulation.temperature(celsius);
    await scanner.advance(250);
    expect(driver.state).toBe(state);
  });

  test.each([
    [0.2, 'ready'],
    [0.9, 'dirty'],
  ] as const)('dirt that blocks %d of the light makes it %s', async (level, state) => {
    const config = scanner.read('ContaminationConfig');
    await scanner.write('ContaminationConfig', {
      ...config,
      eStrategy: 2,
      usiResponseTime: 5,
      bEnableError: true,
    });
    await startedWithoutScans();
    await scanner.simulation.contamination(level);
    await scanner.advance(5250);
    expect(driver.state).toBe(state);
  });

  test('dirt counts more than heat', async () => {
    const config = scanner.read('ContaminationConfig');
    await scanner.write('ContaminationConfig', {
      ...config,
      eStrategy: 2,
      usiResponseTime: 5,
      bEnableError: true,
    });
    await scanner.simulation.contamination(0.9);
    await scanner.simulation.temperature(60);
    await startedWithoutScans();
    await scanner.advance(5250);
    expect(driver.states).toEqual(['connecting', 'hot', 'dirty']);
  });

  test.each([0, 1, 100, 200, 249])('%i ms after an answer it has not asked again', async (milliseconds) => {
    await startedDriver();
    await scanner.advance(milliseconds);
    expect(timesOf('temperatureAlarmStatus')).toEqual([0]);
  });
});

describe('losing the scanner', () => {
  test('is noticed at the next question', async () => {
    await startedDriver();
    await scanner.power.off();
    await scanner.advance(250);
    expect(driver.state).toBe('lost');
  });

  test('is over when the scanner is back, with its settings', async () => {
    await startedDriver();
    await scanner.powerCycle();
    expect(scanner.read('ScanDataEnable')).toBe(false);
    await scanner.advance(2000);
    expect([driver.state, scanner.read('ScanDataEnable')]).toEqual(['ready', true]);
  });

  test.each([
    [1000, 1],
    [3000, 2],
    [7000, 3],
    [15_000, 4],
    [23_000, 5],
  ])('%i ms later it has tried %i times', async (milliseconds, attempts) => {
    scanner.faults.add({ faults: [{ kind: 'http-reset', endpoint: 'LocationName' }] });
    await startedDriver();
    await scanner.advance(milliseconds);
    expect(new Set(timesOf('LocationName')).size).toBe(attempts + 1);
  });

  test('for a moment only is no reason to wait longer the next time', async () => {
    await startedDriver();
    for (let times = 0; times < 3; times++) {
      scanner.faults.add({ faults: [{ kind: 'http-reset', endpoint: 'ContaminationResult', for: 300 }] });
      await scanner.advance(250);
      expect(driver.state).toBe('lost');
      await scanner.advance(1000);
      expect(driver.state).toBe('ready');
    }
  });

  test.each([1, 2, 4])('%i answers that come late are waited for', async (first) => {
    scanner.faults.add({ faults: [{ kind: 'http-latency', latency: 900, first }] });
    driver.start();
    await scanner.advance(first * 900);
    expect(driver.state).toBe('ready');
  });

  test('brings no question after its end', async () => {
    await startedDriver();
    await scanner.power.off();
    await scanner.advance(250);
    driver.stop();
    await scanner.power.on();
    const { last } = scanner.journal;
    await scanner.advance(60_000);
    expect(scanner.journal.last).toBe(last);
  });
});

describe('stopping', () => {
  test('ends the questions', async () => {
    await startedDriver();
    driver.stop();
    const { last } = scanner.journal;
    await scanner.advance(1000);
    expect(scanner.journal.last).toBe(last);
  });

  test('while it connects is final', async () => {
    driver.start();
    driver.stop();
    await scanner.advance(1000);
    expect(driver.states).toEqual(['connecting', 'stopped']);
  });

  test('does not switch the stream off', async () => {
    await startedDriver();
    driver.stop();
    await scanner.advance(0);
    expect(scanner.read('ScanDataEnable')).toBe(true);
  });
});

describe('each test begins', () => {
  test.each(['first', 'second', 'third'])('with a scanner as new (%s)', async () => {
    expect(scanner.read('LocationName')).toBe('not defined');
    expect(scanner.read('ScanDataEnable')).toBe(false);
    expect(scanner.faults.list).toEqual([]);
    await scanner.write('LocationName', 'used');
    await scanner.client.call('WriteEeprom');
    scanner.faults.add({ faults: [{ kind: 'http-latency', latency: 5 }] });
  });
});
