import { describe, expect, test } from 'vitest';
import { fileFor } from '../../src/firmware/choice.js';
import type { FirmwareFile } from '../../src/firmware/firmware-file.js';

const source = {
  size: 1,
  stream: () => new ReadableStream<Uint8Array<ArrayBuffer>>(),
};

function file(path: string, release?: string): FirmwareFile {
  return { path, source, release, isSigned: path.endsWith('.signed') };
}

const old = file('old.spk', '2.1.0');
const unsigned = file('new.spk', '2.4.4');
const signed = file('new.spk.signed', '2.4.4');

describe('the file for a scanner', () => {
  test.each([
    ['2.1.0.0R', 'new.spk'],
    ['1.4.0.0R', 'new.spk'],
    ['2.2.0.0R', 'new.spk.signed'],
    ['2.3.1.0R', 'new.spk.signed'],
    ['2.4.4.0R', undefined],
  ])('of release %s is %s', (version, path) => {
    expect(fileFor(version, [old, signed, unsigned])?.path).toBe(path);
  });

  test('is installed without a look at its release if it states none', () => {
    expect(fileFor('2.4.4.0R', [file('maker.spk.signed'), unsigned])?.path).toBe('maker.spk.signed');
  });

  test('is none if the scanner runs the expected version', () => {
    expect(fileFor('2.4.4.1R', [file('maker.spk.signed')], '2.4.4.1R')).toBeUndefined();
  });

  test.each([
    [
      '2.1.0.0R',
      [signed],
      'it runs 2.1.0.0R and takes unsigned files (.spk), as all below 2.2.0; new.spk.signed is none',
    ],
    [
      '2.2.0.0R',
      [unsigned, old],
      'takes signed files (.spk.signed), as all from 2.2.0 on; new.spk and old.spk is none',
    ],
    ['2.4.5.0R', [signed], 'it runs 2.4.5.0R, and new.spk.signed has 2.4.4: a scanner cannot go back'],
    ['2.3.1.0R', [signed, file('maker.signed')], 'the files do not say which is newer'],
  ])('of release %s is refused with the reason', (version, files, reason) => {
    expect(() => fileFor(version, files)).toThrow(reason);
  });
});
