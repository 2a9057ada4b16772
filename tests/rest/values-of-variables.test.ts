import { expectDone, expectRefusal, expectStatus, expectWritten } from '@azimuth/test-support/envelope';
import { resetFailedLogins } from '@azimuth/test-support/failed-logins';
import { sharedScanner } from '@azimuth/test-support/scanner-process';
import { beforeEach, describe, expect, test } from 'vitest';

const scanner = sharedScanner();
const client = () => scanner().client();

beforeEach(() => resetFailedLogins(scanner()));

describe('the members of data', () => {
  test.each([
    ['no data', undefined, 1],
    ['data without a member', {}, 1],
    ['a lone wrong key', { Location: 'x' }, 2],
    ['the name in another case', { locationName: 'x' }, 2],
    ['two wrong keys, so that the right one is missing', { Location: 'x', Name: 'x' }, 1],
    ['an unknown member beside the right one', { LocationName: 'x', x: 1 }, 2],
    ['data that is null', null, 2],
    ['data that is an array', ['x'], 2],
    ['data that is text', 'x', 2],
    ['data that is a number', 1, 2],
    ['data that is a boolean', true, 2],
  ])('%s', async (_, data, status) => {
    await expectRefusal(client(), 'LocationName', () => client().call('LocationName', data), status);
  });

  test.each([
    ['a lone __proto__', '{"__proto__":{"LocationName":"x"}}'],
    ['a __proto__ beside the right member', '{"LocationName":"x","__proto__":{"a":1}}'],
    ['a __proto__ that is null', '{"LocationName":"x","__proto__":null}'],
    ['a constructor', '{"LocationName":"x","constructor":{"prototype":{"a":1}}}'],
    ['a lone toString', '{"toString":"x"}'],
  ])('%s is an unknown member', async (_, data) => {
    await expectRefusal(client(), 'LocationName', () => client().callText('LocationName', data), 2);
    expectStatus(await client().get('a'), 5);
  });
});

describe('text', () => {
  test.each([
    ['32 letters', 'x'.repeat(32)],
    ['32 emoji, which are 64 units of UTF-16', '\u{1f600}'.repeat(32)],
    ['letters beyond ASCII', 'Tor „Süd“ – 入口'],
    ['nothing', ''],
    ['blanks', '   '],
    ['quotes and backslashes', '"\\/\''],
    ['a combining accent', 'e\u0301'],
  ])('%s is taken and comes back as it was', async (_, value) => {
    await expectWritten(client(), 'LocationName', value);
  });

  test('an escaped pair of surrogates is one character', async () => {
    const pair = '\\ud83d\\ude00';
    expectDone(await client().callText('LocationName', `{"LocationName":"${pair.repeat(32)}"}`));
    expect(await client().value('LocationName')).toBe('\u{1f600}'.repeat(32));
  });

  test.each([
    ['33 letters', 'x'.repeat(33), 7],
    ['33 emoji', '\u{1f600}'.repeat(33), 7],
    ['17 flags of two characters each', '\u{1f1e9}\u{1f1ea}'.repeat(17), 7],
    ['a NUL', 'a\u0000b', 2],
    ['a line feed', 'a\nb', 2],
    ['a tab', 'a\tb', 2],
    ['a unit separator', '\u001f', 2],
    ['a delete', '\u007f', 2],
    ['a control character of the second set', '\u0085', 2],
  ])('%s is refused', async (_, value, status) => {
    await expectRefusal(client(), 'LocationName', () => client().write('LocationName', value), status);
  });

  test.each(['\\ud800', '\\udc00', 'a\\ud83d', '\\ude00\\ud83d'])(
    'the lone surrogate %s is refused',
    async (text) => {
      const data = `{"LocationName":"${text}"}`;
      await expectRefusal(client(), 'LocationName', () => client().callText('LocationName', data), 2);
    },
  );
});

describe('an address', () => {
  test.each([[[0, 0, 0, 0]], [[255, 255, 255, 255]], [[10, 0, 0, 7]]])('%j is taken', async (value) => {
    await expectWritten(client(), 'EtherIPGateAddress', value);
  });

  test.each([
    ['[10.0,0e0,-0,70e-1]', [10, 0, 0, 7]],
    ['[ 1 , 2 , 3 , 4 ]', [1, 2, 3, 4]],
  ])('%s is the integers that it looks like', async (text, value) => {
    expectDone(await client().callText('EtherIPGateAddress', `{"EtherIPGateAddress":${text}}`));
    expect(await client().value('EtherIPGateAddress')).toEqual(value);
  });

  test.each([
    ['[10,0,0,256]', 6],
    ['[10,0,0,-1]', 6],
    ['[10,0,0,4294967296]', 6],
    ['[10,0,0,1e300]', 6],
    ['[10,0,0,1e400]', 6],
    ['[10,0,0,-1e400]', 6],
    ['[10,0,0,1.5]', 2],
    ['[10,0,0,1e-400,0]', 7],
    ['[10,0,0]', 7],
    ['[10,0,0,1,2]', 7],
    ['[]', 7],
    ['{"0":10,"1":0,"2":0,"3":1,"length":4}', 2],
  ])('%s is refused with %i', async (text, status) => {
    const data = `{"EtherIPAddress":${text}}`;
    await expectRefusal(client(), 'EtherIPAddress', () => client().callText('EtherIPAddress', data), status);
  });

  test('a hundred items are refused for their number', async () => {
    const value = Array.from({ length: 100 }, () => 1);
    await expectRefusal(client(), 'EtherIPMask', () => client().write('EtherIPMask', value), 7);
  });
});

describe('an enumeration', () => {
  test.each([
    ['EtherAddressingMode', [0, 1], [2, -1]],
    ['EtherDHCPFallback', [0, 1], [2, -1]],
    ['FREchoFilter', [0, 1, 2], [3, -1]],
    ['ScanDataFormat', [1, 2, 3, 4], [0, 5]],
    ['PerformanceProfileNumber', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], [0, 12]],
    ['TSCRole', [0, 1, 3], [2, 4]],
    ['TSCTCtimezone', [0, 36, 104], [105, -1]],
  ])('%s takes its values and no other', async (name, allowed, other) => {
    for (const value of allowed) await expectWritten(client(), name, value);
    for (const value of [...other, 255, 256, 65536, 2 ** 32, -(2 ** 40), Number.MAX_SAFE_INTEGER, 1e300]) {
      await expectRefusal(client(), name, () => client().write(name, value), 9);
    }
  });
});

describe('an integer with a range', () => {
  test.each([1, 600, 3600])('%i is taken', (value) => expectWritten(client(), 'TSCTCupdatetime', value));

  test.each([
    ['0', 6],
    ['3601', 6],
    ['-1', 6],
    ['4294967296', 6],
    ['18446744073709551616', 6],
    ['1e400', 6],
    ['-1e400', 6],
  ])('%s is refused with %i', async (text, status) => {
    const data = `{"TSCTCupdatetime":${text}}`;
    await expectRefusal(
      client(),
      'TSCTCupdatetime',
      () => client().callText('TSCTCupdatetime', data),
      status,
    );
  });
});
