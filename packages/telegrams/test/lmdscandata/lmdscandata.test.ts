import {
  bytesOfCharacters,
  charactersOf,
  decodeLmdBinary,
  decodeLmdText,
  encodeLmdBinary,
  encodeLmdText,
  frameBinary,
  frameText,
  LegacySplitter,
  type LmdScan,
  parseCommand,
} from '@azimuth/telegrams/legacy';
import { bytesOf, hexOf, joined } from '@azimuth/test-support/golden/hex';
import {
  everything,
  everythingBinary,
  everythingText,
  published,
  publishedFrame,
  recorded,
  recordedFrameBytes,
  recordedHead,
  recordedMiddle,
  recordedTail,
  recordedTextHead,
  recordedTextMiddle,
  recordedTextTail,
  threeBeams,
  threeBeamsBinary,
  threeBeamsText,
} from '@azimuth/test-support/golden/lmdscandata';
import { describe, expect, test } from 'vitest';

function textOf(scan: LmdScan): string {
  return charactersOf(encodeLmdText(scan));
}

/** Returns the bytes behind the name of the only telegram of a stream. */
function bodyOf(frame: Uint8Array): Uint8Array {
  const [telegram] = new LegacySplitter(70_000).push(frame);
  const command = telegram && parseCommand(telegram);
  if (command?.name !== 'LMDscandata') throw new Error('a scan expected');
  return command.payload;
}

describe('a scan in binary', () => {
  test('is its fields one after the other, big-endian', () => {
    expect(hexOf(frameBinary(encodeLmdBinary(threeBeams, 'sRA')))).toBe(hexOf(threeBeamsBinary));
    expect(decodeLmdBinary(bodyOf(threeBeamsBinary))).toEqual(threeBeams);
  });

  test('may have everything that there is', () => {
    expect(hexOf(encodeLmdBinary(everything))).toBe(hexOf(everythingBinary));
    expect(decodeLmdBinary(everythingBinary)).toEqual(everything);
  });

  test('is, to the byte, what a device of this type has answered', () => {
    expect(hexOf(frameBinary(encodeLmdBinary(published, 'sRA')))).toBe(hexOf(publishedFrame));
    expect(decodeLmdBinary(bodyOf(publishedFrame))).toEqual(published);
    expect(publishedFrame.length).toBe(8 + 119 + 1);
  });

  test('is what a device has sent', () => {
    const frame = frameBinary(encodeLmdBinary(recorded, 'sSN'));
    expect(frame.length).toBe(recordedFrameBytes);
    expect(hexOf(frame.subarray(0, recordedHead.length))).toBe(hexOf(recordedHead));
    const middle = 8 + 1691;
    expect(hexOf(frame.subarray(middle, middle + recordedMiddle.length))).toBe(hexOf(recordedMiddle));
    expect(hexOf(frame.subarray(-1 - recordedTail.length, -1))).toBe(hexOf(recordedTail));
    expect(decodeLmdBinary(bodyOf(frame))).toEqual(recorded);
  });

  test('has as many bytes as its beams ask for', () => {
    const [distances] = threeBeams.channels16;
    const frameOf = (scan: LmdScan) => frameBinary(encodeLmdBinary(scan, 'sSN')).length;
    expect(frameOf({ ...threeBeams, channels16: distances ? [distances] : [] })).toBe(98 + 2 * 3);
    expect(frameOf(threeBeams)).toBe(119 + 4 * 3);
  });

  test('does not change with the bytes that it was read from', () => {
    const body = everythingBinary.slice();
    const scan = decodeLmdBinary(body);
    body.fill(0xff);
    expect(scan).toEqual(everything);
  });

  test('is read from the middle of an array', () => {
    const around = joined(bytesOf('ffffff'), everythingBinary, bytesOf('ff'));
    expect(decodeLmdBinary(around.subarray(3, -1))).toEqual(everything);
  });
});

describe('a scan as text', () => {
  test('is its fields as tokens', () => {
    expect(charactersOf(encodeLmdText(threeBeams, 'sRA'))).toBe(threeBeamsText);
    expect(decodeLmdText(bodyOf(frameText(threeBeamsText)))).toEqual(threeBeams);
  });

  test('may have everything that there is', () => {
    expect(textOf(everything)).toBe(everythingText);
    expect(decodeLmdText(bytesOfCharacters(everythingText))).toEqual(everything);
  });

  test('is what a device would have sent', () => {
    const text = charactersOf(encodeLmdText(recorded, 'sSN'));
    expect(text.slice(0, recordedTextHead.length)).toBe(recordedTextHead);
    expect(text).toContain(recordedTextMiddle);
    expect(text.slice(-recordedTextTail.length)).toBe(recordedTextTail);
    expect(text.split(' ')).toHaveLength(20 + 2 * (6 + 811) + 6 + 7);
    expect(decodeLmdText(bodyOf(frameText(text)))).toEqual(recorded);
  });

  test('ends as those of devices do', () => {
    const time = { year: 1970, month: 1, day: 1, hour: 0, minute: 42, second: 39, microsecond: 166_000 };
    expect(textOf({ ...threeBeams, deviceName: 'Derecha', time })).toMatch(
      / 0 0 1 7 Derecha 0 1 7B2 1 1 0 2A 27 28870 0$/,
    );
    const strength = {
      content: 'RSSI1',
      scale: 1,
      offset: 0,
      startAngle: -450_000,
      angularStep: 10_000,
      data: new Uint8Array(271).fill(0xaa),
    };
    expect(textOf({ ...threeBeams, channels8: [strength], deviceName: 'not defined' })).toMatch(
      /^.* 1 RSSI1 3F800000 00000000 FFF92230 2710 10F( AA){271} 0 1 B not defined 0 0 0$/,
    );
  });

  test('is read with blanks, small digits and leading zeros as they come', () => {
    const [head = '', rest = ''] = threeBeamsText.slice('sRA LMDscandata '.length).split(' 5DC ');
    const loose = `  ${head.toLowerCase()}  05dc  ${rest.replace('RSSI1', ' RSSI1')}  `;
    expect(decodeLmdText(bytesOfCharacters(loose))).toEqual(threeBeams);
  });

  test('has a layer angle of four digits where it is negative; eight are read, too', () => {
    const eight = everythingText.replace(' FF06 ', ' FFFFFF06 ');
    expect(decodeLmdText(bytesOfCharacters(eight)).layerAngle).toBe(-250);
    const wrong = everythingText.replace(' FF06 ', ' FFFF7FFF ');
    expect(() => decodeLmdText(bytesOfCharacters(wrong))).toThrow('expected a number of 16 bits');
  });

  test('has no second token for an empty name', () => {
    const scan = { ...threeBeams, deviceName: '', comment: '' };
    expect(textOf(scan)).toMatch(/ 0 0 1 0 1 0 0 0$/);
    expect(decodeLmdText(encodeLmdText(scan))).toEqual(scan);
  });
});

describe('what is written', () => {
  test('wraps numbers that exceed their width', () => {
    const beyond = { telegramCounter: 65_536 + 7, scanTime: 3 * 2 ** 32 + 5, inputs: [256, -1] } as const;
    const wrapped = { ...threeBeams, telegramCounter: 7, scanTime: 5, inputs: [0, 255] };
    const scan = { ...threeBeams, ...beyond };
    expect(decodeLmdBinary(encodeLmdBinary(scan))).toEqual(wrapped);
    expect(decodeLmdText(encodeLmdText(scan))).toEqual(wrapped);
  });

  const [distances] = threeBeams.channels16;
  const content = (content: string) => ({
    ...threeBeams,
    channels16: distances ? [{ ...distances, content }] : [],
  });
  const event = { type: 'FD N', encoderTicks: 0, time: 0, angle: 0 };

  test.each<[string, LmdScan, string]>([
    ['a short content', content('DIST'), 'expected 5 characters of ASCII without a blank, got "DIST"'],
    ['a content with a blank', content('DIST '), '5 characters'],
    ['a content beyond ASCII', content('DISTü'), '5 characters'],
    ['an event with a blank in its type', { ...threeBeams, event }, '4 characters'],
    ['a name too long', { ...threeBeams, deviceName: 'x'.repeat(65_536) }, 'got 65536'],
    [
      'too many values',
      { ...threeBeams, channels16: distances ? [{ ...distances, data: new Uint16Array(65_536) }] : [] },
      'expected at most 65535 values of a channel, got 65536',
    ],
  ])('is refused: %s', (_, scan, message) => {
    expect(() => encodeLmdBinary(scan)).toThrow(message);
    expect(() => encodeLmdText(scan)).toThrow(message);
    expect(() => encodeLmdText(scan)).toThrow(RangeError);
  });

  test('has a name as it is, a byte order mark at its beginning included', () => {
    const scan = { ...threeBeams, deviceName: '\ufeffGate' };
    expect(decodeLmdBinary(encodeLmdBinary(scan)).deviceName).toBe('\ufeffGate');
    expect(decodeLmdText(encodeLmdText(scan)).deviceName).toBe('\ufeffGate');
  });

  test('has a name of up to 65535 bytes, however many a character takes', () => {
    const scan = { ...threeBeams, deviceName: '€'.repeat(21_845), comment: '€'.repeat(21_845) };
    expect(decodeLmdBinary(encodeLmdBinary(scan))).toEqual(scan);
    expect(decodeLmdText(encodeLmdText(scan))).toEqual(scan);
  });

  test('cannot be sent as text where a name holds what ends a telegram', () => {
    const text = encodeLmdText({ ...threeBeams, deviceName: 'a\x03b' }, 'sSN');
    expect(() => frameText(text)).toThrow(RangeError);
  });
});

describe('what is read', () => {
  test('is a scan as soon as its last field is there, and not before', () => {
    for (let end = 0; end < everythingBinary.length; end++) {
      expect(() => decodeLmdBinary(everythingBinary.subarray(0, end)), `${end}`).toThrow(
        /^expected .* at byte \d+, got/,
      );
    }
    const text = bytesOfCharacters(everythingText);
    // Every beginning of the last number is a number itself.
    for (let end = 0; end < text.length - 7; end++) {
      expect(() => decodeLmdText(text.subarray(0, end)), `${end}`).toThrow(/^expected .* at byte \d+, got/);
    }
  });

  test('may go on behind its last field', () => {
    expect(decodeLmdBinary(joined(everythingBinary, bytesOf('0001')))).toEqual(everything);
    expect(decodeLmdText(bytesOfCharacters(`${everythingText} 1 2`))).toEqual(everything);
  });

  test.each([
    ['the bytes of a field', everythingBinary.subarray(0, 7), 'expected 4 bytes at byte 4, got 3'],
    ['a channel that claims more', withBytes(71, 'ffff'), 'expected 131070 bytes at byte 73'],
    [
      'a content that is none',
      withBytes(52, '02'),
      'expected 5 characters of ASCII without a blank at byte 52',
    ],
    ['a block that may or may not follow', withBytes(116, '0002'), 'whether a position follows'],
  ])('in binary says what is wrong with it: %s', (_, body, message) => {
    expect(() => decodeLmdBinary(body)).toThrow(message);
  });

  test.each([
    [
      'a number that is none',
      ['FEDCBA98', '12X4'],
      'expected a number of 32 bits as hex at byte 7, got "12X4"',
    ],
    [
      'a number that is too large',
      ['FEDCBA98', '100000000'],
      'expected a number of 32 bits as hex at byte 7',
    ],
    ['a byte that is too large', ['98 1 5', '98 100 5'], 'expected a number of 8 bits as hex at byte 16'],
    [
      'a number of 16 bits that is too large',
      ['FFFF', '10000'],
      'expected a number of 16 bits as hex at byte 2',
    ],
    ['a channel that claims more', ['1388 8 ', '1388 FFFF '], 'expected 65535 values at byte'],
    ['a value of a channel of 8 bits', ['F 10 FF 1 3F', 'F 10 100 1 3F'], 'a number of 8 bits as hex'],
    ['a content that is too long', ['DIST1', 'DIST10'], 'expected 5 characters at byte'],
    ['a name that is cut off', ['6 Gate 3', 'FFFF Gate 3'], 'expected 65535 characters at byte'],
    ['a block that may or may not follow', ['FF 1 3F800000 C', 'FF 2 3F800000 C'], 'a position follows'],
  ])('as text says what is wrong with it: %s', (_, [right = '', wrong = ''], message) => {
    expect(everythingText).toContain(right);
    const body = bytesOfCharacters(everythingText.replace(right, wrong));
    expect(() => decodeLmdText(body)).toThrow(message);
  });

  test('keeps a scan whose name is not UTF-8', () => {
    const body = everythingBinary.slice();
    const at = hexOf(body).indexOf('476174652033') / 2;
    body[at] = 0xff;
    expect(decodeLmdBinary(body).deviceName).toBe('\ufffdate 3');
  });
});

/** Returns all fields in binary, with other bytes from an offset on. */
function withBytes(at: number, hex: string): Uint8Array {
  const body = everythingBinary.slice();
  body.set(bytesOf(hex), at);
  return body;
}
