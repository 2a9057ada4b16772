import { frameBinary, frameText } from '@azimuth/telegrams/legacy';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LegacyPieces } from '../../src/control/legacy-pieces.js';
import { legacyWithoutSecrets } from '../../src/control/legacy-without-secrets.js';

const frames = [
  frameText('sRN A'),
  frameText('sRN A'),
  frameBinary(Buffer.from('sSN B \x02\x03x')),
  frameBinary(new Uint8Array(0)),
  Buffer.from('garbage'),
  Buffer.from('\x02unfinished'),
  Buffer.from('\x02\x02\x02\x02\0\0\0\x02ab\xff', 'latin1'),
  Buffer.alloc(300, 0x41),
];

test('no byte gets lost or moved, however a connection is cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...frames), { maxLength: 12 }),
      fc.array(fc.nat(40), { minLength: 1 }),
      (sent, cuts) => {
        const all = Buffer.concat(sent);
        const pieces = new LegacyPieces(200);
        const out: Uint8Array[] = [];
        for (let at = 0, cut = 0; at < all.length; cut++) {
          const next = at + 1 + (cuts[cut % cuts.length] ?? 0);
          for (const piece of pieces.push(all.subarray(at, next))) out.push(piece.bytes);
          at = next;
        }
        expect(pieces.held).toBeLessThan(220);
        for (const piece of pieces.giveUp()) out.push(piece.bytes);
        expect(Buffer.concat(out)).toEqual(all);
      },
    ),
  );
});

test('telegrams are found between other bytes', () => {
  const pieces = new LegacyPieces(200).push(
    Buffer.concat([
      Buffer.from('x'),
      frameText('sRN A'),
      Buffer.from('y'),
      frameBinary(Buffer.from('sRN B')),
    ]),
  );
  expect(pieces.map(({ telegram, bytes }) => telegram?.framing ?? Buffer.from(bytes).toString())).toEqual([
    'x',
    'text',
    'y',
    'binary',
  ]);
});

function shown(frame: Uint8Array): string {
  return new LegacyPieces(1000)
    .push(frame)
    .map((piece) => Buffer.from(legacyWithoutSecrets(piece, 'to scanner')).toString('latin1'))
    .join();
}

test('hashes of passwords are zeros on the timeline, and all else is as it came', () => {
  expect(shown(frameText('sMN SetAccessMode 4 81BE23AA'))).toBe('\x02sMN SetAccessMode 0 00000000\x03');
  expect(shown(frameText('sMN SetPassword 4 81BE23AA'))).toBe('\x02sMN SetPassword 0 00000000\x03');
  expect(shown(frameText('sMN SetAcessMode 4 81BE23AA'))).toBe('\x02sMN SetAcessMode 0 00000000\x03');
  expect(shown(frameText('SetAccessMode 4 81BE23AA'))).toBe('\x020000000000000 0 00000000\x03');
  expect(shown(Buffer.from('81BE23AA'))).toBe('\0'.repeat(8));
  const binary = frameBinary(Buffer.from('sMN SetAccessMode \x04\x81\xbe\x23\xaa', 'latin1'));
  expect(shown(binary)).toBe(
    Buffer.from(frameBinary(Buffer.from('sMN SetAccessMode \0\0\0\0\0'))).toString('latin1'),
  );
  for (const open of ['sWN LocationName 5 Gate3', 'sMN SetOutput 1 1', 'sMN mSCreboot', 'sRN A', 'sEN A 1'])
    expect(shown(frameText(open))).toBe(`\x02${open}\x03`);
});

test('a telegram that never ends takes no more memory than the largest one', () => {
  for (const begin of ['\x02', '\x02\x02\x02\x02\0\xff\xff\xff']) {
    const pieces = new LegacyPieces(1000);
    let passed = pieces.push(Buffer.from(begin, 'latin1')).length;
    for (let count = 0; count < 100; count++) passed += pieces.push(Buffer.alloc(100, 0x41)).length;
    expect(pieces.held).toBeLessThan(1020);
    expect(passed).toBeGreaterThan(0);
  }
});

test('the answer with a session token is on the timeline without it', () => {
  const answer = (name: string) =>
    new LegacyPieces(1000)
      .push(frameText(`sAN ${name} 5 abcde 12C`))
      .map((piece) => Buffer.from(legacyWithoutSecrets(piece, 'from scanner')).toString('latin1'));
  expect(answer('CreateSessionToken')).toEqual(['\x02sAN CreateSessionToken 0 00000 000\x03']);
  expect(answer('LoadEnvironment')).toEqual(['\x02sAN LoadEnvironment 5 abcde 12C\x03']);
});
