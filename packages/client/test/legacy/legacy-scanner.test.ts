import { Refusal } from '@azimuth/model';
import { a, b, FakeLegacy } from '@azimuth/test-support/fake-legacy';
import { expect, onTestFinished, test, vi } from 'vitest';
import { AnswerError, ResultError, UnreachableError } from '../../src/index.js';
import { LegacyError, LegacyScanner } from '../../src/legacy/index.js';

const text = { framing: 'text' } as const;
const binary = { framing: 'binary', timeoutMs: 5000 } as const;

test('reads in text', async () => {
  const { scanner, session } = await (await FakeLegacy.start()).client(text);
  const reading = scanner.read('LocationName');
  expect(await session.text()).toBe('sRN LocationName');
  session.send(a('sRA LocationName 6 Gate 3'));
  expect(await reading).toBe('Gate 3');
});

test('reads in binary', async () => {
  const { scanner, session } = await (await FakeLegacy.start()).client(binary);
  const reading = scanner.read('EtherIPAddress');
  expect(await session.requests.next()).toEqual(b('sRN EtherIPAddress'));
  session.send(b('sRA EtherIPAddress ', [192, 168, 0, 7]));
  expect(await reading).toEqual([192, 168, 0, 7]);
});

test('writes in text and takes the answer without a blank', async () => {
  const { scanner, session } = await (await FakeLegacy.start()).client(text);
  const writing = scanner.write('FREchoFilter', 2);
  expect(await session.text()).toBe('sWN FREchoFilter 2');
  session.send(a('sWA FREchoFilter'));
  await writing;
});

test('writes in binary, as the bytes of a real client are', async () => {
  const { scanner, session } = await (await FakeLegacy.start()).client(binary);
  const writing = scanner.write('ScanDataEnable', true);
  expect((await session.requests.next()).toString('hex')).toBe(
    '0202020200000014 73574e205363616e44617461456e61626c65 20 01 45'.replaceAll(' ', ''),
  );
  session.send(Buffer.from('020202020000001373574120', 'hex'));
  session.send(Buffer.from('5363616e44617461456e61626c65204b', 'hex'));
  await writing;
});

test('calls with a request and gives the response', async () => {
  const { scanner, session } = await (await FakeLegacy.start()).client(text);
  const calling = scanner.call('WriteEeprom');
  expect(await session.text()).toBe('sMN WriteEeprom');
  session.send(a('sAN WriteEeprom 1'));
  expect(await calling).toEqual({ Success: true });
  const enabling = scanner.call('EnableUserLevel', { userLevel: 3, isEnabled: true });
  expect(await session.text()).toBe('sMN EnableUserLevel 3 1');
  session.send(a('sAN EnableUserLevel 0'));
  expect(await enabling).toEqual({ result: 0 });
});

test('checks a value before anything is sent', async () => {
  const { scanner, session } = await (await FakeLegacy.start()).client(text);
  await expect(scanner.writeAny('EtherIPAddress', [1, 2, 3])).rejects.toThrow(Refusal);
  await expect(scanner.write('LocationName', 'a\u0003b')).rejects.toThrow(Refusal);
  await expect(scanner.readAny('ODoprh')).rejects.toThrow('raw takes any name');
  expect(session.requests.length).toBe(0);
});

test('reads an answer in pieces, after garbage and between events', async () => {
  const { scanner, session } = await (await FakeLegacy.start()).client(binary);
  const reading = scanner.read('ScanDataEnable');
  await session.requests.next();
  session.send(Buffer.from('garbage\u0002\u0002garbage'), b('sSN LFErec ', [1, 2, 3]), b('sRA Other ', [9]));
  for (const byte of b('sRA ScanDataEnable ', [1])) session.send(Buffer.of(byte));
  expect(await reading).toBe(true);
});

test('ignores the answer to another command', async () => {
  const { scanner, session } = await (await FakeLegacy.start()).client(text);
  const reading = scanner.read('ScanDataEnable');
  await session.requests.next();
  session.send(a('sWA ScanDataEnable'), a('sRA ScanDataEnable 1'));
  expect(await reading).toBe(true);
});

test('sends one request at a time', async () => {
  const { scanner, session } = await (await FakeLegacy.start()).client(text);
  const both = Promise.all([scanner.read('PowerOnCnt'), scanner.read('ScanDataEnable')]);
  expect(await session.text()).toBe('sRN PowerOnCnt');
  expect(session.requests.length).toBe(0);
  session.send(a('sRA PowerOnCnt 1F'));
  expect(await session.text()).toBe('sRN ScanDataEnable');
  session.send(a('sRA ScanDataEnable 0'));
  expect(await both).toEqual([31, false]);
});

test.each([
  [text, a('sFA 3'), 3, 'unknownVariable', 'PowerOnCnt: the scanner knows no such variable (sFA 3)'],
  [
    binary,
    b('sFA', [0, 0x14]),
    20,
    'internal',
    'PowerOnCnt: the scanner failed, or cannot do this now (sFA 14)',
  ],
  [text, a('sFA 7F'), 127, undefined, 'PowerOnCnt: an unknown error (sFA 7F)'],
])('reports an error in words: %#', async (options, answer, code, errorName, message) => {
  const { scanner, session } = await (await FakeLegacy.start()).client(options);
  const reading = scanner.read('PowerOnCnt').catch((error: unknown) => error);
  await session.requests.next();
  session.send(answer);
  const error = await reading;
  expect(error).toBeInstanceOf(LegacyError);
  expect(error).toMatchObject({ code, errorName, message, endpoint: 'PowerOnCnt' });
  // The connection goes on.
  const again = scanner.read('PowerOnCnt');
  await session.requests.next();
  session.send(a('sRA PowerOnCnt 2'));
  expect(await again).toBe(2);
});

test('reports a value that the interface does not allow', async () => {
  const { scanner, session } = await (await FakeLegacy.start()).client(text);
  const reading = scanner.read('ScanDataEnable');
  await session.requests.next();
  session.send(a('sRA ScanDataEnable maybe'));
  await expect(reading).rejects.toThrow(AnswerError);
});

test('logs in with the hash of the password, and out again', async () => {
  const { scanner, session } = await (await FakeLegacy.start()).client(text);
  const entering = scanner.login('Service', 'servicelevel');
  expect(await session.text()).toBe('sMN SetAccessMode 4 81BE23AA');
  session.send(a('sAN SetAccessMode 1'));
  await entering;
  const leaving = scanner.run();
  expect(await session.text()).toBe('sMN Run');
  session.send(a('sAN Run 1'));
  await leaving;
});

test('logs in over the binary interface with a hash that is known', async () => {
  const { scanner, session } = await (await FakeLegacy.start()).client(binary);
  const entering = scanner.login('AuthorizedClient', 0xf4724744);
  expect((await session.requests.next()).toString('hex')).toBe(
    '0202020200000017734d4e205365744163636573734d6f64652003f4724744b3',
  );
  session.send(b('sAN SetAccessMode ', [0]));
  await expect(entering).rejects.toThrow(ResultError);
});

test('reports whether a password is right', async () => {
  const { scanner, session } = await (await FakeLegacy.start()).client(text);
  const checking = scanner.checkPassword('Maintenance', 'main');
  expect(await session.text()).toBe('sMN CheckPassword 2 B21ACE26');
  session.send(a('sAN CheckPassword 0'));
  expect(await checking).toBe(false);
});

test('sends a text as written and returns the answer', async () => {
  const { scanner, session } = await (await FakeLegacy.start()).client(text);
  const asking = scanner.raw('sRN ODoprh');
  expect(await session.text()).toBe('sRN ODoprh');
  session.send(a('sRA ODoprh 2B5'));
  const { command, name, payload } = await asking;
  expect([command, name, Buffer.from(payload).toString()]).toEqual(['sRA', 'ODoprh', '2B5']);
  await expect(scanner.raw('sRI 5')).rejects.toThrow(
    'expected sRN, sWN, sMN or sEN with a name, got "sRI 5"',
  );
});

test('asks for one scan', async () => {
  const { scanner, session } = await (await FakeLegacy.start()).client(text);
  const asking = scanner.scan();
  expect(await session.text()).toBe('sRN LMDscandata');
  session.send(
    a(
      'sRA LMDscandata 1 1 1020304 0 0 1 1 F4240 F59B0 0 0 0 0 0 5DC A2 0 1 DIST1 3F800000 00000000 FFF8AD00 D05 3 3E8 3E9 0 0 0 0 0 0 0',
    ),
  );
  const { channels16 } = await asking;
  expect(channels16.map(({ content, data }) => [content, [...data]])).toEqual([['DIST1', [1000, 1001, 0]]]);
});

test('ends the connection if no answer comes in time', async () => {
  const { scanner, session } = await (await FakeLegacy.start()).client({ timeoutMs: 40 });
  const reading = scanner.read('PowerOnCnt');
  const next = scanner.read('PowerOnCnt');
  const both = Promise.allSettled([reading, next]);
  await session.requests.next();
  session.send(Buffer.from('\u0002sRA PowerOn'));
  await expect(reading).rejects.toThrow(
    `${scanner.url} cannot be reached: no answer to sRN PowerOnCnt within 0.04 s`,
  );
  await expect(next).rejects.toThrow(UnreachableError);
  await both;
  await session.closed;
  expect(scanner.isOver).toBe(true);
});

test('reports that the connection was lost, and opens no other', async () => {
  const fake = await FakeLegacy.start();
  const { scanner, session } = await fake.client();
  const reading = scanner.read('PowerOnCnt');
  await session.requests.next();
  session.socket.end();
  await expect(reading).rejects.toThrow('the scanner closed the connection');
  await expect(scanner.read('PowerOnCnt')).rejects.toThrow(UnreachableError);
  expect(fake.sessions.length).toBe(0);
});

test('closing ends waiting requests', async () => {
  const { scanner, session } = await (await FakeLegacy.start()).client();
  const reading = scanner.read('PowerOnCnt');
  await session.requests.next();
  scanner.close();
  await expect(reading).rejects.toThrow('the connection was closed here');
  await session.closed;
});

test('does not try a first connection again', async () => {
  const fake = await FakeLegacy.start();
  const { port } = fake;
  await fake.stop();
  await expect(LegacyScanner.connect({ host: '127.0.0.1', port })).rejects.toThrow(
    `cola://127.0.0.1:${port} cannot be reached: ECONNREFUSED`,
  );
});

test('waits for a reboot until the connection is closed and a new one is answered', async () => {
  const fake = await FakeLegacy.start();
  const waits: number[] = [];
  const { scanner, session } = await fake.client({
    pause: (ms) => {
      waits.push(ms);
      return Promise.resolve();
    },
  });
  const back = scanner.rebooted();
  expect(await session.text()).toBe('sRN DeviceStatus');
  session.send(a('sRA DeviceStatus 3'));
  expect(await session.text()).toBe('sRN DeviceStatus');
  session.socket.destroy();
  const half = await fake.sessions.next();
  await half.text();
  half.socket.destroy();
  const whole = await fake.sessions.next();
  expect(await whole.text()).toBe('sRN DeviceStatus');
  whole.send(a('sRA DeviceStatus 3'));
  await back;
  await whole.closed;
  expect(waits).toEqual([20, 250]);
  expect(scanner.isOver).toBe(true);
});

test('no timeout occurs after an answer', async () => {
  const { scanner, session } = await (await FakeLegacy.start()).client();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const reading = scanner.read('PowerOnCnt');
  await session.requests.next();
  vi.advanceTimersByTime(4999);
  session.send(a('sRA PowerOnCnt 2'));
  expect(await reading).toBe(2);
  vi.advanceTimersByTime(60_000);
  expect(scanner.isOver).toBe(false);
});

test('a hash has all of its digits', async () => {
  const { scanner, session } = await (await FakeLegacy.start()).client();
  const checking = scanner.checkPassword('Service', 0xabcd);
  expect(await session.text()).toBe('sMN CheckPassword 4 0000ABCD');
  session.send(a('sAN CheckPassword 1'));
  expect(await checking).toBe(true);
  await expect(scanner.login('Service', 2 ** 32)).rejects.toThrow('expected a hash of 32 bits');
});
