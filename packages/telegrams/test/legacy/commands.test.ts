import {
  bytesOfCharacters,
  charactersOf,
  commandBinary,
  commandText,
  errorBinary,
  errorCodeOf,
  errorName,
  errorText,
  type Framing,
  frameBinary,
  frameText,
  LegacySplitter,
  type LegacyTelegram,
  legacyErrors,
  parseCommand,
  responseWords,
} from '@azimuth/telegrams/legacy';
import { bytesOf, hexOf } from '@azimuth/test-support/golden/hex';
import { binaryFrames, textFrames, textLines } from '@azimuth/test-support/golden/legacy';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

function spaced(bytes: Uint8Array): string {
  return hexOf(bytes).replace(/..(?=.)/g, '$& ');
}

function text(characters: string): LegacyTelegram {
  return { framing: 'text', payload: bytesOfCharacters(characters) };
}

function binary(payload: string): LegacyTelegram {
  return { framing: 'binary', payload: bytesOf(payload) };
}

/** The only telegram of a frame. */
function unframed(frame: string): LegacyTelegram {
  const splitter = new LegacySplitter(1000);
  const [telegram, ...others] = splitter.push(bytesOf(frame));
  if (telegram === undefined || others.length > 0 || splitter.skipped > 0) throw new Error('one expected');
  return telegram;
}

/** Word, name and payload, this one as hex. */
function parsed(telegram: LegacyTelegram) {
  const command = parseCommand(telegram);
  return command && [command.command, command.name, spaced(command.payload)];
}

/** Word, name and payload, this one as characters. */
function parsedText(characters: string) {
  const command = parseCommand(text(characters));
  return command && [command.command, command.name, charactersOf(command.payload)];
}

describe('a telegram of the binary interface', () => {
  test.each(binaryFrames)('is written byte by byte: %s %s %s', (command, name, values, frame) => {
    const payload = commandBinary(command, name, values === undefined ? undefined : bytesOf(values));
    expect(spaced(frameBinary(payload))).toBe(frame);
  });

  test.each(binaryFrames)('is read: %s %s %s', (command, name, values, frame) => {
    const telegram = unframed(frame);
    expect(telegram.framing).toBe('binary');
    expect(parsed(telegram)).toEqual([command, name, values ?? '']);
  });

  test('has its name up to the first blank, whatever its values are', () => {
    // "sWN A", a blank, and then two more blanks, which are values.
    expect(parsed(binary('73 57 4e 20 41 20 20 20'))).toEqual(['sWN', 'A', '20 20']);
    expect(parsed(binary('73 57 41 20 41'))).toEqual(['sWA', 'A', '']);
    expect(parsed(binary('73 57 41 20 41 20'))).toEqual(['sWA', 'A', '']);
    expect(parsed(binary('73 52 4e 20 20 41'))).toEqual(['sRN', '', '41']);
    expect(parsed(binary('73 52 4e'))).toEqual(['sRN', '', '']);
  });
});

describe('a telegram of the text interface', () => {
  test.each(textFrames)('is written byte by byte: %s %s %s', (command, name, values, frame) => {
    expect(spaced(frameText(commandText(command, name, values)))).toBe(frame);
  });

  test.each(textFrames)('is read: %s %s %s', (command, name, values, frame) => {
    const telegram = unframed(frame);
    expect(telegram.framing).toBe('text');
    expect(parsedText(charactersOf(telegram.payload))).toEqual([command, name, values]);
  });

  test.each(textLines)('is parsed into its command, name and values: %s %s %s', (command, name, values) => {
    const line = [command, name, values].join(' ').trimEnd();
    expect(commandText(command, name, values)).toBe(line);
    expect(parsedText(line)).toEqual([command, name, values]);
  });

  test('may have a blank behind its name and several in front of it', () => {
    expect(parsedText('sRN LMDscandata ')).toEqual(['sRN', 'LMDscandata', '']);
    expect(parsedText('sWA FREchoFilter ')).toEqual(['sWA', 'FREchoFilter', '']);
    expect(parsedText('sMN   SetAccessMode 03 F4724744')).toEqual(['sMN', 'SetAccessMode', '03 F4724744']);
  });

  test('keeps the blanks of its values, which may belong to a string', () => {
    expect(parsedText('sWN LocationName 3 a  ')).toEqual(['sWN', 'LocationName', '3 a  ']);
    expect(parsedText('sWN X  1')).toEqual(['sWN', 'X', ' 1']);
  });

  test.each(['', 's', 'sR', 'hello', 'sRX Run', 'srn Run', ' sRN Run', 'sRNRun', 'SRN Run'])(
    'begins with a word that is known and a blank: "%s" does not',
    (characters) => {
      expect(parseCommand(text(characters))).toBeUndefined();
    },
  );

  test('has bytes as its characters', () => {
    expect(charactersOf(Uint8Array.of(0x73, 0xc3, 0xbc, 0xff, 0x80))).toBe('s\u00c3\u00bc\u00ff\u0080');
    expect([...bytesOfCharacters('s\u00ff')]).toEqual([0x73, 0xff]);
    const many = Uint8Array.from({ length: 10_000 }, (_, index) => index);
    expect(bytesOfCharacters(charactersOf(many))).toEqual(many);
  });
});

describe('requests and answers', () => {
  test('by index are known as such', () => {
    expect(parsedText('sRI 0')).toEqual(['sRI', '0', '']);
    expect(parsedText('sWI 1A 1')).toEqual(['sWI', '1A', '1']);
    expect(parsedText('sMI 0')?.[0]).toBe('sMI');
    expect(parsedText('sEI 0 1')?.[0]).toBe('sEI');
    expect(Object.keys(responseWords)).not.toContain('sRI');
  });

  test('belong together', () => {
    expect(responseWords).toEqual({ sRN: 'sRA', sWN: 'sWA', sMN: 'sAN', sEN: 'sEA' });
  });

  test('are read whatever bytes come', () => {
    const telegrams = fc.record({
      framing: fc.constantFrom<Framing>('text', 'binary'),
      payload: fc.oneof(
        fc.uint8Array({ maxLength: 40 }),
        fc
          .tuple(fc.constantFrom('sRN ', 'sWN', 'sFA', 'sFA ', 'sMN  '), fc.uint8Array({ maxLength: 20 }))
          .map(([word, rest]) => Uint8Array.of(...bytesOfCharacters(word), ...rest)),
      ),
    });
    fc.assert(
      fc.property(telegrams, (telegram) => {
        const command = parseCommand(telegram);
        const code = errorCodeOf(telegram);
        expect(code !== undefined).toBe(command?.command === 'sFA');
        expect(code ?? 0).toBeLessThanOrEqual(0xffff);
        expect(command?.payload.length ?? 0).toBeLessThanOrEqual(telegram.payload.length);
      }),
    );
  });
});

describe('an error', () => {
  test('is a word and a code, as text with a blank, in binary without one', () => {
    expect(spaced(frameText(errorText(legacyErrors.unknownVariable)))).toBe('02 73 46 41 20 33 03');
    expect(spaced(frameBinary(errorBinary(legacyErrors.unknownVariable)))).toBe(
      '02 02 02 02 00 00 00 05 73 46 41 00 03 77',
    );
    expect(errorText(legacyErrors.complexArraysUnsupported)).toBe('sFA 1A');
    expect(spaced(errorBinary(0x1234))).toBe('73 46 41 12 34');
  });

  test('is read in both', () => {
    expect(errorCodeOf(unframed('02 73 46 41 20 33 03'))).toBe(3);
    expect(errorCodeOf(unframed('02 02 02 02 00 00 00 05 73 46 41 00 03 77'))).toBe(3);
    expect(errorCodeOf(text('sFA 1A'))).toBe(26);
    expect(errorCodeOf(text('sFA  0008 '))).toBe(8);
    expect(errorCodeOf(binary('73 46 41 20 00 0a'))).toBe(10);
  });

  test('without a code that can be read is an unknown one', () => {
    for (const characters of ['sFA', 'sFA x', 'sFA 12345', 'sFA 1 2']) {
      expect(errorCodeOf(text(characters))).toBe(6);
    }
    for (const payload of ['73 46 41', '73 46 41 08', '73 46 41 01 00 08', '73 46 41 20 20 00 08']) {
      expect(errorCodeOf(binary(payload))).toBe(6);
    }
  });

  test('is nothing else', () => {
    expect(errorCodeOf(text('sRA FREchoFilter 2'))).toBeUndefined();
    expect(errorCodeOf(text('hello'))).toBeUndefined();
  });

  test('has the codes of the family, one after the other', () => {
    expect(Object.values(legacyErrors)).toEqual(Array.from({ length: 0x1a }, (_, index) => index + 1));
    expect(legacyErrors.writeAccessDenied).toBe(0xa);
    expect(legacyErrors.unknownCommand).toBe(0xc);
    expect(legacyErrors.unknownEvent).toBe(0xf);
    expect(errorName(4)).toBe('localConditionFailed');
    expect(errorName(0)).toBeUndefined();
    expect(errorName(0x1b)).toBeUndefined();
  });
});
