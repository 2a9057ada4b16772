import { FaultyStorage } from '@azimuth/test-support/faulty-storage';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { expect, test } from 'vitest';
import { binaryFrame, LegacyWire, textFrame } from './legacy-wire.js';

const login = 'sMN SetAccessMode 4 81BE23AA';

/** Requested at level Run. */
const withoutRights: readonly (readonly [string, string, string])[] = [
  ['a method that needs a level', 'sMN mEEwriteall', '1'],
  ['a method that belongs to logins over REST', 'sMN getChallenge 4', '1'],
  ['another one', 'sMN changePassword 0 4', '1'],
  ['a check of credentials without any', 'sMN checkCredentials', '1'],
  ['an unknown method', 'sMN NoMethod', '2'],
  ['a variable that is called', 'sMN LocationName', '2'],
  ['an unknown variable', 'sRN NoVariable', '3'],
  ['no name at all', 'sRN', '3'],
  ['a method that is read', 'sRN WriteEeprom', '3'],
  ['an unknown variable that is written', 'sWN NoVariable 1', '3'],
  ['a write without rights, whatever is written', 'sWN FREchoFilter ZZZ', 'A'],
  ['a write to what nobody can write', 'sWN SerialNumber 1 1', 'A'],
  ['a write to scan data', 'sWN LMDscandata 1', 'A'],
  ['a read by index', 'sRI 0', 'B'],
  ['a call by index', 'sMI 0', 'B'],
  ['a word that is none', 'sXN DeviceIdent', 'C'],
  ['an answer', 'sRA DeviceIdent', 'C'],
  ['nothing', '', 'C'],
  ['an unknown event', 'sEN NoEvent 1', 'F'],
  ['a method that is followed', 'sEN WriteEeprom 1', 'F'],
  ['an event that is switched to 2', 'sEN DeviceStatus 2', '5'],
  ['an event that is not switched', 'sEN DeviceType', '8'],
  ['a read with values', 'sRN FREchoFilter 1', '7'],
  ['a login without a password', 'sMN SetAccessMode 4', '8'],
  ['a login with too much', 'sMN SetAccessMode 4 81BE23AA 1', '7'],
];

test.each(withoutRights)('%s', async (_, request, code) => {
  const scanner = await TestScanner.start();
  const wire = await LegacyWire.open(scanner.portA);
  expect(await wire.ask(request)).toBe(`sFA ${code}`);
  // The session stays open.
  expect(await wire.ask('sRN SCdevicestate')).toBe('sRA SCdevicestate 1');
});

const atService: readonly (readonly [string, string, string])[] = [
  ['a value that is no hex number', 'sWN FREchoFilter x', '11'],
  ['a switch that is neither 0 nor 1', 'sWN ScanDataEnable 2', '5'],
  ['a switch with other characters', 'sWN ScanDataEnable yes', '11'],
  ['a value that an enumeration does not have', 'sWN FREchoFilter 3', '4'],
  ['a value that is out of range', 'sWN LFPparticle 1 +19', '4'],
  ['a number of more bits than there are', 'sWN FREchoFilter 100', '10'],
  ['a number that is missing', 'sWN LFPparticle 1', '8'],
  ['a number too many', 'sWN FREchoFilter 1 2', '7'],
  ['a text that is too long', `sWN LocationName 21 ${'x'.repeat(33)}`, 'E'],
  ['a list that is too long', 'sMN ActivateEvaluationGroup 31', 'E'],
  ['a text with control characters', 'sWN LocationName 1 \u0001', '5'],
  ['a text that is no UTF-8', 'sWN LocationName 1 \u00ff', '5'],
  ['a text that ends too early', 'sWN LocationName 5 ab', '8'],
  ['ports that would be the same', 'sWN EtherAuxIPPort +2112', '4'],
  ['a range with nothing in it', 'sWN LMPoutputRange 1 D05 0 0', '4'],
];

test.each(atService)('%s', async (_, request, code) => {
  const scanner = await TestScanner.start();
  const wire = await LegacyWire.open(scanner.portA);
  expect(await wire.ask(login)).toBe('sAN SetAccessMode 1');
  expect(await wire.ask(request)).toBe(`sFA ${code}`);
});

test('binary has the same errors, as two bytes', async () => {
  const scanner = await TestScanner.start();
  const wire = await LegacyWire.open(scanner.portB);
  const ask = async (head: string, ...values: number[]) =>
    (await wire.askBinary(Buffer.concat([Buffer.from(head), Buffer.from(values)]))).toString('hex');
  const sFA = (code: string) => `7346410${code.length === 1 ? '00' : '0'}${code}`;
  expect(await ask('sMN SetAccessMode ', 4, 0x81, 0xbe, 0x23, 0xaa)).toContain('01');
  expect(await ask('sWN FREchoFilter ')).toBe(sFA('8'));
  expect(await ask('sWN FREchoFilter ', 1, 2)).toBe(sFA('7'));
  expect(await ask('sWN FREchoFilter ', 9)).toBe(sFA('4'));
  expect(await ask('sWN ScanDataEnable ', 2)).toBe(sFA('5'));
  expect(await ask('sWN LocationName ', 0, 33, ...Buffer.alloc(33, 'x'))).toBe(sFA('e'));
  expect(await ask('sRN x')).toBe(sFA('3'));
});

test('a failure inside the scanner has its own error', async () => {
  const storage = new FaultyStorage();
  const scanner = await TestScanner.start({ storage });
  const wire = await LegacyWire.open(scanner.portA);
  await wire.ask(login);
  storage.fail('parameters.json');
  expect(await wire.ask('sMN mEEwriteall')).toBe('sFA 14');
  storage.recover();
  expect(await wire.ask('sMN mEEwriteall')).toBe('sAN mEEwriteall 1');
});

test('a request over 64 KiB is refused, and the session continues', async () => {
  const scanner = await TestScanner.start();
  const [a, b] = [await LegacyWire.open(scanner.portA), await LegacyWire.open(scanner.portB)];
  a.write(textFrame(`sWN LocationName ${'x'.repeat(65_536)}`));
  expect(await a.text()).toBe('sFA 7');
  expect(await a.ask('sRN SCdevicestate')).toBe('sRA SCdevicestate 1');
  b.write(binaryFrame(`sWN LocationName ${'x'.repeat(65_536)}`));
  expect((await b.binary()).toString('hex')).toBe('7346410007');
  expect((await b.askBinary('sRN SCdevicestate')).toString('latin1')).toBe('sRA SCdevicestate \u0001');
});

test('blanks after values and before names and leading zeros are ignored', async () => {
  const scanner = await TestScanner.start();
  const wire = await LegacyWire.open(scanner.portA);
  expect(await wire.ask('sMN SetAccessMode 04 81BE23AA  ')).toBe('sAN SetAccessMode 1');
  expect(await wire.ask('sWN  FREchoFilter  02 ')).toBe('sWA FREchoFilter');
  expect(await wire.ask('sRN FREchoFilter ')).toBe('sRA FREchoFilter 2');
});
