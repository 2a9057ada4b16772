import { a, b, FakeLegacy } from '@azimuth/test-support/fake-legacy';
import { latch } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';
import { AnswerError, NotDoneError } from '../../src/index.js';
import { LegacyError } from '../../src/legacy/index.js';

function scanOf(number: number): string {
  const count = number.toString(16).toUpperCase();
  return `sSN LMDscandata 1 1 1 0 0 ${count} ${count} 0 0 0 0 0 0 0 5DC A2 0 0 0 0 0 0 0 0`;
}

test('a change comes as an event, and leaving the loop ends it', async () => {
  const { scanner, session } = await (await FakeLegacy.start()).client();
  const events = scanner.events('ScanDataEnable')[Symbol.asyncIterator]();
  const first = events.next();
  expect(await session.text()).toBe('sEN ScanDataEnable 1');
  session.send(a('sSN ScanDataEnable 1'), a('sEA ScanDataEnable 1'), a('sSN ScanDataEnable 0'));
  expect(await first).toEqual({ done: false, value: true });
  expect(await events.next()).toEqual({ done: false, value: false });
  await events.return?.();
  expect(await session.text()).toBe('sEN ScanDataEnable 0');
});

test('events between requests and answers disturb no request', async () => {
  const { scanner, session } = await (await FakeLegacy.start()).client({ framing: 'binary' });
  const events = scanner.events('PowerOnCnt')[Symbol.asyncIterator]();
  const first = events.next();
  expect(await session.requests.next()).toEqual(b('sEN PowerOnCnt ', [1]));
  session.send(b('sEA PowerOnCnt ', [1]));
  const reading = scanner.read('PowerOnCnt');
  await session.requests.next();
  session.send(b('sSN PowerOnCnt ', [0, 0, 0, 8]), b('sRA PowerOnCnt ', [0, 0, 0, 9]));
  expect(await reading).toBe(9);
  expect((await first).value).toBe(8);
});

test('two loops over one event share it until the last one is left', async () => {
  const { scanner, session } = await (await FakeLegacy.start()).client();
  const loops = [scanner.scans(), scanner.scans()].map((scans) => scans[Symbol.asyncIterator]());
  const firsts = loops.map((loop) => loop.next());
  for (const _ of loops) {
    expect(await session.text()).toBe('sEN LMDscandata 1');
    session.send(a('sEA LMDscandata 1'));
  }
  session.send(a(scanOf(7)));
  for (const first of firsts) expect((await first).value?.scanCounter).toBe(7);
  await loops[0]?.return?.();
  const reading = scanner.read('PowerOnCnt');
  expect(await session.text()).toBe('sRN PowerOnCnt');
  session.send(a('sRA PowerOnCnt 1'));
  await reading;
  await loops[1]?.return?.();
  expect(await session.text()).toBe('sEN LMDscandata 0');
});

test.each([
  ['sFA F', LegacyError],
  ['sEA DeviceStatus 0', NotDoneError],
  ['sEA DeviceStatus x', AnswerError],
])('the answer %s ends the loop with its error', async (answer, error) => {
  const { scanner, session } = await (await FakeLegacy.start()).client();
  const first = scanner.events('DeviceStatus')[Symbol.asyncIterator]().next();
  await session.requests.next();
  session.send(a(answer));
  await expect(first).rejects.toThrow(error);
});

test('if scans come too fast, the newest are kept and the others counted', async () => {
  const { scanner, session } = await (await FakeLegacy.start()).client();
  const scans = scanner.scans({ buffer: 10 });
  const loop = scans[Symbol.asyncIterator]();
  const first = loop.next();
  await session.requests.next();
  session.send(a('sEA LMDscandata 1'));
  const flood = Buffer.concat(Array.from({ length: 5000 }, (_, number) => a(scanOf(number))));
  session.send(flood);
  expect((await first).value?.scanCounter).toBe(0);
  const reading = scanner.read('PowerOnCnt');
  await session.requests.next();
  session.send(a('sRA PowerOnCnt 1'));
  await reading;
  expect(scans.lost).toBe(4989);
  expect((await loop.next()).value?.scanCounter).toBe(4990);
});

test('a damaged scan is counted and skipped', async () => {
  const { scanner, session } = await (await FakeLegacy.start()).client();
  const scans = scanner.scans();
  const first = scans[Symbol.asyncIterator]().next();
  await session.requests.next();
  session.send(a('sEA LMDscandata 1'), a('sSN LMDscandata 1 1 junk'), a(scanOf(2)));
  expect((await first).value?.scanCounter).toBe(2);
  expect(scans.damaged).toBe(1);
});

test('a lost connection ends the loop with an error after the values that have come', async () => {
  const { scanner, session } = await (await FakeLegacy.start()).client();
  const loop = scanner.scans()[Symbol.asyncIterator]();
  const first = loop.next();
  await session.requests.next();
  session.send(a('sEA LMDscandata 1'), a(scanOf(1)), a(scanOf(2)));
  session.socket.end();
  expect((await first).value?.scanCounter).toBe(1);
  expect((await loop.next()).value?.scanCounter).toBe(2);
  await expect(loop.next()).rejects.toThrow('the scanner closed the connection');
  expect((await loop.next()).done).toBe(true);
});

test('with reconnect, the loop continues over another connection, with growing pauses', async () => {
  const fake = await FakeLegacy.start();
  const pauses: number[] = [];
  const states: string[] = [];
  const paused = latch();
  const back = latch();
  const reconnected = latch();
  const { scanner, session } = await fake.client({
    pause: async (ms) => {
      pauses.push(ms);
      if (pauses.length < 3) return;
      paused.open();
      await back.opened;
    },
  });
  const { port } = fake;
  const loop = scanner
    .scans({
      reconnect: true,
      onState: (state) => {
        states.push(state);
        if (state === 'reconnected') reconnected.open();
      },
    })
    [Symbol.asyncIterator]();
  const first = loop.next();
  await session.requests.next();
  session.send(a('sEA LMDscandata 1'), a(scanOf(1)));
  expect((await first).value?.scanCounter).toBe(1);
  const second = loop.next();
  await fake.stop();
  await paused.opened;
  const other = await FakeLegacy.start(port);
  back.open();
  const again = await other.sessions.next();
  expect(await again.text()).toBe('sEN LMDscandata 1');
  again.send(a('sEA LMDscandata 1'), a(scanOf(9)));
  expect((await second).value?.scanCounter).toBe(9);
  await reconnected.opened;
  expect(pauses).toEqual([500, 1000, 2000]);
  again.socket.destroy();
  const third = await other.sessions.next();
  expect(await third.text()).toBe('sEN LMDscandata 1');
  third.send(a('sEA LMDscandata 1'), a(scanOf(10)));
  expect((await loop.next()).value?.scanCounter).toBe(10);
  expect(pauses).toEqual([500, 1000, 2000, 500]);
  expect(states.slice(0, 3)).toEqual(['connected', 'lost', 'reconnected']);
  // Requests have lost their user level, and are refused.
  await expect(scanner.read('PowerOnCnt')).rejects.toThrow('cannot be reached');
  await loop.return?.();
  await third.closed;
});

test('closing the scanner and the signal end a loop without an error', async () => {
  const { scanner, session } = await (await FakeLegacy.start()).client();
  const stop = new AbortController();
  const one = scanner.scans({ signal: stop.signal })[Symbol.asyncIterator]().next();
  await session.requests.next();
  session.send(a('sEA LMDscandata 1'));
  stop.abort();
  expect((await one).done).toBe(true);
  expect(await session.text()).toBe('sEN LMDscandata 0');
  session.send(a('sEA LMDscandata 0'));
  const other = scanner.scans({ reconnect: true })[Symbol.asyncIterator]().next();
  await session.requests.next();
  session.send(a('sEA LMDscandata 1'));
  scanner.close();
  expect((await other).done).toBe(true);
  await session.closed;
});

test('a buffer for no values is refused', async () => {
  const { scanner } = await (await FakeLegacy.start()).client();
  expect(() => scanner.scans({ buffer: 0 })).toThrow('expected a buffer of 1 or more events, got 0');
});

test('an event that the interface does not allow ends the loop and the subscription', async () => {
  const { scanner, session } = await (await FakeLegacy.start()).client();
  const first = scanner.events('ScanDataEnable')[Symbol.asyncIterator]().next();
  await session.requests.next();
  session.send(a('sEA ScanDataEnable 1'), a('sSN ScanDataEnable maybe'));
  await expect(first).rejects.toThrow(AnswerError);
  expect(await session.text()).toBe('sEN ScanDataEnable 0');
});
