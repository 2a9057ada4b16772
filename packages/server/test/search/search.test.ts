import { createSocket, Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { ethernet, LegacyScanMode, legacyProtocols } from '@azimuth/model';
import { number } from '@azimuth/test-support/json';
import { bootMilliseconds, TestScanner, type TestScannerOptions } from '@azimuth/test-support/test-scanner';
import { until } from '@azimuth/test-support/waiting';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ListenerRegistry, ListeningAddress } from '../../src/network/listening-address.js';
import { SearchWire } from '../../src/search/search-wire.js';
import { Asker, searchFor } from './searcher.js';

const { EtherIPAddress } = ethernet.members;
const everyLoopback = '127.255.255.255';
/** Instances of the serial numbers 12345678 and 2: the prefix, and the first bytes of their SHA-256. */
const mac = '000677ef797c';
const macOf2 = '000677d4735e';

const start = (options: TestScannerOptions = {}) => TestScanner.start({ searchPort: 0, ...options });
const portOf = (scanner: TestScanner) => number(scanner.service.ports.search);

describe('the device search', () => {
  test.each(['127.0.0.1', everyLoopback])('answers requests to %s, to each sender', async (to) => {
    const scanner = await start();
    const asker = await Asker.open();
    await asker.send(searchFor('a1b2c3d4'), portOf(scanner), to);
    await until(() => asker.heard.length === 2);
    expect(asker.heard.map(({ telegram }) => telegram)).toEqual(['95', '90']);
    for (const { from, ...told } of asker.heard) {
      expect(told).toMatchObject({ mac, id: 'a1b2c3d4' });
      expect(from).toBe(`127.0.0.1:${portOf(scanner)}`);
    }
  });

  test('states where HTTP listens', async () => {
    const scanner = await start();
    const asker = await Asker.open();
    await asker.send(searchFor('00000001', '02'), portOf(scanner));
    await until(() => asker.heard.length === 1);
    expect(asker.heard[0]?.body.toString()).toContain(`key="HTTPPortNo" value="${scanner.httpPort}"`);
  });

  test('finds all scanners of a machine that share its port, by one broadcast', async () => {
    const one = await start();
    const two = await TestScanner.start({ serial: '2', searchPort: portOf(one) });
    expect(portOf(two)).toBe(portOf(one));
    const asker = await Asker.open();
    await asker.send(searchFor('00000002', '02'), portOf(one), everyLoopback);
    await until(() => asker.heard.length === 2);
    expect(asker.heard.map((heard) => heard.mac).sort()).toEqual([macOf2, mac].sort());
  });

  test('closes with a reboot and opens again on the same port', async () => {
    const scanner = await start();
    const port = portOf(scanner);
    const asker = await Asker.open();
    scanner.service.device.lifecycle.reboot();
    expect(scanner.service.ports.search).toBeNull();
    await asker.send(searchFor('00000003', '02'), port);
    scanner.clock.advance(bootMilliseconds);
    await until(() => scanner.service.ports.search !== null);
    expect(portOf(scanner)).toBe(port);
    await asker.send(searchFor('00000004', '02'), port);
    await until(() => asker.heard.length > 0);
    expect(asker.heard.map(({ id }) => id)).toEqual(['00000004']);
  });

  test('continues while the web server is off', async () => {
    const scanner = await start();
    await scanner.service.device.features.webserver.set(false);
    scanner.service.device.lifecycle.reboot();
    scanner.clock.advance(bootMilliseconds);
    await until(() => scanner.service.ports.search !== null);
    const asker = await Asker.open();
    await asker.send(searchFor('00000005', '02'), portOf(scanner));
    await until(() => asker.heard.length === 1);
    expect(asker.heard[0]?.body.toString()).toContain('key="HTTPPortNo" value="0"');
  });

  test('logs a warning if its port is in use, and the scanner starts', async () => {
    const taken = createSocket('udp4');
    taken.bind(0, '127.0.0.1');
    await once(taken, 'listening');
    onTestFinished(() => {
      taken.close();
    });
    const { port } = taken.address();
    const scanner = await TestScanner.start({ searchPort: port });
    expect(scanner.service.ports).toMatchObject({ search: null, http: expect.any(Number) });
    expect(scanner.log.lines.filter(({ severity }) => severity === 'warn')).toMatchObject([
      { message: expect.stringContaining(`UDP port ${port}`) },
    ]);
  });

  test.each([
    ['::1', '0'],
    ['::', undefined],
    ['0.0.0.0', undefined],
  ])('of a scanner at %s states the port of the web server only if it is reachable', async (host, told) => {
    const scanner = await start({ network: { address: host } });
    const asker = await Asker.open();
    await asker.send(searchFor('00000008', '02'), portOf(scanner));
    await until(() => asker.heard.length === 1);
    const port = told ?? scanner.httpPort;
    expect(asker.heard[0]?.body.toString()).toContain(`key="HTTPPortNo" value="${port}"`);
  });

  test('stays with the web server if this machine does not have the new address', async () => {
    const scanner = await start({ network: { follows: true } });
    const {
      parameters,
      features: { network },
    } = scanner.service.device;
    const move = (...address: readonly number[]) => {
      parameters.change((change) => change.set(EtherIPAddress, address));
      network.activate();
    };
    move(127, 0, 0, 9);
    await until(() => scanner.service.url?.includes('127.0.0.9') === true);
    const asker = await Asker.open();
    while (asker.heard.length === 0) {
      await asker.send(searchFor('00000009', '02'), portOf(scanner), '127.0.0.9');
      await new Promise(setImmediate);
    }
    move(192, 168, 77, 77);
    await until(() => scanner.log.lines.some(({ message }) => message.includes('192.168.77.77')));
    // An attempt to listen elsewhere has failed, or has listened, within a few rounds.
    for (let round = 0; round < 50; round++) await new Promise(setImmediate);
    await asker.send(searchFor('0000000f', '02'), portOf(scanner), everyLoopback);
    await until(() => asker.heard.some(({ id }) => id === '0000000f'));
    const answer = asker.heard.find(({ id }) => id === '0000000f');
    expect(answer?.from).toBe(`127.0.0.9:${portOf(scanner)}`);
    expect(answer?.body.toString()).toContain(`key="HTTPPortNo" value="${scanner.httpPort}"`);
  });

  test('states no port if the web server could not move with it', async () => {
    const scanner = await start({ network: { follows: true } });
    const taken = createServer().listen(scanner.httpPort, '127.0.0.8');
    await once(taken, 'listening');
    onTestFinished(() => {
      taken.close();
    });
    scanner.service.device.parameters.change((change) => change.set(EtherIPAddress, [127, 0, 0, 8]));
    scanner.service.device.features.network.activate();
    const asker = await Asker.open();
    while (!asker.heard.some(({ from }) => from.startsWith('127.0.0.8:'))) {
      await asker.send(searchFor('00000010', '02'), portOf(scanner), everyLoopback);
      await new Promise(setImmediate);
    }
    const answer = asker.heard.find(({ from }) => from.startsWith('127.0.0.8:'));
    expect(answer?.body.toString()).toContain('key="HTTPPortNo" value="0"');
  });

  test('follows the scanner to another address, and answers from there', async () => {
    const scanner = await start({ network: { follows: true } });
    const asker = await Asker.open();
    // 192.168.0.1 is no address of this machine, so the scanner is found at --host.
    await asker.send(searchFor('00000006', '02'), portOf(scanner));
    await until(() => asker.heard.length === 1);
    scanner.service.device.parameters.change((change) => change.set(EtherIPAddress, [127, 0, 0, 9]));
    scanner.service.device.features.network.activate();
    await until(() => scanner.service.url?.includes('127.0.0.9') === true);
    while (asker.heard.length === 1) {
      await asker.send(searchFor('00000007', '02'), portOf(scanner), everyLoopback);
      await new Promise(setImmediate);
    }
    await expect.poll(() => asker.heard.map(({ from }) => from).join()).toContain('127.0.0.9:');
  });
});

describe('setting the address', () => {
  const change = `11 00 000d ${mac} 0000000a 0100 7f000007 ff000000 00000000 00`;

  test('is confirmed before the scanner moves', async () => {
    const scanner = await start({ network: { follows: true } });
    const asker = await Asker.open();
    await asker.send(change, portOf(scanner), everyLoopback);
    await until(() => asker.heard.length === 1);
    expect(asker.heard[0]).toMatchObject({ telegram: '91', from: `127.0.0.1:${portOf(scanner)}` });
    await until(() => scanner.service.url === `http://127.0.0.7:${scanner.httpPort}`);
    expect(scanner.service.device.parameters.stored(EtherIPAddress)).toEqual([127, 0, 0, 7]);
  });

  test('is sent before the configuration comes into force', async () => {
    const scanner = await start();
    const asker = await Asker.open();
    const order: string[] = [];
    const { send } = Socket.prototype;
    const spy = vi.spyOn(Socket.prototype, 'send').mockImplementation(function (this: Socket, ...given) {
      const [datagram] = given;
      if (datagram instanceof Uint8Array && datagram[0] === 0x91) order.push('sent');
      Reflect.apply(send, this, given);
    });
    onTestFinished(() => spy.mockRestore());
    scanner.service.device.features.network.onActivated(() => order.push('in force'));
    await asker.send(change, portOf(scanner));
    await until(() => order.length === 2);
    expect(order).toEqual(['sent', 'in force']);
  });

  test.each(['127.0.0.1', 'localhost'])('never moves a scanner at %s off loopback', async (host) => {
    const scanner = await start({ network: { follows: true, address: host } });
    const asker = await Asker.open();
    await asker.send(`11 00 000d ${mac} 0000000a 0100 c0000202 ffffff00 00000000 00`, portOf(scanner));
    await until(() => scanner.log.lines.some(({ facts }) => String(facts.reason).includes('192.0.2.2')));
    expect(scanner.service.device.parameters.stored(EtherIPAddress)).toEqual([192, 168, 0, 1]);
    expect(asker.heard).toEqual([]);
  });

  test('accepts any address if the network is simulated, or if the scanner is not only on loopback', async () => {
    for (const network of [{ follows: false }, { follows: true, address: '0.0.0.0' }] as const) {
      const scanner = await start({ network });
      const asker = await Asker.open();
      await asker.send(`11 00 000d ${mac} 0000000a 0100 c0a84d4d ffffff00 00000000 00`, portOf(scanner));
      await until(() => asker.heard.length === 1);
      expect(scanner.service.device.parameters.stored(EtherIPAddress)).toEqual([192, 168, 77, 77]);
    }
  });

  test('is shown in the next answer if the network is simulated', async () => {
    const scanner = await start();
    const asker = await Asker.open();
    await asker.send(change, portOf(scanner));
    await until(() => asker.heard.length === 1);
    await until(() => scanner.service.device.features.network.active.read(EtherIPAddress)[3] === 7);
    await asker.send(searchFor('0000000b', '02'), portOf(scanner));
    await until(() => asker.heard.length === 2);
    expect(asker.heard[1]?.body.toString()).toContain('key="IPAddress" value="127.0.0.7"');
  });

  test('is possible only in the first minute after the boot', async () => {
    const scanner = await start();
    scanner.clock.advance(60_000);
    const asker = await Asker.open();
    await asker.send(change, portOf(scanner));
    await asker.send(searchFor('0000000c', '02'), portOf(scanner));
    await until(() => asker.heard.length === 1);
    expect(asker.heard[0]?.telegram).toBe('90');
    expect(scanner.service.device.read(EtherIPAddress)).toEqual([192, 168, 0, 1]);
  });
});

describe('too much', () => {
  const searches = async (asker: Asker, port: number, times: number) => {
    for (let i = 0; i < times; i++) await asker.send(searchFor(i.toString(16).padStart(8, '0'), '02'), port);
  };

  test('gets at most 20 answers a second for each address', async () => {
    const scanner = await start();
    const asker = await Asker.open();
    await searches(asker, portOf(scanner), 60);
    const other = await Asker.open('127.0.0.2');
    await other.send(searchFor('ffffffff', '02'), portOf(scanner));
    await until(() => other.heard.length === 1);
    expect(asker.heard).toHaveLength(20);
    scanner.clock.advance(1000);
    await searches(asker, portOf(scanner), 1);
    await until(() => asker.heard.length === 21);
  });

  test('gets at most 200 answers a second over all addresses', async () => {
    const scanner = await start();
    const askers: Asker[] = [];
    for (let i = 1; i <= 12; i++) askers.push(await Asker.open(`127.0.1.${i}`));
    for (const asker of askers) await searches(asker, portOf(scanner), 20);
    const heard = () => askers.reduce((sum, asker) => sum + asker.heard.length, 0);
    await until(() => heard() >= 200);
    // Datagrams that were sent are in the socket's buffer, and are read within a few rounds.
    for (let round = 0; round < 50; round++) await new Promise(setImmediate);
    scanner.clock.advance(1000);
    const last = await Asker.open('127.0.1.99');
    await last.send(searchFor('ffffffff', '02'), portOf(scanner));
    await until(() => last.heard.length === 1);
    expect(heard()).toBe(200);
  });

  test('that is not a request does not count for the limit', async () => {
    const scanner = await start();
    const asker = await Asker.open();
    for (let i = 0; i < 200; i++) await asker.send('10000008ffffffffffff000000000100', portOf(scanner));
    await asker.send('', portOf(scanner));
    await asker.send('10'.repeat(9000), portOf(scanner));
    await asker.send(searchFor('0000000d', '02'), portOf(scanner));
    await until(() => asker.heard.length === 1);
    expect(asker.heard[0]?.id).toBe('0000000d');
  });

  test('gets no answer if the search is off', async () => {
    const scanner = await start();
    const {
      parameters,
      features: { network },
    } = scanner.service.device;
    parameters.change((change) =>
      change.set(legacyProtocols.members.EtherLegacyScanMode, LegacyScanMode.DISABLED),
    );
    network.activate();
    const asker = await Asker.open();
    await searches(asker, portOf(scanner), 5);
    parameters.change((change) =>
      change.set(legacyProtocols.members.EtherLegacyScanMode, LegacyScanMode.ENABLED),
    );
    network.activate();
    await asker.send(searchFor('0000000e', '02'), portOf(scanner));
    await until(() => asker.heard.length > 0);
    expect(asker.heard.map(({ id }) => id).at(-1)).toBe('0000000e');
  });
});

test('a search port that is closed while it is being opened stays closed', async () => {
  const { service } = await TestScanner.start();
  const { device } = service;
  const address = new ListeningAddress({ address: '127.0.0.1' }, device.features.network);
  const wire = new SearchWire({
    device,
    address,
    listeners: new ListenerRegistry(),
    port: 0,
    instance: '00000000',
  });
  const opening = wire.open();
  wire.close();
  await opening;
  expect(wire.port).toBeNull();
});
