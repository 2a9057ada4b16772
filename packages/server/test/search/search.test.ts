import { createSocket, Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { ethernet, LegacyScanMode, legacyProtocols } from '@azimuth/model';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { number } from '../../../../tests/support/json.js';
import { Bench, type BenchOptions, bootMilliseconds } from '../../../../tests/support/service-test-bench.js';
import { until } from '../../../../tests/support/waiting.js';
import { Asker, searchFor } from './asker.js';

const { EtherIPAddress } = ethernet.members;
const everyLoopback = '127.255.255.255';
/** Of the serial numbers 12345678 and 2: the prefix, and the first bytes of their SHA-256. */
const mac = '000677ef797c';
const macOf2 = '000677d4735e';

const start = (options: BenchOptions = {}) => Bench.start({ searchPort: 0, ...options });
const portOf = (bench: Bench) => number(bench.service.ports.search);

describe('the device search', () => {
  test.each(['127.0.0.1', everyLoopback])('answers what is sent to %s, to whoever sent it', async (to) => {
    const bench = await start();
    const asker = await Asker.open();
    await asker.send(searchFor('a1b2c3d4'), portOf(bench), to);
    await until(() => asker.heard.length === 2);
    expect(asker.heard.map(({ telegram }) => telegram)).toEqual(['95', '90']);
    for (const { from, ...told } of asker.heard) {
      expect(told).toMatchObject({ mac, id: 'a1b2c3d4' });
      expect(from).toBe(`127.0.0.1:${portOf(bench)}`);
    }
  });

  test('tells where HTTP listens', async () => {
    const bench = await start();
    const asker = await Asker.open();
    await asker.send(searchFor('00000001', '02'), portOf(bench));
    await until(() => asker.heard.length === 1);
    expect(asker.heard[0]?.body.toString()).toContain(`key="HTTPPortNo" value="${bench.httpPort}"`);
  });

  test('finds all scanners of a machine that share its port, by one broadcast', async () => {
    const one = await start();
    const two = await Bench.start({ serial: '2', searchPort: portOf(one) });
    expect(portOf(two)).toBe(portOf(one));
    const asker = await Asker.open();
    await asker.send(searchFor('00000002', '02'), portOf(one), everyLoopback);
    await until(() => asker.heard.length === 2);
    expect(asker.heard.map((heard) => heard.mac).sort()).toEqual([macOf2, mac].sort());
  });

  test('goes away with a reboot and comes back on the same port', async () => {
    const bench = await start();
    const port = portOf(bench);
    const asker = await Asker.open();
    bench.service.device.lifecycle.reboot();
    expect(bench.service.ports.search).toBeNull();
    await asker.send(searchFor('00000003', '02'), port);
    bench.clock.advance(bootMilliseconds);
    await until(() => bench.service.ports.search !== null);
    expect(portOf(bench)).toBe(port);
    await asker.send(searchFor('00000004', '02'), port);
    await until(() => asker.heard.length > 0);
    expect(asker.heard.map(({ id }) => id)).toEqual(['00000004']);
  });

  test('goes on while the web server is off', async () => {
    const bench = await start();
    await bench.service.device.webserver.set(false);
    bench.service.device.lifecycle.reboot();
    bench.clock.advance(bootMilliseconds);
    await until(() => bench.service.ports.search !== null);
    const asker = await Asker.open();
    await asker.send(searchFor('00000005', '02'), portOf(bench));
    await until(() => asker.heard.length === 1);
    expect(asker.heard[0]?.body.toString()).toContain('key="HTTPPortNo" value="0"');
  });

  test('is a warning where its port is taken, and the scanner starts', async () => {
    const taken = createSocket('udp4');
    taken.bind(0, '127.0.0.1');
    await once(taken, 'listening');
    onTestFinished(() => {
      taken.close();
    });
    const { port } = taken.address();
    const bench = await Bench.start({ searchPort: port });
    expect(bench.service.ports).toMatchObject({ search: null, http: expect.any(Number) });
    expect(bench.log.lines.filter(({ severity }) => severity === 'warn')).toMatchObject([
      { message: expect.stringContaining(`UDP port ${port}`) },
    ]);
  });

  test.each([
    ['::1', '0'],
    ['::', undefined],
    ['0.0.0.0', undefined],
  ])('of a scanner at %s tells the port of the web server only where it is reached', async (host, told) => {
    const bench = await start({ network: { host } });
    const asker = await Asker.open();
    await asker.send(searchFor('00000008', '02'), portOf(bench));
    await until(() => asker.heard.length === 1);
    const port = told ?? bench.httpPort;
    expect(asker.heard[0]?.body.toString()).toContain(`key="HTTPPortNo" value="${port}"`);
  });

  test('stays where the web server does when the new address is none of this machine', async () => {
    const bench = await start({ network: { mode: 'rebind' } });
    const { parameters, network } = bench.service.device;
    const move = (...address: readonly number[]) => {
      parameters.change((change) => change.set(EtherIPAddress, address));
      network.activate();
    };
    move(127, 0, 0, 9);
    await until(() => bench.service.url?.includes('127.0.0.9') === true);
    const asker = await Asker.open();
    while (asker.heard.length === 0) {
      await asker.send(searchFor('00000009', '02'), portOf(bench), '127.0.0.9');
      await new Promise(setImmediate);
    }
    move(192, 168, 77, 77);
    await until(() => bench.log.lines.some(({ message }) => message.includes('192.168.77.77')));
    // What tries to listen elsewhere has failed, or has listened, within a few rounds.
    for (let round = 0; round < 50; round++) await new Promise(setImmediate);
    await asker.send(searchFor('0000000f', '02'), portOf(bench), everyLoopback);
    await until(() => asker.heard.some(({ id }) => id === '0000000f'));
    const answer = asker.heard.find(({ id }) => id === '0000000f');
    expect(answer?.from).toBe(`127.0.0.9:${portOf(bench)}`);
    expect(answer?.body.toString()).toContain(`key="HTTPPortNo" value="${bench.httpPort}"`);
  });

  test('tells no port of a web server that could not come along', async () => {
    const bench = await start({ network: { mode: 'rebind' } });
    const taken = createServer().listen(bench.httpPort, '127.0.0.8');
    await once(taken, 'listening');
    onTestFinished(() => {
      taken.close();
    });
    bench.service.device.parameters.change((change) => change.set(EtherIPAddress, [127, 0, 0, 8]));
    bench.service.device.network.activate();
    const asker = await Asker.open();
    while (!asker.heard.some(({ from }) => from.startsWith('127.0.0.8:'))) {
      await asker.send(searchFor('00000010', '02'), portOf(bench), everyLoopback);
      await new Promise(setImmediate);
    }
    const answer = asker.heard.find(({ from }) => from.startsWith('127.0.0.8:'));
    expect(answer?.body.toString()).toContain('key="HTTPPortNo" value="0"');
  });

  test('follows the scanner to another address, and answers from there', async () => {
    const bench = await start({ network: { mode: 'rebind' } });
    const asker = await Asker.open();
    // 192.168.0.1 is not here: it is found at --host.
    await asker.send(searchFor('00000006', '02'), portOf(bench));
    await until(() => asker.heard.length === 1);
    bench.service.device.parameters.change((change) => change.set(EtherIPAddress, [127, 0, 0, 9]));
    bench.service.device.network.activate();
    await until(() => bench.service.url?.includes('127.0.0.9') === true);
    while (asker.heard.length === 1) {
      await asker.send(searchFor('00000007', '02'), portOf(bench), everyLoopback);
      await new Promise(setImmediate);
    }
    await until(() => asker.heard.some(({ from }) => from.startsWith('127.0.0.9:')));
  });
});

describe('setting the address', () => {
  const change = `11 00 000d ${mac} 0000000a 0100 7f000007 ff000000 00000000 00`;

  test('is confirmed before the scanner moves', async () => {
    const bench = await start({ network: { mode: 'rebind' } });
    const asker = await Asker.open();
    await asker.send(change, portOf(bench), everyLoopback);
    await until(() => asker.heard.length === 1);
    expect(asker.heard[0]).toMatchObject({ telegram: '91', from: `127.0.0.1:${portOf(bench)}` });
    await until(() => bench.service.url === `http://127.0.0.7:${bench.httpPort}`);
    expect(bench.service.device.parameters.stored(EtherIPAddress)).toEqual([127, 0, 0, 7]);
  });

  test('is sent before the configuration comes into force', async () => {
    const bench = await start();
    const asker = await Asker.open();
    const order: string[] = [];
    const { send } = Socket.prototype;
    const spy = vi.spyOn(Socket.prototype, 'send').mockImplementation(function (this: Socket, ...given) {
      const [datagram] = given;
      if (datagram instanceof Uint8Array && datagram[0] === 0x91) order.push('sent');
      Reflect.apply(send, this, given);
    });
    onTestFinished(() => spy.mockRestore());
    bench.service.device.network.onActivated(() => order.push('in force'));
    await asker.send(change, portOf(bench));
    await until(() => order.length === 2);
    expect(order).toEqual(['sent', 'in force']);
  });

  test.each(['127.0.0.1', 'localhost'])('never takes a scanner at %s off loopback', async (host) => {
    const bench = await start({ network: { mode: 'rebind', host } });
    const asker = await Asker.open();
    await asker.send(`11 00 000d ${mac} 0000000a 0100 c0000202 ffffff00 00000000 00`, portOf(bench));
    await until(() => bench.log.lines.some(({ facts }) => String(facts.reason).includes('192.0.2.2')));
    expect(bench.service.device.parameters.stored(EtherIPAddress)).toEqual([192, 168, 0, 1]);
    expect(asker.heard).toEqual([]);
  });

  test('takes any where the network is simulated, or the scanner is for others too', async () => {
    for (const network of [{ mode: 'simulate' }, { mode: 'rebind', host: '0.0.0.0' }] as const) {
      const bench = await start({ network });
      const asker = await Asker.open();
      await asker.send(`11 00 000d ${mac} 0000000a 0100 c0a84d4d ffffff00 00000000 00`, portOf(bench));
      await until(() => asker.heard.length === 1);
      expect(bench.service.device.parameters.stored(EtherIPAddress)).toEqual([192, 168, 77, 77]);
    }
  });

  test('shows in the next answer where the network is simulated', async () => {
    const bench = await start();
    const asker = await Asker.open();
    await asker.send(change, portOf(bench));
    await until(() => asker.heard.length === 1);
    await until(() => bench.service.device.network.active.read(EtherIPAddress)[3] === 7);
    await asker.send(searchFor('0000000b', '02'), portOf(bench));
    await until(() => asker.heard.length === 2);
    expect(asker.heard[1]?.body.toString()).toContain('key="IPAddress" value="127.0.0.7"');
  });

  test('is over a minute after the boot', async () => {
    const bench = await start();
    bench.clock.advance(60_000);
    const asker = await Asker.open();
    await asker.send(change, portOf(bench));
    await asker.send(searchFor('0000000c', '02'), portOf(bench));
    await until(() => asker.heard.length === 1);
    expect(asker.heard[0]?.telegram).toBe('90');
    expect(bench.service.device.read(EtherIPAddress)).toEqual([192, 168, 0, 1]);
  });
});

describe('too much', () => {
  const searches = async (asker: Asker, port: number, times: number) => {
    for (let i = 0; i < times; i++) await asker.send(searchFor(i.toString(16).padStart(8, '0'), '02'), port);
  };

  test('gets 20 answers a second and address, and no more', async () => {
    const bench = await start();
    const asker = await Asker.open();
    await searches(asker, portOf(bench), 60);
    const other = await Asker.open('127.0.0.2');
    await other.send(searchFor('ffffffff', '02'), portOf(bench));
    await until(() => other.heard.length === 1);
    expect(asker.heard).toHaveLength(20);
    bench.clock.advance(1000);
    await searches(asker, portOf(bench), 1);
    await until(() => asker.heard.length === 21);
  });

  test('gets 200 answers a second over all addresses', async () => {
    const bench = await start();
    const askers: Asker[] = [];
    for (let i = 1; i <= 12; i++) askers.push(await Asker.open(`127.0.1.${i}`));
    for (const asker of askers) await searches(asker, portOf(bench), 20);
    const heard = () => askers.reduce((sum, asker) => sum + asker.heard.length, 0);
    await until(() => heard() >= 200);
    // What has been sent is in the socket's buffer, and is read there within a few rounds.
    for (let round = 0; round < 50; round++) await new Promise(setImmediate);
    bench.clock.advance(1000);
    const last = await Asker.open('127.0.1.99');
    await last.send(searchFor('ffffffff', '02'), portOf(bench));
    await until(() => last.heard.length === 1);
    expect(heard()).toBe(200);
  });

  test('that is no request costs nobody an answer', async () => {
    const bench = await start();
    const asker = await Asker.open();
    for (let i = 0; i < 200; i++) await asker.send('10000008ffffffffffff000000000100', portOf(bench));
    await asker.send('', portOf(bench));
    await asker.send('10'.repeat(9000), portOf(bench));
    await asker.send(searchFor('0000000d', '02'), portOf(bench));
    await until(() => asker.heard.length === 1);
    expect(asker.heard[0]?.id).toBe('0000000d');
  });

  test('is silence where the search is off', async () => {
    const bench = await start();
    const { parameters, network } = bench.service.device;
    parameters.change((change) =>
      change.set(legacyProtocols.members.EtherLegacyScanMode, LegacyScanMode.DISABLED),
    );
    network.activate();
    const asker = await Asker.open();
    await searches(asker, portOf(bench), 5);
    parameters.change((change) =>
      change.set(legacyProtocols.members.EtherLegacyScanMode, LegacyScanMode.ENABLED),
    );
    network.activate();
    await asker.send(searchFor('0000000e', '02'), portOf(bench));
    await until(() => asker.heard.length > 0);
    expect(asker.heard.map(({ id }) => id).at(-1)).toBe('0000000e');
  });
});
