import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { Scanner } from '@azimuth/client';
import { temporaryFolder } from '@azimuth/test-support/files';
import { type SomeFleet, scannerFacts, someFleet, urlOf } from '@azimuth/test-support/some-fleet';
import { until } from '@azimuth/test-support/waiting';
import { expect, onTestFinished, test } from 'vitest';

const password = 'servicelevel';

/** A socket that counts the datagrams that come to it. */
async function receiver() {
  const socket = createSocket('udp4', () => count++);
  let count = 0;
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => new Promise((closed) => socket.close(() => closed())));
  const destination = { Protocol: 1 as const, IPAddress: [127, 0, 0, 1], Port: socket.address().port };
  return {
    destination,
    /** Resolves when this many more have come. */
    more: (datagrams: number) => {
      const wanted = count + datagrams;
      return until(() => count >= wanted);
    },
    get count() {
      return count;
    },
  };
}

function scannerOf(some: SomeFleet, serial: string): Scanner {
  return new Scanner({ url: urlOf(some, serial), password });
}

/** Returns the serial numbers of scanners that start at power-on, before they are needed. */
function startingAtPowerOn({ fleet }: SomeFleet): readonly string[] {
  return [...fleet.scanners.values()]
    .filter((scanner) => scanner.startsAtPowerOn)
    .map(({ facts }) => facts.serial);
}

const variables = [
  ['ScanDataEthSettings', 'ScanDataEnable'],
  ['ImuDataEthSettings', 'ImuDataEnable'],
  ['EncoderDataEthSettings', 'EncoderDataEnable'],
] as const;

test.each(variables)(
  'what is saved with %s and %s is sent from each power-on on',
  async (settings, enable) => {
    const data = temporaryFolder();
    const { destination, more } = await receiver();
    const some = await someFleet(scannerFacts(20), { data });
    const scanner = scannerOf(some, '7');
    await scanner.write(settings, destination);
    await scanner.write(enable, true);
    await scanner.call('WriteEeprom');
    await more(3);
    await some.end();
    const again = await someFleet(scannerFacts(20), { data });
    await more(3);
    // There was no request, and no other scanner has started.
    expect(again.fleet.states).toEqual({ off: 0, idle: 19, running: 1, failed: 0 });
    expect(again.fleet.scanners.get('7')?.requests).toBe(0);
    await again.fleet.powerCycle(again.fleet.virtualMatching('*'));
    await more(3);
    expect(again.fleet.states).toEqual({ off: 0, idle: 19, running: 1, failed: 0 });
    expect(await scannerOf(again, '7').read('PowerOnCnt')).toBe(3);
  },
);

test('a stream that was saved as off does not start its scanner at the next power-on, nor does one that is on and was not saved', async () => {
  const data = temporaryFolder();
  const { destination, more } = await receiver();
  const some = await someFleet(scannerFacts(2), { data });
  for (const serial of ['1', '2']) {
    const scanner = scannerOf(some, serial);
    await scanner.write('ScanDataEthSettings', destination);
    if (serial === '1') await scanner.write('ScanDataEnable', true);
    await scanner.call('WriteEeprom');
    await scanner.write('ScanDataEnable', serial === '2');
    if (serial === '1') await scanner.call('WriteEeprom');
  }
  await more(2);
  await some.fleet.powerCycle(some.fleet.virtualMatching('*'));
  expect(startingAtPowerOn(some)).toEqual([]);
  expect(await scannerOf(some, '1').read('ScanDataEnable')).toBe(false);
  expect(await scannerOf(some, '2').read('ScanDataEnable')).toBe(false);
});

test('scanners that are delivered with a stream send it, until it is saved as off', async () => {
  const data = temporaryFolder();
  const { destination, more } = await receiver();
  const facts = () =>
    scannerFacts(10, (number) => ({
      parameters: number === 3 ? { ScanDataEnable: true, ScanDataEthSettings: destination } : {},
    }));
  const some = await someFleet(facts(), { data });
  await more(3);
  expect(startingAtPowerOn(some)).toEqual(['3']);
  expect(some.fleet.states).toMatchObject({ idle: 9, running: 1 });
  const scanner = scannerOf(some, '3');
  await scanner.write('ScanDataEnable', false);
  await scanner.call('WriteEeprom');
  await some.end();
  expect(startingAtPowerOn(await someFleet(facts(), { data }))).toEqual([]);
});

test('a scanner whose stream is on does not rest, also while nothing can be sent', async () => {
  const tcp = { Protocol: 2, IPAddress: [0, 0, 0, 0], Port: 0 };
  const parameters = { ScanDataEnable: true, ScanDataEthSettings: tcp };
  const some = await someFleet(
    scannerFacts(2, (number) => (number === 1 ? { parameters } : {})),
    { restAfter: 20 },
  );
  await until(() => some.fleet.states.running === 1);
  await scannerOf(some, '2').read('PowerOnCnt');
  await until(() => some.fleet.states.idle === 1);
  expect(some.fleet.scanners.get('1')?.state).toBe('running');
});

test('many scanners that send are started one after the other, and requests do not wait for all of them', async () => {
  const { destination, more } = await receiver();
  const parameters = { ScanDataEnable: true, ScanDataEthSettings: destination };
  const some = await someFleet(scannerFacts(60, (number) => (number <= 50 ? { parameters } : {})));
  // It is the last one, and nevertheless among the first.
  expect(await scannerOf(some, '60').read('SerialNumber')).toBe('60');
  expect(some.fleet.states.running).toBeLessThan(40);
  await until(() => some.fleet.states.running === 51);
  await more(100);
});

test('scanners that are switched off while they wait for their start do not start', async () => {
  const { destination } = await receiver();
  const parameters = { ScanDataEnable: true, ScanDataEthSettings: destination };
  const some = await someFleet(scannerFacts(200, () => ({ parameters })));
  await some.fleet.switchOff(some.fleet.virtualMatching('*'));
  expect(some.fleet.states).toEqual({ off: 200, idle: 0, running: 0, failed: 0 });
  await some.fleet.switchOn(some.fleet.virtualMatching('5'));
  await until(() => some.fleet.states.running === 1);
  expect(some.fleet.scanners.get('5')?.state).toBe('running');
  expect(await scannerOf(some, '5').read('PowerOnCnt')).toBe(2);
});
