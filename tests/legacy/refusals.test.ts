import { hex } from '@azimuth/test-support/legacy/frames';
import {
  dialects,
  enableLegacyLevel,
  expectServed,
  serviceSession,
  session,
} from '@azimuth/test-support/legacy/scanner';
import { errorCodeOf, type LegacyClient, shown } from '@azimuth/test-support/legacy-client';
import { describe, expect, test } from 'vitest';
import { LegacyTestScanner } from './legacy-test-scanner.js';

/** The numbers of refusals. */
const methodDenied = 0x01;
const unknownMethod = 0x02;
const unknownVariable = 0x03;
const localCondition = 0x04;
const invalidData = 0x05;
const tooMuch = 0x07;
const tooLittle = 0x08;
const writeDenied = 0x0a;
const unknownIndex = 0x0b;
const unknownCommand = 0x0c;
const outOfBounds = 0x0e;
const unknownEvent = 0x0f;
const overflow = 0x10;
const badCharacter = 0x11;

async function expectFault(
  client: LegacyClient,
  payload: string | Buffer,
  ...codes: number[]
): Promise<void> {
  const answer = await client.request(payload);
  const words = typeof payload === 'string' ? payload : shown(payload);
  expect(answer.dialect).toBe(client.dialect);
  expect(codes, `${words} -> ${shown(answer.payload)}`).toContain(errorCodeOf(answer));
}

describe('what a session at level Run asks of a scanner', () => {
  test.each<[string, string, number]>([
    ['an unknown variable', 'sRN nothing', unknownVariable],
    ['a variable in other letters', 'sRN locationname', unknownVariable],
    ['a variable named like what every object has', 'sRN constructor', unknownVariable],
    ['a variable named __proto__', 'sRN __proto__', unknownVariable],
    ['a variable with a path', 'sRN ../LocationName', unknownVariable],
    ['a method read like a variable', 'sRN WriteEeprom', unknownVariable],
    ['a variable without a name', 'sRN ', unknownVariable],
    ['a variable without a name or blank', 'sRN', unknownVariable],
    ['an unknown variable written', 'sWN nothing 1', unknownVariable],
    ['a method written like a variable', 'sWN WriteEeprom 1', unknownVariable],
    ['an unknown method', 'sMN nothing', unknownMethod],
    ['a method in other letters', 'sMN run', unknownMethod],
    ['a method named toString', 'sMN toString', unknownMethod],
    ['a variable called like a method', 'sMN LocationName', unknownMethod],
    ['an unknown event', 'sEN nothing 1', unknownEvent],
    ['an event named hasOwnProperty', 'sEN hasOwnProperty 1', unknownEvent],
    ['an event that is a method', 'sEN WriteEeprom 1', unknownEvent],
    ['a variable by its index', 'sRI 0', unknownIndex],
    ['a variable written by its index', 'sWI 0 1', unknownIndex],
    ['a method by its index', 'sMI 0', unknownIndex],
    ['an event by its index', 'sEI 0 1', unknownIndex],
    ['an unknown command', 'sXN LocationName', unknownCommand],
    ['another unknown command', 'xyz', unknownCommand],
    ['an answer', 'sRA LocationName 0', unknownCommand],
    ['a refusal', 'sFA 3', unknownCommand],
    ['commands in capitals', 'SRN LocationName', unknownCommand],
    ['a write', 'sWN LocationName 0', writeDenied],
    ['a write of what nobody may write', 'sWN DeviceStatus 1', writeDenied],
    ['a method that needs a level', 'sMN WriteEeprom', methodDenied],
    ['the same under its other name', 'sMN mEEwriteall', methodDenied],
    ['a reboot', 'sMN mSCreboot', methodDenied],
    ['a reset', 'sMN mSCsoftreset', methodDenied],
    ['factory defaults', 'sMN mSCloadfacdef', methodDenied],
    ['application defaults', 'sMN mSCloadappdef', methodDenied],
    ['measuring to begin', 'sMN LMCstartmeas', methodDenied],
    ['measuring to end', 'sMN LMCstopmeas', methodDenied],
  ])('%s', async (_, words, code) => {
    const scanner = await LegacyTestScanner.start();
    for (const dialect of ['A', 'B'] as const) {
      const client = await session(scanner.ports, dialect);
      // A value that says no more than that there is one, in whichever frame.
      const payload =
        dialect === 'A' ? words : words.replace(/ [01]$/, (value) => ` ${value === ' 0' ? '\0' : '\x01'}`);
      await expectFault(client, payload, code);
      await expectServed(client);
    }
  });

  test('values behind a read, and text where a login is expected, are refused or not looked at', async () => {
    const scanner = await LegacyTestScanner.start();
    const client = await session(scanner.ports, 'A');
    for (const words of ['sMN SetAccessMode', 'sMN SetAccessMode 4', 'sMN SetAccessMode ']) {
      await expectFault(client, words, tooLittle);
    }
    await expectFault(client, 'sMN SetAccessMode x y', invalidData, badCharacter);
    await expectFault(client, 'sMN SetAccessMode 4 81BE23AA 1', tooMuch);
    await expectFault(client, 'sMN SetAccessMode 4 181BE23AA', overflow);
    await expectFault(client, 'sMN SetAccessMode 104 81BE23AA', overflow);
    const answer = await client.request('sMN SetAccessMode 4 81BE23AA');
    expect(answer.payload.toString(), 'what is malformed is no failed login').toBe('sAN SetAccessMode 1');
  });
});

test.each(dialects)('FindMe takes 1 s or more, in %s', async (dialect) => {
  const scanner = await LegacyTestScanner.start();
  const client = await serviceSession(scanner.ports, dialect);
  const seconds = (count: number) =>
    dialect === 'A' ? `sMN FindMe ${count}` : Buffer.from([...Buffer.from('sMN FindMe '), 0, count]);
  await expectFault(client, seconds(0), localCondition);
  expect((await client.request(seconds(1))).command).toBe('sAN');
});

describe('values in text', () => {
  test.each<[string, string, number[]]>([
    ['none', 'sWN FREchoFilter', [tooLittle]],
    ['none but a blank', 'sWN FREchoFilter ', [tooLittle]],
    ['one of an enumeration that is not in it', 'sWN FREchoFilter 3', [localCondition]],
    ['letters that are no digits', 'sWN FREchoFilter x', [badCharacter, invalidData]],
    ['a point', 'sWN FREchoFilter 1.0', [badCharacter, invalidData]],
    ['two for one', 'sWN FREchoFilter 1 1', [tooMuch]],
    ['more bits than there are', 'sWN EtherAuxIPPort 10000', [overflow]],
    ['more bits than any number has', `sWN EtherAuxIPPort ${'F'.repeat(500)}`, [overflow]],
    ['below the range', 'sWN EtherAuxIPPort +1023', [localCondition]],
    ['above the range', 'sWN TSCTCupdatetime +3601', [localCondition]],
    ['a decimal above the type', 'sWN EtherAuxIPPort +70000', [localCondition, overflow]],
    ['a negative number where there is none', 'sWN TSCTCupdatetime -1', [localCondition, overflow]],
    ['a string that is too long', `sWN LocationName 21 ${'x'.repeat(33)}`, [outOfBounds]],
    ['a string shorter than it says', 'sWN LocationName 5 abc', [tooLittle]],
    ['a string longer than it says', 'sWN LocationName 2 abc', [tooMuch]],
    ['a length beyond everything', 'sWN LocationName FFFF abc', [tooLittle]],
    ['control characters in a string', 'sWN LocationName 3 a\x01b', [invalidData, badCharacter]],
    ['a string that is no UTF-8', 'sWN LocationName 2 \xff\xfe', [invalidData, badCharacter]],
    ['an array that is cut', 'sWN EtherIPAddress 1 2 3', [tooLittle]],
    ['an array that is too long', 'sWN EtherIPAddress 1 2 3 4 5', [tooMuch]],
    ['too many items', `sWN ContaminationConfig 0 3 0 0 D ${'1 '.repeat(13)}1 1`, [outOfBounds]],
    ['a structure that is cut', 'sWN LFPparticle 1', [tooLittle]],
    ['a number where yes or no is asked', 'sWN LEDEnable 2', [invalidData, localCondition]],
    ['no number of a float', 'sWN EncResolution 7FC00000', [invalidData, localCondition]],
    ['an infinite float', 'sWN EncResolution 7F800000', [invalidData, localCondition]],
    ['a float out of its range', 'sWN EncResolution 45000000', [localCondition]],
    ['a subscription to an event that is neither', 'sEN LocationName 2', [localCondition, invalidData]],
    ['a subscription without an event', 'sEN LocationName', [tooLittle]],
    ['a port that the other interface has', 'sWN EtherAuxIPPort +2112', [localCondition]],
    ['a method without its values', 'sMN SoftReset', [tooLittle]],
  ])('%s: refused, and nothing changed', async (_, words, codes) => {
    const scanner = await LegacyTestScanner.start();
    const client = await serviceSession(scanner.ports, 'A');
    const [, name = ''] = words.split(' ');
    const before = words.startsWith('sWN') ? await scanner.rest.value(name) : undefined;
    await expectFault(client, words, ...codes);
    if (before !== undefined) expect(await scanner.rest.value(name)).toEqual(before);
    await expectServed(client);
  });
});

describe('values in binary', () => {
  test.each<[string, string, string, number[]]>([
    ['none', 'sWN FREchoFilter', '', [tooLittle]],
    ['none but a blank', 'sWN FREchoFilter ', '', [tooLittle]],
    ['one of an enumeration that is not in it', 'sWN FREchoFilter ', '03', [localCondition]],
    ['two for one', 'sWN FREchoFilter ', '01 01', [tooMuch]],
    ['half of a number', 'sWN EtherAuxIPPort ', '08', [tooLittle]],
    ['below the range', 'sWN EtherAuxIPPort ', '03 ff', [localCondition]],
    ['a string that is too long', 'sWN LocationName ', `00 21 ${'78'.repeat(33)}`, [outOfBounds]],
    ['a string shorter than it says', 'sWN LocationName ', '00 05 61 62 63', [tooLittle]],
    ['a string longer than it says', 'sWN LocationName ', '00 02 61 62 63', [tooMuch]],
    ['control characters in a string', 'sWN LocationName ', '00 02 61 00', [invalidData]],
    ['a string that is no UTF-8', 'sWN LocationName ', '00 02 ff fe', [invalidData]],
    ['an array that is cut', 'sWN EtherIPAddress ', '01 02 03', [tooLittle]],
    ['too many items', 'sWN ContaminationConfig ', `00 00 03 00 00 00 0d ${'01'.repeat(15)}`, [outOfBounds]],
    ['a number where yes or no is asked', 'sWN LEDEnable ', '02', [invalidData, localCondition]],
    ['no number of a float', 'sWN EncResolution ', '7f c0 00 00', [invalidData, localCondition]],
    ['a subscription to an event that is neither', 'sEN LocationName ', '02', [localCondition, invalidData]],
    ['a subscription without an event', 'sEN LocationName', '', [tooLittle]],
    ['half of a login', 'sMN SetAccessMode ', '04 81 be', [tooLittle]],
  ])('%s: refused, and nothing changed', async (_, head, digits, codes) => {
    const scanner = await LegacyTestScanner.start();
    const client = await serviceSession(scanner.ports, 'B');
    const [, name = ''] = head.split(' ');
    const before = head.startsWith('sWN') ? await scanner.rest.value(name) : undefined;
    await expectFault(client, Buffer.concat([Buffer.from(head), hex(digits)]), ...codes);
    if (before !== undefined) expect(await scanner.rest.value(name)).toEqual(before);
    await expectServed(client);
  });
});

test('a refused value changes nothing on either port', async () => {
  const scanner = await LegacyTestScanner.start();
  const client = await serviceSession(scanner.ports, 'A');
  await expectFault(client, 'sWN EtherHostIPPort +2111', localCondition);
  expect(await scanner.rest.value('EtherHostIPPort')).toBe(2112);
});

test('methods are denied below their level, not unknown', async () => {
  const scanner = await LegacyTestScanner.start();
  await enableLegacyLevel(scanner.rest, 2);
  await enableLegacyLevel(scanner.rest, 3);
  const client = await session(scanner.ports, 'A');
  await client.login(2);
  await expectFault(client, 'sMN WriteEeprom', methodDenied);
  await expectFault(client, 'sWN LocationName 1 x', writeDenied);
  await client.login(3);
  await expectFault(client, 'sMN LoadFactoryDefaults', methodDenied);
  const answer = await client.request('sMN WriteEeprom');
  expect(answer.payload.toString()).toBe('sAN WriteEeprom 1');
});

test('a frame with nothing in it, and one with blanks, are answered, too', async () => {
  const scanner = await LegacyTestScanner.start();
  for (const dialect of ['A', 'B'] as const) {
    const client = await session(scanner.ports, dialect);
    for (const payload of [
      '',
      ' ',
      '   ',
      's',
      'sR',
      'sRN  ',
      's R N',
      '\0',
      '\0\0\0\0',
      'sRN\0LocationName',
    ]) {
      await expectFault(client, payload, unknownCommand, unknownVariable, invalidData, badCharacter);
    }
    await expectServed(client);
  }
});
