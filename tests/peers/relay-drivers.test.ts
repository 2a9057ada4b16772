// Programs that know nothing of a relay: the same scans and the same answers, straight from the scanner and through it.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { join } from 'node:path';
import { openControl } from '@azimuth/bridge/control';
import { destinationIn, openOutgoing, StreamRelay, udpIncoming } from '@azimuth/bridge/streams';
import { Timeline } from '@azimuth/bridge/timeline';
import { LegacyScanner } from '@azimuth/client/legacy';
import { root, run, temporaryFolder, withAzimuth } from '@azimuth/test-support/recipe-program';
import { startScanner, type TestScanner } from '@azimuth/testing';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { Driver } from '../../examples/driver-time/driver.js';
import { HallDriver } from '../../examples/product-driver/hall-driver.js';

const host = '127.0.0.1';
const password = 'servicelevel';
/** Virtual ms in which a scan is sent at 25 Hz, and less than a receiver can hold. */
const step = 20;
/** ms in which a program has its scans. */
const patience = 10_000;
const failed = (error: unknown) => expect.unreachable(String(error));

/** The place at which a program finds its scanner. */
interface Place {
  readonly scanner: TestScanner;
  readonly url: string;
  readonly text: number;
  readonly binary: number;
  /** Called when the program has switched its scans on. */
  readonly opened: () => Promise<void>;
}

async function startedScanner(): Promise<TestScanner> {
  const scanner = await startScanner({ scene: 'empty-room', seed: 7 });
  onTestFinished(() => scanner.close());
  return scanner;
}

async function straight(): Promise<Place> {
  const scanner = await startedScanner();
  const { legacyA, legacyB } = scanner.ports;
  return {
    scanner,
    url: scanner.url,
    text: legacyA ?? 0,
    binary: legacyB ?? 0,
    opened: () => Promise.resolve(),
  };
}

async function throughRelay(): Promise<Place> {
  const scanner = await startedScanner();
  const { legacyA, legacyB } = scanner.ports;
  const timeline = new Timeline();
  const control = await openControl({
    ...{ host, ports: { http: 0, text: 0, binary: 0 }, timeline, failed },
    target: { url: scanner.url },
    legacy: { text: legacyA ?? 0, binary: legacyB ?? 0 },
  });
  onTestFinished(() => control.close());
  const { http, text = 0, binary = 0 } = control.ports;
  /** Puts the relay between the scanner and the port that the program has named. */
  const opened = async () => {
    const settings = scanner.read('ScanDataEthSettings');
    const outgoing = await openOutgoing([destinationIn(`udp://${host}:${settings.Port}`)]);
    const relay = new StreamRelay({ timeline, outgoing, failed });
    const incoming = await udpIncoming({ port: 0, host, arrived: relay.arrived, failed });
    onTestFinished(async () => {
      expect(relay.figures.telegrams).toBeGreaterThan(0);
      incoming.close();
      for (const one of outgoing) await one.close();
    });
    await scanner.write('ScanDataEthSettings', { ...settings, Port: incoming.address.port });
  };
  return { scanner, url: `http://${host}:${http}`, text, binary, opened };
}

/** Lets a program switch its scans on, and lets time pass until it is done. */
async function served<T>({ scanner, opened }: Place, program: Promise<T>): Promise<T> {
  let isOver = false;
  const over = program.finally(() => {
    isOver = true;
  });
  await expect.poll(() => isOver || scanner.read('ScanDataEnable')).toBe(true);
  await opened();
  const end = performance.now() + patience;
  while (!isOver) {
    if (performance.now() > end) throw new Error('the program has not got what it waits for');
    await scanner.advance(step);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return over;
}

/** What a program does with its scanner; the same both ways. */
async function sameBothWays(program: (place: Place) => Promise<unknown>): Promise<unknown> {
  const [direct, relayed] = [await program(await straight()), await program(await throughRelay())];
  expect(relayed).toEqual(direct);
  return relayed;
}

/** Runs a program that finds its scanner by the environment. */
const outputOf = (words: readonly string[], folder: string) => (place: Place) =>
  served(
    place,
    run(words, folder, { ...withAzimuth, AZIMUTH_DEVICE: place.url, AZIMUTH_PASSWORD: password }),
  );

let receiver: string;
beforeAll(async () => {
  const folder = join(root, 'examples', 'cpp');
  receiver = join(root, '.cache', 'relay-drivers-receiver');
  const words = ['c++', '-std=c++17', join(folder, 'receiver_test.cpp'), '-o', receiver];
  expect(await run(words, folder)).toEqual({ code: 0, output: '' });
});

test('the receiver in C++ gets the same scan', async () => {
  const found = await sameBothWays(outputOf([receiver], temporaryFolder()));
  expect(found).toMatchObject({ code: 0, output: expect.stringMatching(/^[89]\d\d echoes, 0 outside/m) });
});

/** Takes the scanner of AZIMUTH_DEVICE in place of one that it starts itself. */
const python = `
import itertools, os
from virtual_scanner import VirtualScanner, scans
scanner = object.__new__(VirtualScanner)
scanner.url = os.environ["AZIMUTH_DEVICE"]
scanner.write("LocationName", "Gate 3")
print(scanner.read("LocationName"))
for frame, points in itertools.islice(scans(scanner), 3):
    print(frame, len(points), [round(x) for x, y in points][::50])
`;

test('the scans of the recipe for Python are the same', async () => {
  const folder = join(root, 'examples', 'python');
  const found = await sameBothWays(outputOf(['python3', '-B', '-S', '-c', python], folder));
  expect(found).toMatchObject({ code: 0, output: expect.stringMatching(/^Gate 3\n(\d+ \d+ \[.*\]\n){3}$/) });
});

test('the driver of a product sets the scanner up, and the driver of docs/driver-time.md gets the same scans', async () => {
  const found = await sameBothWays(async (place) => {
    const socket = createSocket('udp4').bind(0, host);
    onTestFinished(() => void socket.close());
    await once(socket, 'listening');
    const driver = new Driver();
    const hall = new HallDriver({
      ...{ url: place.url, password, place: 'Hall 1', scanPort: socket.address().port },
    });
    onTestFinished(() => hall.stop());
    const received = new Promise<void>((resolve) => {
      socket.on('message', (datagram) => {
        // The time of arrival is that of the scanner, so that nothing depends on this computer.
        driver.receive(datagram, 1000 * place.scanner.device.clock.monotonic());
        if (driver.scans.length === 10 && hall.state === 'ready') resolve();
      });
    });
    hall.start();
    await served(place, received);
    const scans = driver.scans
      .slice(0, 10)
      .map(({ number, begin, points, missing }) => ({ number, begin, points: points.length, missing }));
    return { scans, states: hall.states, name: place.scanner.read('LocationName') };
  });
  expect(found).toMatchObject({ states: ['connecting', 'ready'], name: 'Hall 1' });
});

test.each(['text', 'binary'] as const)(
  'a driver of the legacy protocol in %s logs in, writes and reads',
  async (framing) => {
    const found = await sameBothWays(async (place) => {
      const client = await LegacyScanner.connect({ host, port: place[framing], framing });
      onTestFinished(() => client.close());
      await client.login('Service', password);
      await client.write('LocationName', 'Gate 3');
      return { name: await client.read('LocationName'), kept: place.scanner.read('LocationName') };
    });
    expect(found).toEqual({ name: 'Gate 3', kept: 'Gate 3' });
  },
);
