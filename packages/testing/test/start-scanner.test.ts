import { once } from 'node:events';
import { connect } from 'node:net';
import { decodeTelegram, Scanner, ScannerError } from '@azimuth/client';
import { freePort } from '@azimuth/test-support/free-port';
import { checkedFirmware, firmwareKey } from '@azimuth/test-support/mutants/checked-firmware';
import { temporaryFolder } from '@azimuth/test-support/serve-process';
import { describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { type StartOptions, startScanner } from '../src/index.js';
import { datagramDriver } from './datagram-driver.js';

/** A scanner that ends with the test. */
async function started(options: StartOptions = {}) {
  const scanner = await startScanner(options);
  onTestFinished(() => scanner.close());
  return scanner;
}

const signedFirmware = checkedFirmware.get('2.2.0') ?? [];

/** Telegrams of a scan with the usual profile. */
const telegramsPerScan = 10;

describe('a scanner of startScanner', () => {
  test('responds at its URL, and is known to its client', async () => {
    const scanner = await started({ serial: 'TEST1' });
    expect(scanner.url).toBe(`http://127.0.0.1:${scanner.ports.http}`);
    expect(await scanner.client.read('SerialNumber')).toBe('TEST1');
    await scanner.client.write('LocationName', 'Gate 3');
    expect(scanner.read('LocationName')).toBe('Gate 3');
  });

  test('is read and written directly, as typed', async () => {
    const scanner = await started();
    await scanner.write('LocationName', 'Dock');
    expect(await scanner.client.read('LocationName')).toBe('Dock');
    await expect(scanner.write('LocationName', 'x'.repeat(100))).rejects.toMatchObject({
      status: 'outOfBounds',
    });
    // @ts-expect-error: there is no such variable
    expect(() => scanner.read('LokationName')).toThrow(RangeError);
  });

  test('accepts release, variant, passwords and user', async () => {
    const scanner = await started({
      release: '1.5.0',
      variant: 'basic',
      passwords: { Maintenance: 'secret' },
      user: 'Maintenance',
    });
    expect(scanner.device.served.edition).toMatchObject({ release: '1.5.0', variant: 'basic' });
    expect(() => scanner.read('EtherLegacyScanMode')).toThrow('EtherLegacyScanMode is no variable');
    await scanner.client.call('FindMe', { uiDuration: 1 });
  });

  test('opens the requested interfaces, and nothing else', async () => {
    const plain = await started();
    expect(plain.ports).toMatchObject({ search: null, control: null });
    expect(plain.ports.legacyA).toBeTypeOf('number');
    const other = await started({ legacy: false, search: true, controlPort: true });
    expect(other.ports).toMatchObject({ legacyA: null, legacyB: null });
    expect(other.ports.search).toBeTypeOf('number');
    const response = await fetch(`http://127.0.0.1:${other.ports.control}/`);
    expect(response.status).toBe(200);
  });

  test('keeps in its folder what it stored', async () => {
    const folder = temporaryFolder();
    const first = await startScanner({ folder });
    await first.write('LocationName', 'Dock');
    await first.client.call('WriteEeprom');
    await first.close();
    const second = await started({ folder });
    expect(second.read('LocationName')).toBe('Dock');
  });

  const refused: readonly (readonly [StartOptions, string])[] = [
    [{ serial: '12-3' }, 'serial: expected up to 9 letters and digits'],
    [{ seed: -1 }, 'seed: expected a whole number from 0 to 4294967295, got -1'],
    [{ bootTime: Number.NaN }, 'bootTime: expected 0 to 3600 s, got NaN'],
    [{ clock: { factor: 0 } }, "clock: expected 'virtual', 'real' or { factor: 0.01 to 1000 }"],
    // @ts-expect-error: there is no such option
    [{ sead: 7 }, 'startScanner has no option sead; did you mean seed?'],
    // @ts-expect-error: there is no such release
    [{ release: '9.9.9' }, 'release: expected 1.4.0, '],
    // @ts-expect-error: there is no such variant
    [{ variant: 'half' }, 'variant: expected full, basic or picoScan120, got "half"'],
    // @ts-expect-error: there is no such level
    [{ user: 'Bob' }, 'user: expected Maintenance, AuthorizedClient, Service, got "Bob"'],
    [
      // @ts-expect-error: there is no such level
      { passwords: { Bob: 'secret' } },
      'passwords: expected Maintenance, AuthorizedClient, Service, got "Bob"',
    ],
    // @ts-expect-error: there is no such clock
    [{ clock: 'fast' }, 'clock: expected'],
    // @ts-expect-error: there is no such clock
    [{ clock: null }, 'clock: expected'],
    // @ts-expect-error: not a number
    [{ clock: { factor: '20' } }, 'clock: expected'],
    // @ts-expect-error: not a number
    [{ bootTime: '2' }, 'bootTime: expected 0 to 3600 s, got "2"'],
    // @ts-expect-error: not a text
    [{ serial: 123 }, 'serial: expected up to 9 letters and digits, got 123'],
    // @ts-expect-error: not a text
    [{ passwords: { Service: 5 } }, 'passwords.Service: expected a text'],
    // @ts-expect-error: no passwords by level
    [{ passwords: 'secret' }, 'passwords: expected an object such as'],
    // @ts-expect-error: the port cannot be chosen
    [{ controlPort: 9000 }, 'controlPort: expected true or false, got 9000'],
    [{ firmwareKey: 'no key' }, 'firmwareKey: expected an Ed25519 public key in PEM'],
    // @ts-expect-error: not a text
    [{ host: 7 }, 'host: expected a text, got 7'],
    // @ts-expect-error: no functions
    [{ log: {} }, 'log: expected an object with the functions info, warn and error, got {}'],
    [{ scene: 'gate', core: { start() {}, stop() {} } }, 'expected a scene or a core, got both'],
    // @ts-expect-error: not in an object
    ['gate', 'startScanner: expected an object, got "gate"'],
    // @ts-expect-error: not in an object
    [null, 'startScanner: expected an object, got null'],
    [{ scene: 'hangar' }, 'hangar'],
    [{ scene: { walls: [{ from: [0, 0], to: [1, 1], material: 'cheese' }] } }, 'cheese'],
  ];
  test.each(refused)('is not started with %j', async (options, message) => {
    await expect(startScanner(options)).rejects.toThrow(message);
  });

  test('leaves its folder to the next one when it could not be started', async () => {
    const folder = temporaryFolder();
    const faults = { faults: [{ kind: 'stream-loss' as const, probability: 2 }] };
    await expect(startScanner({ folder, faults })).rejects.toThrow('faults[0].probability');
    // No machine has this address: it is kept for documentation.
    await expect(startScanner({ folder, host: '192.0.2.1' })).rejects.toThrow('192.0.2.1');
    await started({ folder });
  });

  test('stops when it is closed or disposed of, once', async () => {
    const scanner = await startScanner();
    await scanner[Symbol.asyncDispose]();
    await scanner.close();
    expect(scanner.ports.http).toBeNull();
    const socket = connect(Number(new URL(scanner.url).port), '127.0.0.1');
    const [error] = await once(socket, 'error');
    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
  });

  test('is gone with all its sockets when it is closed, although nothing was awaited in between', async () => {
    const listeners = () =>
      process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap').length;
    const before = listeners();
    for (let times = 0; times < 5; times++) await (await startScanner()).close();
    expect(listeners()).toBe(before);
  });
});

test('firmware is installed if it is signed by the key of the scanner', async () => {
  const scanner = await started({ release: '2.2.0', firmwareKey });
  const stranger = await started({ release: '2.2.0' });
  for (const { client, url } of [scanner, stranger]) {
    await fetch(`${url}/api/update`, { method: 'PUT', body: new Uint8Array(signedFirmware) });
    await client.call('RunFirmwareUpdate');
  }
  await scanner.advance(1500);
  expect([scanner.read('UpdateState'), stranger.read('UpdateState')]).toEqual([2, 3]);
});

describe('time', () => {
  test('stands still until it is let pass, and locks end with it', async () => {
    const scanner = await started();
    const { url } = scanner;
    const stranger = new Scanner({ url, password: 'wrong' });
    for (let attempt = 0; attempt < 5; attempt++) {
      await expect(stranger.write('LocationName', 'x')).rejects.toThrow(ScannerError);
    }
    await expect(scanner.client.write('LocationName', 'x')).rejects.toThrow(ScannerError);
    await scanner.advance(30_000);
    await scanner.client.write('LocationName', 'x');
  });

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('does not pass by %d ms', async (milliseconds) => {
    const scanner = await started();
    expect(() => scanner.advance(milliseconds)).toThrow(RangeError);
  });

  test('that is real cannot be let pass', async () => {
    const scanner = await started({ clock: 'real' });
    expect(() => scanner.advance(1)).toThrow("only a scanner with clock: 'virtual'");
    await scanner.powerCycle();
  });

  test('with a factor passes so many times as fast', async () => {
    const scanner = await started({ clock: { factor: 500 } });
    await expect.poll(() => scanner.device.clock.monotonic()).toBeGreaterThan(10_000);
  });

  test('does not pass any more when the scanner is closed, and waiting calls are rejected', async () => {
    const scanner = await startScanner();
    await scanner.write('ScanDataEnable', true);
    const closed = 'the scanner is closed';
    const passing = [scanner.advance(600_000), scanner.advance(1)].map((time) =>
      expect(time).rejects.toThrow(closed),
    );
    await scanner.close();
    await Promise.all(passing);
    await expect(scanner.advance(1)).rejects.toThrow(closed);
    await expect(scanner.idle()).rejects.toThrow(closed);
    await expect(scanner.powerCycle()).rejects.toThrow(closed);
  });

  test('brings every scan from the first ScanDataEnable on, each time that it is tried', async () => {
    for (let times = 0; times < 30; times++) {
      const scanner = await started();
      const { received, destination } = await datagramDriver();
      await scanner.client.write('ScanDataEthSettings', destination);
      await scanner.client.write('ScanDataEnable', true);
      await scanner.advance(200);
      // Three revolutions of 66.7 ms; the fourth begins now.
      expect(received.length).toBe(3 * telegramsPerScan);
      await scanner.close();
    }
  });

  test('brings every scan also without a request', async () => {
    const scanner = await started();
    const { received, destination } = await datagramDriver();
    await scanner.write('ScanDataEthSettings', destination);
    await scanner.write('ScanDataEnable', true);
    await scanner.advance(1000);
    expect(received.length).toBe(15 * telegramsPerScan);
    const [first] = received;
    const telegram = first === undefined ? undefined : decodeTelegram(first);
    expect(telegram).toMatchObject({ kind: 'scan' });
  });

  test('brings the same datagrams with the same seed, and others with another', async () => {
    const run = async (seed: number) => {
      const scanner = await started({ seed });
      const { received, destination } = await datagramDriver();
      await scanner.write('ScanDataEthSettings', destination);
      await scanner.write('ScanDataEnable', true);
      await scanner.advance(500);
      return Buffer.concat(received);
    };
    const first = await run(7);
    expect((await run(7)).equals(first)).toBe(true);
    expect((await run(8)).equals(first)).toBe(false);
  });

  test('brings hundreds of telegrams in one go to a socket that is read', async () => {
    const scanner = await started();
    const { received, destination } = await datagramDriver();
    await scanner.write('ScanDataEthSettings', destination);
    await scanner.write('ScanDataEnable', true);
    await scanner.advance(10_000);
    expect(received.length).toBe(150 * telegramsPerScan);
  });

  test('brings as much over TCP as in datagrams', async () => {
    const scanner = await started();
    const { received, destination } = await datagramDriver();
    await scanner.write('ScanDataEthSettings', destination);
    await scanner.write('ScanDataEnable', true);
    await scanner.advance(1000);

    const other = await started();
    const Port = await freePort();
    await other.write('ScanDataEthSettings', { Protocol: 2, IPAddress: [127, 0, 0, 1], Port });
    await other.write('ScanDataEnable', true);
    const driver = connect(Port, '127.0.0.1');
    onTestFinished(() => void driver.destroy());
    let bytes = 0;
    driver.on('data', (data) => {
      bytes += data.length;
    });
    await once(driver, 'connect');
    await other.advance(1000);
    expect(bytes).toBe(Buffer.concat(received).length);
  });

  test('brings an event to a client that waits for it', async () => {
    const scanner = await started();
    await scanner.write('temperatureAlarmConfiguration', { upperThreshold: 40, lowerThreshold: 30 });
    const events = scanner.client.events('temperatureAlarmStatus');
    const values: unknown[] = [];
    for await (const { data } of events) {
      values.push(data);
      if (data) break;
      await scanner.simulation.temperature(41);
    }
    expect(values).toEqual([false, true]);
  });

  test('brings hundreds of changes to a WebSocket, before any time passes', async () => {
    const scanner = await started();
    const socket = new WebSocket(`ws://127.0.0.1:${scanner.ports.http}/x/events?names=LocationName`);
    onTestFinished(() => socket.terminate());
    const messages: string[] = [];
    socket.on('message', (data) => messages.push(String(data)));
    await once(socket, 'open');
    for (let change = 1; change <= 300; change++) await scanner.write('LocationName', `Gate ${change}`);
    await scanner.idle();
    expect(messages.length).toBe(300);
    expect(messages.at(-1)).toContain('Gate 300');
  });

  test('responds to requests that nobody has awaited yet', async () => {
    const scanner = await started();
    let responses = 0;
    const requests = Array.from({ length: 20 }, async () => {
      await scanner.client.read('DeviceStatus');
      responses++;
    });
    await scanner.advance(1);
    expect(responses).toBe(20);
    await Promise.all(requests);
  });

  test('passes in the order of the calls', async () => {
    const scanner = await started();
    const done: number[] = [];
    await Promise.all(
      [5, 1, 3].map(async (ms, index) => {
        await scanner.advance(ms);
        done.push(index);
      }),
    );
    expect(done).toEqual([0, 1, 2]);
    expect(scanner.device.clock.monotonic()).toBe(9);
  });
});

describe('power', () => {
  test('that is cycled forgets what was not stored; the scanner is up again, at the same ports', async () => {
    const scanner = await started({ search: true });
    const { ports } = scanner;
    await scanner.write('LocationName', 'Dock');
    await scanner.powerCycle();
    expect(scanner.ports).toEqual(ports);
    expect(await scanner.client.read('LocationName')).not.toBe('Dock');
    expect(scanner.read('PowerOnCnt')).toBe(2);
  });

  test('a requested reboot ends while its time passes', async () => {
    const scanner = await started({ bootTime: 5 });
    const { ports } = scanner;
    await scanner.client.write('LocationName', 'Dock');
    await scanner.client.call('RebootDevice');
    await scanner.advance(1000);
    expect(scanner.ports.http).toBeNull();
    await scanner.advance(5000);
    expect(scanner.ports).toEqual(ports);
    expect(await scanner.client.read('LocationName')).toBe('Dock');
  });
});

describe('a scanner that cannot boot', () => {
  const faults = [{ kind: 'device-boot-loop' }, { kind: 'device-disk-full' }] as const;
  test.each(faults)('lets powerCycle fail: $kind', async (fault) => {
    const scanner = await started({ log: { info() {}, warn() {}, error() {} } });
    scanner.faults.add({ faults: [fault] });
    await expect(scanner.powerCycle()).rejects.toThrow('the scanner does not come up: 100 boots have failed');
    scanner.faults.clear();
    await scanner.advance(4000);
    await scanner.client.read('DeviceStatus');
  });

  test('lets time pass also without a boot time', async () => {
    const errors: string[] = [];
    const error = (message: string) => void errors.push(message);
    const scanner = await started({ bootTime: 0, log: { info() {}, warn() {}, error } });
    scanner.faults.add({ faults: [{ kind: 'device-boot-loop' }] });
    scanner.device.lifecycle.powerCycle();
    await scanner.advance(1000);
    expect(errors).toEqual(Array.from({ length: 11 }, () => 'The scanner could not boot'));
  });
});

describe('faults', () => {
  test('hold from the start on, or when they are added, until they are cleared', async () => {
    const scanner = await started({ faults: { faults: [{ kind: 'stream-loss', every: 2 }] } });
    const { received, destination } = await datagramDriver();
    await scanner.write('ScanDataEthSettings', destination);
    await scanner.write('ScanDataEnable', true);
    await scanner.advance(200);
    expect(received.length).toBe((3 * telegramsPerScan) / 2);
    scanner.faults.clear();
    await scanner.advance(200);
    expect(received.length).toBe((3 * telegramsPerScan) / 2 + 3 * telegramsPerScan);

    scanner.faults.add({ faults: [{ kind: 'http-status', endpoint: 'LocationName', status: 3 }] });
    await expect(scanner.client.read('LocationName')).rejects.toMatchObject({ status: 3 });
    scanner.faults.clear();
    await scanner.client.read('LocationName');
  });

  test('that are not valid are refused at the start', async () => {
    // @ts-expect-error: there is no such kind
    await expect(startScanner({ faults: { faults: [{ kind: 'gremlin' }] } })).rejects.toThrow('gremlin');
  });
});

describe('the simulation', () => {
  test('change what the scanner measures and reports', async () => {
    const scanner = await started();
    await scanner.write('temperatureAlarmConfiguration', { upperThreshold: 40, lowerThreshold: 30 });
    await scanner.simulation.temperature(41);
    expect(await scanner.client.read('temperatureAlarmStatus')).toBe(true);
    await scanner.simulation.temperature(20);
    expect(scanner.read('temperatureAlarmStatus')).toBe(false);
  });

  test('refuse what is not allowed, and change nothing', async () => {
    const { simulation } = await started();
    await expect(simulation.temperature(1000)).rejects.toThrow('"celsius" must be a number from -100 to 200');
    await expect(simulation.contamination(0.5, 13)).rejects.toThrow(RangeError);
    await expect(simulation.moveActor('nobody', 1, 1)).rejects.toThrow('there is no actor "nobody"');
  });
});
