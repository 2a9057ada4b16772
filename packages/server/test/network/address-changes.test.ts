import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Log, MemoryStorage } from '@azimuth/device';
import { ethernet } from '@azimuth/model';
import { VirtualHardware } from '@azimuth/simulation';
import { Client, statusOf } from '@azimuth/test-support/client';
import { number, parse } from '@azimuth/test-support/json';
import { listens, RawConnection } from '@azimuth/test-support/raw-connection';
import { bootMilliseconds, TestScanner, type TestScannerOptions } from '@azimuth/test-support/test-scanner';
import { latch, until } from '@azimuth/test-support/waiting';
import { expect, onTestFinished, test } from 'vitest';

const { EtherIPAddress, EtherAddressingMode, EtherDHCPFallback } = ethernet.members;
/**
 * The scanners of this file have addresses of their own: a port that they leave must not be found open because another
 * test file, or another run of the tests on this machine, has been given the same free port.
 */
const range = [127, randomInt(1, 255), randomInt(256)] as const;
const loopback = (last: number) => [...range, last] as const;
const dotted = (last: number) => loopback(last).join('.');
/** Address to which every scanner of this file moves first. */
const home = dotted(2);
/** Value of --host. */
const host = dotted(9);
const subnet = { mask: [255, 0, 0, 0], gateway: [0, 0, 0, 0] };

/** A scanner that follows its settings. It starts at --host, because 192.168.0.1 is not an address of this machine. */
async function start(
  options: TestScannerOptions = {},
  address: readonly number[] = loopback(2),
): Promise<TestScanner> {
  const scanner = await TestScanner.start({
    controlPort: 0,
    ...options,
    network: { follows: true, address: host, ...options.network },
    legacy: 'closed',
  });
  put(scanner, address);
  scanner.service.device.features.network.activate();
  await settled();
  scanner.log.lines.length = 0;
  return scanner;
}

function put(
  { service }: TestScanner,
  address: readonly number[],
  mode: 0 | 1 = 0,
  fallback: 0 | 1 = 0,
): void {
  service.device.parameters.change((change) =>
    change.set(EtherIPAddress, address).set(EtherAddressingMode, mode).set(EtherDHCPFallback, fallback),
  );
}

function activate(scanner: TestScanner, address: readonly number[], mode?: 0 | 1, fallback?: 0 | 1): void {
  put(scanner, address, mode, fallback);
  scanner.service.device.features.network.activate();
}

/** Waits for a few turns of the event loop, after which all work of this machine is done. */
async function settled(): Promise<void> {
  for (let times = 0; times < 10; times++) {
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  }
}

/** Waits for so many small steps of the started work. */
async function pass(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) {
    await new Promise<void>((resolve) => {
      process.nextTick(resolve);
    });
  }
}

async function boot(scanner: TestScanner): Promise<void> {
  const { lifecycle } = scanner.service.device;
  scanner.clock.advance(bootMilliseconds);
  await until(() => lifecycle.phase === 'up');
  await settled();
}

const at = ({ service }: TestScanner) => service.url?.replace(/^http:\/\/|:\d+$/g, '');
const messages = ({ log }: TestScanner, severity: string) =>
  log.lines.filter((line) => line.severity === severity).map(({ message }) => message);

/** Returns the last numbers (2 to 10) of the addresses at which a port is open. */
async function open(port: number): Promise<readonly number[]> {
  const found: number[] = [];
  for (let last = 2; last <= 10; last++) if (await listens(port, dotted(last))) found.push(last);
  return found;
}

/** Another program on a port. */
async function occupy(port: number, host: string): Promise<() => Promise<void>> {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, exclusive: true }, resolve);
  });
  const leave = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
  onTestFinished(leave);
  return leave;
}

test('after the answer of EthernetUpdate, the scanner listens only at the new address', async () => {
  const scanner = await start();
  const port = scanner.httpPort;
  const client = new Client(port, { host: home });
  const idle = await RawConnection.open(port, home);
  await client.write('EtherIPAddress', loopback(5));
  const answer = await client.call('EthernetUpdate');
  expect(statusOf(answer)).toBe(0);
  expect(answer.headers.connection).toBe('close');
  await idle.closed;
  expect(await open(port)).toEqual([5]);
  expect(await new Client(port, { host: dotted(5) }).value('EtherIPAddress')).toEqual(loopback(5));
  expect(messages(scanner, 'info')).toContain(`Listening at http://${dotted(5)}:${port}`);
});

test('the new listener is open before the old one is closed', async () => {
  const scanner = await start();
  const port = scanner.httpPort;
  const witness = await RawConnection.open(port, home);
  let found: string | undefined;
  witness.socket.on('close', () => {
    found = scanner.service.url;
  });
  activate(scanner, loopback(5));
  expect(scanner.service.url).toBe(`http://${home}:${port}`);
  await witness.closed;
  expect(found).toBe(`http://${dotted(5)}:${port}`);
});

test('an update to the same address moves nothing and closes no connection', async () => {
  const scanner = await start();
  const kept = await RawConnection.open(scanner.httpPort, home);
  expect(statusOf(await new Client(scanner.httpPort, { host: home }).call('EthernetUpdate'))).toBe(0);
  await settled();
  expect(scanner.log.errors).toEqual([]);
  kept.request('GET /api/DeviceStatus');
  expect((await kept.response()).statusLine).toContain('200');
  expect(messages(scanner, 'info').filter((line) => line.startsWith('Listening'))).toEqual([]);
});

test('without rebind nothing moves', async () => {
  const scanner = await start({ network: { follows: false, address: home } });
  activate(scanner, loopback(5));
  await settled();
  expect(await open(scanner.httpPort)).toEqual([2]);
  await scanner.service.device.features.saving.storeWorking();
  scanner.service.device.lifecycle.powerCycle();
  await boot(scanner);
  expect(await open(scanner.httpPort)).toEqual([2]);
  expect(scanner.log.errors).toEqual([]);
  expect(messages(scanner, 'info').filter((line) => line.startsWith('Listening'))).toEqual([]);
});

test('updates in quick succession end at the last address, with one listener', async () => {
  const scanner = await start();
  const port = scanner.httpPort;
  for (const last of [5, 6, 7, 2, 8]) activate(scanner, loopback(last));
  await until(() => at(scanner) === dotted(8));
  await settled();
  expect(await open(port)).toEqual([8]);
});

test('a move and back again ends at the first address', async () => {
  const scanner = await start();
  activate(scanner, loopback(5));
  await Promise.resolve();
  activate(scanner, loopback(2));
  await settled();
  expect(await open(scanner.httpPort)).toEqual([2]);
});

test.each([
  [[192, 0, 2, 1], 'this machine does not have the address 192.0.2.1'],
  [[0, 0, 0, 0], '0.0.0.0 cannot be the address of a scanner'],
  [[224, 0, 0, 1], '224.0.0.1 cannot be the address of a scanner'],
  [[255, 255, 255, 255], '255.255.255.255 cannot be the address of a scanner'],
])(
  'if it cannot listen at %j, it logs this once and stays, with its connections',
  async (address, reason) => {
    const scanner = await start();
    const port = scanner.httpPort;
    const kept = await RawConnection.open(port, home);
    activate(scanner, address);
    await settled();
    expect(scanner.log.errors).toEqual([
      {
        severity: 'error',
        message: `The web server cannot listen at ${address.join('.')}, the address in force`,
        facts: { reason, listeningAt: `http://${home}:${port}` },
      },
    ]);
    expect(await open(port)).toEqual([2]);
    kept.request('GET /api/DeviceStatus');
    expect((await kept.response()).statusLine).toContain('200');
  },
);

test('if the port is in use at the new address, it stays until the next update', async () => {
  const scanner = await start();
  const port = scanner.httpPort;
  const leave = await occupy(port, dotted(5));
  activate(scanner, loopback(5));
  await settled();
  expect(at(scanner)).toBe(home);
  expect(scanner.log.errors[0]?.facts).toMatchObject({ reason: `Port ${port} on ${dotted(5)} is in use` });
  scanner.clock.advance(60_000);
  await settled();
  expect(scanner.log.errors).toHaveLength(1);
  await leave();
  scanner.service.device.features.network.activate();
  await until(() => at(scanner) === dotted(5));
});

test('if it moves back to --host and the port is in use there, the present listener stays', async () => {
  const scanner = await start({}, loopback(5));
  const port = scanner.httpPort;
  await occupy(port, host);
  activate(scanner, loopback(9));
  await settled();
  expect(at(scanner)).toBe(dotted(5));
  scanner.clock.advance(60_000);
  await settled();
  expect(scanner.log.errors).toHaveLength(1);
});

test('a boot puts it back at the stored address', async () => {
  const scanner = await start();
  const port = scanner.httpPort;
  await scanner.service.device.features.saving.storeWorking();
  activate(scanner, loopback(5));
  await until(() => at(scanner) === dotted(5));
  scanner.service.device.lifecycle.powerCycle();
  expect(scanner.service.url).toBeUndefined();
  expect(await open(port)).toEqual([]);
  await boot(scanner);
  expect(await open(port)).toEqual([2]);
});

test('with an unusable address, a boot or start listens at --host and logs what was expected', async () => {
  const storage = new MemoryStorage();
  const scanner = await start({ storage });
  const port = scanner.httpPort;
  scanner.service.device.lifecycle.powerCycle();
  await boot(scanner);
  expect(await open(port)).toEqual([9]);
  expect(scanner.log.errors).toEqual([
    {
      severity: 'error',
      message: 'The web server cannot listen at 192.168.0.1, the address in force',
      facts: {
        reason: 'this machine does not have the address 192.168.0.1',
        listeningAt: `http://${host}:${port}`,
      },
    },
  ]);
  const started = await TestScanner.start({ network: { follows: true, address: host }, legacy: 'closed' });
  expect(at(started)).toBe(host);
  expect(started.log.errors).toHaveLength(1);
});

test('if --host is in use, too, a boot retries until one is free, and logs the address once', async () => {
  const scanner = await start();
  const port = scanner.httpPort;
  scanner.service.device.lifecycle.powerCycle();
  const leave = await occupy(port, host);
  await boot(scanner);
  for (let times = 0; times < 3; times++) {
    scanner.clock.advance(1000);
    await settled();
  }
  expect(scanner.service.ports.http).toBeNull();
  const complaints = messages(scanner, 'error');
  expect(complaints.filter((line) => line.includes('192.168.0.1'))).toHaveLength(1);
  expect(complaints.filter((line) => line.includes('trying again'))).toHaveLength(4);
  await leave();
  scanner.clock.advance(1000);
  await until(() => at(scanner) === host);
  expect(await open(port)).toEqual([9]);
});

test('a start listens at the stored address at once', async () => {
  const storage = new MemoryStorage();
  const first = await start({ storage }, loopback(5));
  await first.service.device.features.saving.storeWorking();
  const second = await TestScanner.start({
    storage,
    network: { follows: true, address: host },
    legacy: 'closed',
  });
  expect(await open(second.httpPort)).toEqual([5]);
  expect(messages(second, 'info')).toContain(`Listening at ${second.service.url}`);
});

test.each(['a reboot', 'closing'])('%s in the middle of a move leaves no listener', async (what) => {
  for (let turns = 0; turns < 12; turns++) {
    const scanner = await start();
    const port = scanner.httpPort;
    activate(scanner, loopback(5));
    await pass(turns);
    if (what === 'closing') await scanner.service.close();
    else scanner.service.device.lifecycle.powerCycle();
    await settled();
    expect(scanner.service.url).toBeUndefined();
    expect(await open(port)).toEqual([]);
    if (what === 'closing') continue;
    await scanner.service.device.features.saving.storeWorking();
    await boot(scanner);
    expect(await open(port)).toEqual([5]);
    // The next scanner may be given the same port.
    await scanner.service.close();
  }
});

test.each(['free', 'taken'])(
  'closing during the search for an address at a boot, with --host %s, ends the search',
  async (place) => {
    for (let turns = 0; turns < 12; turns++) {
      const scanner = await start();
      const port = scanner.httpPort;
      scanner.service.device.lifecycle.powerCycle();
      const leave = place === 'free' ? undefined : await occupy(port, host);
      let said = 0;
      const closed = new Promise<void>((resolve, reject) => {
        scanner.service.device.lifecycle.onUp(() => {
          void pass(turns).then(() => {
            said = scanner.log.errors.length;
            scanner.service.close().then(resolve, reject);
          });
        });
      });
      scanner.clock.advance(bootMilliseconds);
      await closed;
      await settled();
      await leave?.();
      scanner.clock.advance(60_000);
      await settled();
      expect(await open(port)).toEqual([]);
      expect(scanner.log.errors.length).toBe(said);
    }
  },
);

test('an update that comes into force while the scanner is down opens nothing', async () => {
  const scanner = await start();
  const port = scanner.httpPort;
  put(scanner, loopback(5));
  scanner.service.device.lifecycle.powerCycle();
  scanner.service.device.features.network.activate();
  await settled();
  expect(await open(port)).toEqual([]);
  await boot(scanner);
  expect(at(scanner)).toBe(host);
});

test('a web server that is switched off stays off, whatever address comes into force', async () => {
  const scanner = await start();
  const port = scanner.httpPort;
  await scanner.service.device.features.webserver.set(false);
  scanner.service.device.lifecycle.powerCycle();
  await boot(scanner);
  activate(scanner, loopback(5));
  await settled();
  expect(await open(port)).toEqual([]);
  await scanner.service.device.features.webserver.set(true);
  scanner.service.device.lifecycle.powerCycle();
  await boot(scanner);
  expect(await open(port)).toEqual([9]);
});

test('it moves to the address of DHCP, and back to the static address', async () => {
  const scanner = await start();
  const port = scanner.httpPort;
  activate(scanner, loopback(2), 1);
  await settled();
  expect(at(scanner)).toBe(home);
  scanner.hardware.offerLease({ address: loopback(6), ...subnet });
  await until(() => at(scanner) === dotted(6));
  scanner.hardware.offerLease({ address: loopback(7), ...subnet });
  await until(() => at(scanner) === dotted(7));
  scanner.hardware.offerLease(undefined);
  await until(() => at(scanner) === home);
  expect(await open(port)).toEqual([2]);
});

test('while DHCP has no address nothing listens, except the control port', async () => {
  const scanner = await start();
  const port = scanner.httpPort;
  const control = new Client(scanner.controlPort);
  const told = async () => parse((await control.send({ method: 'GET', path: '/' })).text);
  expect(await told()).toMatchObject({ http: { host: home, port } });
  activate(scanner, loopback(2), 1, 1);
  activate(scanner, loopback(2), 1, 1);
  await until(() => scanner.service.url === undefined);
  expect(await open(port)).toEqual([]);
  expect(await told()).toMatchObject({ http: null, network: { source: 'none' } });
  expect(messages(scanner, 'warn')).toEqual([
    'The web server does not listen: the scanner has no address until DHCP offers one',
  ]);
  const body = JSON.stringify({ address: loopback(6), ...subnet });
  await control.send({ method: 'POST', path: '/dhcp', body });
  await until(() => at(scanner) === dotted(6));
  expect(await told()).toMatchObject({ http: { host: dotted(6), port } });
});

test('with an unusable lease after none, it listens at --host', async () => {
  const scanner = await start();
  activate(scanner, loopback(2), 1, 1);
  await until(() => scanner.service.url === undefined);
  scanner.hardware.offerLease({ address: [192, 0, 2, 1], ...subnet });
  await until(() => at(scanner) === host);
  expect(scanner.log.errors).toHaveLength(1);
});

test('a lease that DHCP offers at the start is in force at the start', async () => {
  const storage = new MemoryStorage();
  const first = await start({ storage });
  put(first, loopback(2), 1, 1);
  await first.service.device.features.saving.storeWorking();
  const without = await TestScanner.start({
    storage,
    network: { follows: true, address: host },
    legacy: 'closed',
  });
  expect(without.service.ports.http).toBeNull();
  const second = await TestScanner.start({
    storage,
    network: { follows: true, address: host },
    legacy: 'closed',
    hardware: (log) => {
      const hardware = new VirtualHardware(log);
      hardware.offerLease({ address: loopback(6), ...subnet });
      return hardware;
    },
  });
  expect(at(second)).toBe(dotted(6));
});

test('it can move from all addresses of the machine to one', async () => {
  const scanner = await start({ network: { follows: true, address: '0.0.0.0' } }, [192, 0, 2, 1]);
  const port = scanner.httpPort;
  expect(at(scanner)).toBe('0.0.0.0');
  activate(scanner, loopback(5));
  await until(() => at(scanner) === dotted(5));
  expect(await open(port)).toEqual([5]);
  expect(number(scanner.service.ports.http)).toBe(port);
});

/** Hardware whose system takes its time to apply settings. */
class SlowNetwork extends VirtualHardware {
  readonly #applied: Promise<void>;
  override readonly network = { lease: () => undefined, apply: () => this.#applied };

  constructor(log: Log, applied: Promise<void>) {
    super(log);
    this.#applied = applied;
  }
}

test('it opens its ports when the system has its address', async () => {
  const storage = new MemoryStorage();
  const first = await start({ storage });
  put(first, loopback(6));
  await first.service.device.features.saving.storeWorking();
  await first.service.close();
  const applied = latch();
  let isStarted = false;
  const starting = TestScanner.start({
    storage,
    network: { follows: true, address: host },
    legacy: 'closed',
    hardware: (log) => new SlowNetwork(log, applied.opened),
  }).then((scanner) => {
    isStarted = true;
    return scanner;
  });
  await pause(200);
  expect(isStarted).toBe(false);
  applied.open();
  expect(at(await starting)).toBe(dotted(6));
});
