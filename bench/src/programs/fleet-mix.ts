// Load of a fleet as in a test of fleet software: one scanner in twenty streams, one in five has a subscriber of
// events, and any of them is read and saved at random. Arguments: URL of the fleet, its first serial number, number of
// scanners, seconds. It sends a message when all of that has begun. For each message that it gets, it measures for
// these seconds, and sends the results.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Scanner } from '@azimuth/client';

const [url = '', first = '', count = '', seconds = ''] = process.argv.slice(2);
const scanners = Number(count);
const readsPerSecond = 200;
const savesPerSecond = 20;

const scannerAt = (index: number) =>
  new Scanner({ url: `${url}/scanners/${Number(first) + index}`, password: 'servicelevel' });
const anyScanner = () => scannerAt(Math.floor(Math.random() * scanners));

let saves = 0;

/** Saves a changed value. */
async function saveOf(scanner: Scanner): Promise<void> {
  await scanner.write('LocationName', `Hall ${saves++}`);
  await scanner.call('WriteEeprom');
}

let telegrams = 0;
let events = 0;

async function stream(): Promise<number> {
  const socket = createSocket('udp4', () => telegrams++);
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  socket.setRecvBufferSize(4_000_000);
  const { port } = socket.address();
  const streaming = Math.ceil(scanners / 20);
  for (let index = 0; index < streaming; index++) {
    const scanner = scannerAt(index * 20);
    await scanner.write('ScanDataEthSettings', { Protocol: 1, IPAddress: [127, 0, 0, 1], Port: port });
    await scanner.write('ScanDataEnable', true);
  }
  return streaming;
}

async function follow(index: number): Promise<void> {
  for await (const _ of scannerAt(index).events('CurrentTempDev')) events++;
}

/** Does something so many times a second, and notes how many ms each took. */
async function atRate(perSecond: number, until: number, act: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  const under: Promise<void>[] = [];
  for (let due = performance.now(); due < until; due += 1000 / perSecond) {
    await pause(Math.max(0, due - performance.now()));
    const began = performance.now();
    under.push(act().then(() => void times.push(performance.now() - began)));
  }
  await Promise.all(under);
  return times;
}

async function measured() {
  const before = { telegrams, events };
  const until = performance.now() + Number(seconds) * 1000;
  const [reads, saves] = await Promise.all([
    atRate(readsPerSecond, until, () => anyScanner().read('LocationName')),
    atRate(savesPerSecond, until, () => saveOf(anyScanner())),
  ]);
  return {
    'telegrams/s': (telegrams - before.telegrams) / Number(seconds),
    events: events - before.events,
    'read p50 ms': quantile(reads, 0.5),
    'read p99 ms': quantile(reads, 0.99),
    'save p50 ms': quantile(saves, 0.5),
    'save p99 ms': quantile(saves, 0.99),
  };
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? Number.NaN;
}

await stream();
for (let index = 0; index < scanners; index += 5) void follow(index + 1);
// Each follower has its first value.
while (events < scanners / 5) await pause(20);
process.on('message', () => void measured().then((figures) => process.send?.(figures)));
process.on('disconnect', () => process.exit());
process.send?.('ready');
