import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { device as deviceGroup } from '@azimuth/model';
import { bootMilliseconds, TestScanner, type TestScannerOptions } from '@azimuth/test-support/test-scanner';
import { until } from '@azimuth/test-support/waiting';
import packet, { type Answer } from 'dns-packet';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { Browser, goodbye, record } from '../dns-sd/browser.js';

/** Scanners of other tests may be announced at the same time: each test has a serial number of its own. */
let serial = '';
beforeEach(() => {
  serial = String(Math.floor(Math.random() * 1e9)).padStart(9, '0');
});
const nameOf = (number = serial) => `picoScan1xx ${number}._http._tcp.local`;

const start = (options: TestScannerOptions = {}) => TestScanner.start({ dnsSd: true, serial, ...options });

/** A record that binds this name to its address. */
const placed = (location: string) => (answer: Answer) =>
  answer.type === 'TXT' && answer.name === nameOf() && String(answer.data).includes(`location=${location}`);

function rename(scanner: TestScanner, location: string): void {
  scanner.service.device.parameters.change((change) =>
    change.set(deviceGroup.members.LocationName, location),
  );
}

async function announced(browser: Browser, name = nameOf()): Promise<void> {
  await browser.hears(record('SRV', name));
}

describe('a scanner', () => {
  test('announces its web server, with everything that DNS-SD browsers need', async () => {
    const browser = await Browser.open();
    const scanner = await start();
    await announced(browser);
    const { macAddress } = scanner.service.device.identity;
    const mac = Buffer.from([...macAddress]).toString('hex');
    expect(browser.heard.find(record('PTR', '_http._tcp.local'))).toBeDefined();
    expect(browser.heard.find(record('SRV', nameOf()))).toMatchObject({
      data: { port: scanner.httpPort, target: `azimuth-${mac}.local` },
    });
    expect(browser.heard.find(record('A', `azimuth-${mac}.local`))).toMatchObject({ data: '127.0.0.1' });
    const text = await browser.hears(record('TXT', nameOf()));
    const lines = text.type === 'TXT' && Array.isArray(text.data) ? text.data.map(String) : [];
    expect(lines).toEqual([
      'txtvers=1',
      'path=/',
      'type=picoScan1xx',
      `serial=${serial}`,
      `mac=${(mac.match(/../g) ?? []).join(':')}`,
      'firmware=2.4.4.0R',
      'location=not defined',
      expect.stringMatching(/^instance=[0-9a-f]{8}$/),
    ]);
  });

  test('at ::1 is announced on loopback with its IPv6 address', async () => {
    const browser = await Browser.open();
    const scanner = await start({ network: { address: '::1' } });
    await announced(browser);
    const mac = Buffer.from([...scanner.service.device.identity.macAddress]).toString('hex');
    const name = `azimuth-${mac}.local`;
    expect(await browser.hears(record('AAAA', name))).toMatchObject({ data: '::1' });
    expect(browser.heard.filter(record('A', name))).toEqual([]);
  });

  test.each([
    ['_http._tcp.local', 'PTR'],
    ['_services._dns-sd._udp.local', 'PTR'],
  ] as const)('answers a query for %s', async (name, type) => {
    const browser = await Browser.open();
    await start();
    await announced(browser);
    browser.heard.length = 0;
    browser.ask(name, type);
    const answer = await browser.hears(record(type, name));
    expect(answer).toMatchObject({ type });
  });

  test('answers a one-shot query from another port', async () => {
    const browser = await Browser.open();
    const scanner = await start();
    await announced(browser);
    const socket = createSocket('udp4');
    onTestFinished(() => {
      socket.close();
    });
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    socket.setMulticastInterface('127.0.0.1');
    socket.send(
      packet.encode({ type: 'query', id: 4711, questions: [{ type: 'SRV', name: nameOf() }] }),
      5353,
      '224.0.0.251',
    );
    const [message] = await once(socket, 'message');
    expect(packet.decode(message)).toMatchObject({
      id: 4711,
      questions: [{ name: nameOf() }],
      answers: [{ type: 'SRV', flush: false, data: { port: scanner.httpPort } }],
    });
  });

  test('sends a goodbye when it ends', async () => {
    const browser = await Browser.open();
    const scanner = await start();
    await announced(browser);
    await scanner.service.close();
    await browser.hears(goodbye('SRV', nameOf()));
    // Scanners of other tests may end at the same time.
    const isOurs = (answer: Answer) => 'data' in answer && answer.data === nameOf();
    const farewell = goodbye('PTR', '_http._tcp.local');
    expect(await browser.hears((answer) => farewell(answer) && isOurs(answer))).toMatchObject({
      type: 'PTR',
    });
  });

  test('sends a goodbye when it goes down, and announces itself after the boot', async () => {
    const browser = await Browser.open();
    const scanner = await start();
    await announced(browser);
    scanner.service.device.lifecycle.reboot();
    await browser.hears(goodbye('SRV', nameOf()));
    browser.heard.length = 0;
    scanner.clock.advance(bootMilliseconds);
    expect(await browser.hears(record('SRV', nameOf()))).toMatchObject({ data: { port: scanner.httpPort } });
  });

  test('announces nothing while its web server is off', async () => {
    const browser = await Browser.open();
    const scanner = await start();
    await announced(browser);
    await scanner.service.device.features.webserver.set(false);
    scanner.service.device.lifecycle.reboot();
    await browser.hears(goodbye('SRV', nameOf()));
    scanner.clock.advance(bootMilliseconds);
    await until(() => scanner.service.device.lifecycle.phase === 'up');
    browser.heard.length = 0;
    browser.ask(nameOf(), 'SRV');
    const other = await TestScanner.start({ dnsSd: true, serial: 'other1' });
    await announced(browser, nameOf('other1'));
    await other.service.close();
    expect(browser.heard.filter(record('SRV', nameOf()))).toEqual([]);
  });

  test('announces a changed LocationName without a goodbye', async () => {
    const browser = await Browser.open();
    const scanner = await start();
    await announced(browser);
    rename(scanner, 'Gate 3');
    scanner.clock.advance(1000);
    await browser.hears(placed('Gate 3'));
    expect(browser.heard.filter(goodbye('SRV', nameOf()))).toEqual([]);
    expect(browser.heard.filter(goodbye('TXT', nameOf()))).toEqual([]);
  });

  test('announces only the last of several changed names, at most once a second', async () => {
    const browser = await Browser.open();
    const scanner = await start();
    await announced(browser);
    for (let gate = 0; gate < 1000; gate++) rename(scanner, `Gate ${gate}`);
    scanner.clock.advance(1000);
    await browser.hears(placed('Gate 999'));
    for (let gate = 0; gate < 1000; gate++) rename(scanner, `Dock ${gate}`);
    scanner.clock.advance(999);
    // Earlier messages would arrive before the goodbye of the other one.
    const other = await TestScanner.start({ dnsSd: true, serial: 'other3' });
    await announced(browser, nameOf('other3'));
    await other.service.close();
    expect(browser.heard.filter(placed('Dock'))).toEqual([]);
    scanner.clock.advance(1);
    await browser.hears(placed('Dock 999'));
    expect(browser.heard.filter(placed('Gate'))).toHaveLength(
      browser.heard.filter(placed('Gate 999')).length,
    );
    expect(browser.heard.filter(placed('Dock'))).toHaveLength(
      browser.heard.filter(placed('Dock 999')).length,
    );
  });

  test('announces names that change before the first announcement in this one and one more', async () => {
    const browser = await Browser.open();
    const scanner = await start();
    const texts = () => browser.heard.filter(record('TXT', nameOf()));
    let changes = 0;
    await until(() => {
      rename(scanner, `Gate ${++changes}`);
      scanner.clock.advance(0);
      return texts().length > 0;
    });
    rename(scanner, 'Gate Z');
    scanner.clock.advance(999);
    expect(changes).toBeGreaterThan(3);
    await until(() => {
      scanner.clock.advance(1);
      return texts().some(placed('Gate Z'));
    });
    expect(texts()).toHaveLength(2);
  });

  test('has its port in its name if another scanner has the same serial number', async () => {
    const browser = await Browser.open();
    await start();
    await announced(browser);
    const two = await start();
    const { httpPort } = two;
    const second = await browser.hears(record('SRV', `picoScan1xx ${serial} (${httpPort})._http._tcp.local`));
    expect(second).toMatchObject({
      data: { port: httpPort, target: expect.stringContaining(`-${httpPort}.local`) },
    });
  });

  test('is not announced by default', async () => {
    const browser = await Browser.open();
    await TestScanner.start({ serial });
    const other = await TestScanner.start({ dnsSd: true, serial: 'other2' });
    await announced(browser, nameOf('other2'));
    await other.service.close();
    expect(browser.heard.filter(record('SRV', nameOf()))).toEqual([]);
  });
});

test('a damaged question does no harm', async () => {
  const browser = await Browser.open();
  const scanner = await start();
  await announced(browser);
  const socket = createSocket('udp4');
  onTestFinished(() => {
    socket.close();
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  socket.setMulticastInterface('127.0.0.1');
  const whole = packet.encode({ type: 'query', questions: [{ type: 'SRV', name: nameOf() }] });
  for (let length = 0; length < whole.length; length++) {
    socket.send(whole.subarray(0, length), 5353, '224.0.0.251');
  }
  socket.send(Buffer.from('ffff0000ffffffffffffffffc00cc00c', 'hex'), 5353, '224.0.0.251');
  browser.heard.length = 0;
  browser.ask(nameOf(), 'SRV');
  await announced(browser);
  expect(scanner.log.lines.filter(({ severity }) => severity !== 'info')).toEqual([]);
});
