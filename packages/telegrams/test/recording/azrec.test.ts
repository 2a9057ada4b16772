import { RecordingError, readRecording, recordingFacts, recordingHeader, recordOf } from '@azimuth/telegrams';
import { encoderBytes, imuBytes, scanBytes } from '@azimuth/test-support/golden/compact';
import { bytesOf, hexOf, joined } from '@azimuth/test-support/golden/hex';
import { describe, expect, test } from 'vitest';

const facts = { made: '2026-01-15T12:00:00Z', source: '192.168.0.1, UDP port 2115', serial: 24130021 };
const time = Date.UTC(2026, 0, 15, 12) * 1000;
const recording = joined(
  recordingHeader(facts),
  recordOf(time, scanBytes),
  recordOf(time + 1, imuBytes),
  recordOf(time + 0.5, encoderBytes),
);
const headerBytes = recordingHeader(facts).length;

function read(bytes: Uint8Array) {
  return [...readRecording(bytes)].map((one) => [one.time, hexOf(one.telegram)]);
}

describe('a recording of our own', () => {
  test('begins with two lines of text', () => {
    expect(new TextDecoder().decode(recordingHeader(facts))).toBe(
      'AZREC 1\n{"made":"2026-01-15T12:00:00Z","source":"192.168.0.1, UDP port 2115","serial":24130021}\n',
    );
  });

  test('holds records of length, time and telegram', () => {
    expect(hexOf(recordOf(0x6_0000_0005, bytesOf('02020202ff')))).toBe(
      hexOf(bytesOf('05000000 05000000 06000000 02020202ff')),
    );
  });

  test('is read as it was written, any number of times', () => {
    const telegrams = [
      [time, hexOf(scanBytes)],
      [time + 1, hexOf(imuBytes)],
      [time, hexOf(encoderBytes)],
    ];
    expect(read(recording)).toEqual(telegrams);
    const again = readRecording(recording);
    expect([...again].length).toBe(3);
    expect([...again].length).toBe(3);
    expect(recordingFacts(recording)).toEqual(facts);
  });

  test('that is cut off is read up to there', () => {
    const ends = [12 + scanBytes.length, 24 + scanBytes.length + imuBytes.length].map(
      (end) => end + headerBytes,
    );
    for (let length = headerBytes; length < recording.length; length++) {
      const whole = ends.filter((end) => end <= length).length;
      expect(read(recording.subarray(0, length)).length, `${length} bytes`).toBe(whole);
    }
  });

  test('that is cut off in its first lines is refused', () => {
    for (let length = 0; length < headerBytes; length++) {
      expect(() => read(recording.subarray(0, length)), `${length} bytes`).toThrow(RecordingError);
    }
  });

  test.each([
    ['another version', 'AZREC 2\n{}\n', 'expected "AZREC 1\\n" at byte 0, got "AZREC 2\\n"'],
    ['facts that are no JSON', 'AZREC 1\n{made}\n', 'expected a JSON object with "made" at byte 8'],
    ['facts that do not say when', 'AZREC 1\n{"serial":1}\n', 'expected a JSON object with "made" at byte 8'],
    ['facts of another kind', 'AZREC 1\n{"made":"now","serial":"1"}\n', 'expected a JSON object with "made"'],
    [
      'facts without end',
      `AZREC 1\n${'x'.repeat(70_000)}`,
      'expected a line of facts (up to 65536 bytes) at byte 8',
    ],
    ['nothing', '', 'got a file that begins with nothing'],
    ['something else', 'PK..', 'got a file that begins with 50 4b 2e 2e'],
  ])('is refused: %s', (_, text, message) => {
    expect(() => read(new TextEncoder().encode(text))).toThrow(message);
  });

  test.each([0, 1_048_577])('with a telegram of %i bytes is broken there', (length) => {
    const broken = joined(recording, bytesOf('00000000 0000000000000000'));
    new DataView(broken.buffer).setUint32(recording.length, length, true);
    const telegrams = readRecording(broken)[Symbol.iterator]();
    for (let count = 0; count < 3; count++) expect(telegrams.next().done).toBe(false);
    expect(() => telegrams.next()).toThrow(
      new RecordingError(
        `byte ${recording.length}: expected a telegram length of 1 to 1048576, got ${length}`,
      ),
    );
  });

  test('has no facts that are too long', () => {
    expect(() => recordingHeader({ made: 'x'.repeat(70_000) })).toThrow(RangeError);
  });
});
