import { createServer } from 'node:net';
import { MemoryStorage } from '@azimuth/device';
import { ethernet } from '@azimuth/model';
import { expect, onTestFinished, test } from 'vitest';
import { Client, statusOf } from '../../../tests/support/client.js';
import { number, parse } from '../../../tests/support/json.js';
import { listens, RawConnection } from '../../../tests/support/raw-connection.js';
import { Bench, type BenchOptions, bootMilliseconds } from '../../../tests/support/service-test-bench.js';
import { until } from '../../../tests/support/waiting.js';

const { EtherIPAddress, EtherAddressingMode, EtherDHCPFallback } = ethernet.members;
const home = '127.0.0.2';
const subnet = { mask: [255, 0, 0, 0], gateway: [0, 0, 0, 0] };
const loopback = (last: number) => [127, 0, 0, last] as const;

/**
 * A scanner that follows its settings. None of its addresses is 127.0.0.1, whose ports other tests use: one picked
 * elsewhere may be taken there.
 */
async function start(options: BenchOptions = {}, address: readonly number[] = loopback(2)): Promise<Bench> {
  const bench = await Bench.start({
    controlPort: 0,
    ...options,
    network: { mode: 'rebind', host: '127.0.0.9', ...options.network },
    legacy: 'closed',
  });
  put(bench, address);
  bench.service.device.network.activate();
  await settled();
  bench.log.lines.length = 0;
  return bench;
}

function put({ service }: Bench, address: readonly number[], mode: 0 | 1 = 0, fallback: 0 | 1 = 0): void {
  service.device.parameters.change((change) =>
    change.set(EtherIPAddress, address).set(EtherAddressingMode, mode).set(EtherDHCPFallback, fallback),
  );
}

function activate(bench: Bench, address: readonly number[], mode?: 0 | 1, fallback?: 0 | 1): void {
  put(bench, address, mode, fallback);
  bench.service.device.network.activate();
}

/** Everything that was begun on this machine is done when the event loop has gone round a few times. */
async function settled(): Promise<void> {
  for (let times = 0; times < 10; times++) {
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  }
}

/** Lets so many small steps of what was begun be done. */
async function pass(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) {
    await new Promise<void>((resolve) => {
      process.nextTick(resolve);
    });
  }
}

async function boot(bench: Bench): Promise<void> {
  const { lifecycle } = bench.service.device;
  bench.clock.advance(bootMilliseconds);
  await until(() => lifecycle.phase === 'up');
  await settled();
}

const at = ({ service }: Bench) => service.url?.replace(/^http:\/\/|:\d+$/g, '');
const messages = ({ log }: Bench, severity: string) =>
  log.lines.filter((line) => line.severity === severity).map(({ message }) => message);

/** The addresses 127.0.0.2 to 127.0.0.10 on which the port of the scanner is open. */
async function open(port: number): Promise<readonly number[]> {
  const found: number[] = [];
  for (let last = 2; last <= 10; last++) if (await listens(port, `127.0.0.${last}`)) found.push(last);
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

test('the answer of EthernetUpdate comes first, then the scanner is at the new address alone', async () => {
  const bench = await start();
  const port = bench.httpPort;
  const client = new Client(port, { host: home });
  const idle = await RawConnection.open(port, home);
  await client.write('EtherIPAddress', loopback(5));
  const answer = await client.call('EthernetUpdate');
  expect(statusOf(answer)).toBe(0);
  expect(answer.headers.connection).toBe('close');
  await idle.closed;
  expect(await open(port)).toEqual([5]);
  expect(await new Client(port, { host: '127.0.0.5' }).value('EtherIPAddress')).toEqual([127, 0, 0, 5]);
  expect(messages(bench, 'info')).toContain(`Listening at http://127.0.0.5:${port}`);
});

test('the new listener is open before the old one is closed', async () => {
  const bench = await start();
  const port = bench.httpPort;
  const witness = await RawConnection.open(port, home);
  let found: string | undefined;
  witness.socket.on('close', () => {
    found = bench.service.url;
  });
  activate(bench, loopback(5));
  expect(bench.service.url).toBe(`http://127.0.0.2:${port}`);
  await witness.closed;
  expect(found).toBe(`http://127.0.0.5:${port}`);
});

test('an update to the same address moves nothing and closes no other connection', async () => {
  const bench = await start();
  const kept = await RawConnection.open(bench.httpPort, home);
  expect(statusOf(await new Client(bench.httpPort, { host: home }).call('EthernetUpdate'))).toBe(0);
  await settled();
  expect(bench.log.errors).toEqual([]);
  kept.request('GET /api/DeviceStatus');
  expect((await kept.response()).statusLine).toContain('200');
  expect(messages(bench, 'info').filter((line) => line.startsWith('Listening'))).toEqual([]);
});

test('without rebind nothing moves', async () => {
  const bench = await start({ network: { mode: 'simulate', host: '127.0.0.2' } });
  activate(bench, loopback(5));
  await settled();
  expect(await open(bench.httpPort)).toEqual([2]);
  await bench.service.device.saving.storeWorking();
  bench.service.device.powerCycle();
  await boot(bench);
  expect(await open(bench.httpPort)).toEqual([2]);
  expect(bench.log.errors).toEqual([]);
  expect(messages(bench, 'info').filter((line) => line.startsWith('Listening'))).toEqual([]);
});

test('updates in quick succession end at the last address, with one listener', async () => {
  const bench = await start();
  const port = bench.httpPort;
  for (const last of [5, 6, 7, 2, 8]) activate(bench, loopback(last));
  await until(() => at(bench) === '127.0.0.8');
  await settled();
  expect(await open(port)).toEqual([8]);
});

test('there and back again at once is where it was', async () => {
  const bench = await start();
  activate(bench, loopback(5));
  await Promise.resolve();
  activate(bench, loopback(2));
  await settled();
  expect(await open(bench.httpPort)).toEqual([2]);
});

test.each([
  [[192, 0, 2, 1], 'this machine does not have the address 192.0.2.1'],
  [[0, 0, 0, 0], '0.0.0.0 is no address that a scanner can have'],
  [[224, 0, 0, 1], '224.0.0.1 is no address that a scanner can have'],
  [[255, 255, 255, 255], '255.255.255.255 is no address that a scanner can have'],
])('at %j it cannot listen, says so once and stays, connections too', async (address, reason) => {
  const bench = await start();
  const port = bench.httpPort;
  const kept = await RawConnection.open(port, home);
  activate(bench, address);
  await settled();
  expect(bench.log.errors).toEqual([
    {
      severity: 'error',
      message: `The web server cannot listen at ${address.join('.')}, the address in force`,
      facts: { reason, listeningAt: `http://127.0.0.2:${port}` },
    },
  ]);
  expect(await open(port)).toEqual([2]);
  kept.request('GET /api/DeviceStatus');
  expect((await kept.response()).statusLine).toContain('200');
});

test('a port that is taken at the new address keeps it where it is until the next update', async () => {
  const bench = await start();
  const port = bench.httpPort;
  const leave = await occupy(port, '127.0.0.5');
  activate(bench, loopback(5));
  await settled();
  expect(at(bench)).toBe('127.0.0.2');
  expect(bench.log.errors[0]?.facts).toMatchObject({ reason: `Port ${port} on 127.0.0.5 is in use` });
  bench.clock.advance(60_000);
  await settled();
  expect(bench.log.errors).toHaveLength(1);
  await leave();
  bench.service.device.network.activate();
  await until(() => at(bench) === '127.0.0.5');
});

test('moving back to --host where somebody else is now does not close the listener that there is', async () => {
  const bench = await start({}, loopback(5));
  const port = bench.httpPort;
  await occupy(port, '127.0.0.9');
  activate(bench, loopback(9));
  await settled();
  expect(at(bench)).toBe('127.0.0.5');
  bench.clock.advance(60_000);
  await settled();
  expect(bench.log.errors).toHaveLength(1);
});

test('a boot puts it back at the stored address', async () => {
  const bench = await start();
  const port = bench.httpPort;
  await bench.service.device.saving.storeWorking();
  activate(bench, loopback(5));
  await until(() => at(bench) === '127.0.0.5');
  bench.service.device.powerCycle();
  expect(bench.service.url).toBeUndefined();
  expect(await open(port)).toEqual([]);
  await boot(bench);
  expect(await open(port)).toEqual([2]);
});

test('a boot or a start with an address of no use listens at --host, and says what was expected', async () => {
  const storage = new MemoryStorage();
  const bench = await start({ storage });
  const port = bench.httpPort;
  bench.service.device.powerCycle();
  await boot(bench);
  expect(await open(port)).toEqual([9]);
  expect(bench.log.errors).toEqual([
    {
      severity: 'error',
      message: 'The web server cannot listen at 192.168.0.1, the address in force',
      facts: {
        reason: 'this machine does not have the address 192.168.0.1',
        listeningAt: `http://127.0.0.9:${port}`,
      },
    },
  ]);
  const started = await Bench.start({ network: { mode: 'rebind', host: '127.0.0.9' }, legacy: 'closed' });
  expect(at(started)).toBe('127.0.0.9');
  expect(started.log.errors).toHaveLength(1);
});

test('where --host is taken too, a boot asks again until one is free, and complains of the address once', async () => {
  const bench = await start();
  const port = bench.httpPort;
  bench.service.device.powerCycle();
  const leave = await occupy(port, '127.0.0.9');
  await boot(bench);
  for (let times = 0; times < 3; times++) {
    bench.clock.advance(1000);
    await settled();
  }
  expect(bench.service.ports.http).toBeNull();
  const complaints = messages(bench, 'error');
  expect(complaints.filter((line) => line.includes('192.168.0.1'))).toHaveLength(1);
  expect(complaints.filter((line) => line.includes('trying again'))).toHaveLength(4);
  await leave();
  bench.clock.advance(1000);
  await until(() => at(bench) === '127.0.0.9');
  expect(await open(port)).toEqual([9]);
});

test('a start at the stored address is at once there', async () => {
  const storage = new MemoryStorage();
  const first = await start({ storage }, loopback(5));
  await first.service.device.saving.storeWorking();
  const second = await Bench.start({
    storage,
    network: { mode: 'rebind', host: '127.0.0.9' },
    legacy: 'closed',
  });
  expect(await open(second.httpPort)).toEqual([5]);
  expect(messages(second, 'info')).toContain(`Listening at ${second.service.url}`);
});

test.each(['a reboot', 'closing'])('%s in the middle of a move leaves no listener', async (what) => {
  for (let turns = 0; turns < 12; turns++) {
    const bench = await start();
    const port = bench.httpPort;
    activate(bench, loopback(5));
    await pass(turns);
    if (what === 'closing') await bench.service.close();
    else bench.service.device.powerCycle();
    await settled();
    expect(bench.service.url).toBeUndefined();
    expect(await open(port)).toEqual([]);
    if (what === 'closing') continue;
    await bench.service.device.saving.storeWorking();
    await boot(bench);
    expect(await open(port)).toEqual([5]);
    // Its port may be picked for the next scanner, which starts at another address.
    await bench.service.close();
  }
});

test.each(['free', 'taken'])(
  'closing while a boot looks for an address, with --host %s, ends it',
  async (place) => {
    for (let turns = 0; turns < 12; turns++) {
      const bench = await start();
      const port = bench.httpPort;
      bench.service.device.powerCycle();
      const leave = place === 'free' ? undefined : await occupy(port, '127.0.0.9');
      let said = 0;
      const closed = new Promise<void>((resolve, reject) => {
        bench.service.device.lifecycle.onUp(() => {
          void pass(turns).then(() => {
            said = bench.log.errors.length;
            bench.service.close().then(resolve, reject);
          });
        });
      });
      bench.clock.advance(bootMilliseconds);
      await closed;
      await settled();
      await leave?.();
      bench.clock.advance(60_000);
      await settled();
      expect(await open(port)).toEqual([]);
      expect(bench.log.errors.length).toBe(said);
    }
  },
);

test('an update that comes into force while the scanner is down opens nothing', async () => {
  const bench = await start();
  const port = bench.httpPort;
  put(bench, loopback(5));
  bench.service.device.powerCycle();
  bench.service.device.network.activate();
  await settled();
  expect(await open(port)).toEqual([]);
  await boot(bench);
  expect(at(bench)).toBe('127.0.0.9');
});

test('a web server that is switched off stays off, whatever address comes into force', async () => {
  const bench = await start();
  const port = bench.httpPort;
  await bench.service.device.webserver.set(false);
  bench.service.device.powerCycle();
  await boot(bench);
  activate(bench, loopback(5));
  await settled();
  expect(await open(port)).toEqual([]);
  await bench.service.device.webserver.set(true);
  bench.service.device.powerCycle();
  await boot(bench);
  expect(await open(port)).toEqual([9]);
});

test('it goes where DHCP puts it, and back to the static address', async () => {
  const bench = await start();
  const port = bench.httpPort;
  const { network } = bench.service.device;
  activate(bench, loopback(2), 1);
  await settled();
  expect(at(bench)).toBe('127.0.0.2');
  network.offer({ address: loopback(6), ...subnet });
  await until(() => at(bench) === '127.0.0.6');
  network.offer({ address: loopback(7), ...subnet });
  await until(() => at(bench) === '127.0.0.7');
  network.offer(undefined);
  await until(() => at(bench) === '127.0.0.2');
  expect(await open(port)).toEqual([2]);
});

test('while it keeps asking for an address nothing listens, and the control port is the way back', async () => {
  const bench = await start();
  const port = bench.httpPort;
  const control = new Client(bench.controlPort);
  const told = async () => parse((await control.send({ method: 'GET', path: '/' })).text);
  expect(await told()).toMatchObject({ http: { host: '127.0.0.2', port } });
  activate(bench, loopback(2), 1, 1);
  activate(bench, loopback(2), 1, 1);
  await until(() => bench.service.url === undefined);
  expect(await open(port)).toEqual([]);
  expect(await told()).toMatchObject({ http: null, network: { source: 'none' } });
  expect(messages(bench, 'warn')).toEqual([
    'The web server does not listen: the scanner has no address until DHCP offers one',
  ]);
  const body = JSON.stringify({ address: loopback(6), ...subnet });
  await control.send({ method: 'POST', path: '/dhcp', body });
  await until(() => at(bench) === '127.0.0.6');
  expect(await told()).toMatchObject({ http: { host: '127.0.0.6', port } });
});

test('an unusable lease after none is answered at --host', async () => {
  const bench = await start();
  activate(bench, loopback(2), 1, 1);
  await until(() => bench.service.url === undefined);
  bench.service.device.network.offer({ address: [192, 0, 2, 1], ...subnet });
  await until(() => at(bench) === '127.0.0.9');
  expect(bench.log.errors).toHaveLength(1);
});

test('what DHCP offers at the start is in force at the start', async () => {
  const storage = new MemoryStorage();
  const first = await start({ storage });
  put(first, loopback(2), 1, 1);
  await first.service.device.saving.storeWorking();
  const without = await Bench.start({
    storage,
    network: { mode: 'rebind', host: '127.0.0.9' },
    legacy: 'closed',
  });
  expect(without.service.ports.http).toBeNull();
  const dhcp = { address: loopback(6), ...subnet };
  const second = await Bench.start({
    storage,
    network: { mode: 'rebind', host: '127.0.0.9', dhcp },
    legacy: 'closed',
  });
  expect(at(second)).toBe('127.0.0.6');
});

test('from all addresses of the machine it moves to one', async () => {
  const bench = await start({ network: { mode: 'rebind', host: '0.0.0.0' } }, [192, 0, 2, 1]);
  const port = bench.httpPort;
  expect(at(bench)).toBe('0.0.0.0');
  activate(bench, loopback(5));
  await until(() => at(bench) === '127.0.0.5');
  expect(await open(port)).toEqual([5]);
  expect(number(bench.service.ports.http)).toBe(port);
});
