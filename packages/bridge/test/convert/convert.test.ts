import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { convertRecording } from '@azimuth/bridge/convert';
import { readPcd } from '@azimuth/client';
import { readRecording, recordingHeader, recordOf } from '@azimuth/telegrams';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WrittenFile } from '../../src/convert/written-file.js';
import { foreignFile, foreignType, headerOf } from '../support/foreign-files.js';
import { begin, recordedTelegrams } from '../support/telegrams.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'azimuth-convert-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const at = (name: string) => join(folder, name);
const options = { library: 'azimuth' };

function recordedHall(): string {
  const records = recordedTelegrams(3).map(({ time, bytes }) => recordOf(time, bytes));
  writeFileSync(
    at('hall.azrec'),
    Buffer.concat([recordingHeader({ made: '2026-01-15T12:00:00Z' }), ...records]),
  );
  return at('hall.azrec');
}

const telegramsIn = (path: string) =>
  [...readRecording(readFileSync(path))].map(({ time, telegram }) => [
    time,
    Buffer.from(telegram).toString('hex'),
  ]);

test('telegrams come back byte by byte, by way of each format', () => {
  const hall = recordedHall();
  const chain = [hall, at('a.pcap'), at('b.pcapng'), at('c.mcap'), at('d.azrec')];
  for (const [index, from] of chain.slice(0, -1).entries()) {
    const to = chain[index + 1] ?? '';
    expect(convertRecording(from, to, options)).toMatchObject({ what: 'telegram', count: 9, leftOut: 0 });
  }
  expect(telegramsIn(at('d.azrec'))).toEqual(telegramsIn(hall));
  expect(telegramsIn(at('d.azrec'))).toHaveLength(9);
});

test('addresses of a capture come back by way of MCAP', () => {
  convertRecording(recordedHall(), at('a.pcap'), options);
  convertRecording(at('a.pcap'), at('b.mcap'), options);
  convertRecording(at('b.mcap'), at('c.pcap'), options);
  expect(readFileSync(at('c.pcap')).equals(readFileSync(at('a.pcap')))).toBe(true);
});

test('points are written as CSV, with the times of their scans', () => {
  expect(convertRecording(recordedHall(), at('hall.csv'), options)).toMatchObject({
    what: 'point',
    count: 24,
  });
  const [head, first, ...others] = readFileSync(at('hall.csv'), 'utf8').split('\n');
  expect(head).toBe('scan,time_us,x_m,y_m,z_m,intensity');
  expect(first).toBe(`0,${begin},0.9211,-0.3894,0.0000,0.2`);
  expect(others).toHaveLength(24);
});

test('points are written as a point cloud that others read', () => {
  expect(convertRecording(recordedHall(), at('hall.pcd'), options)).toMatchObject({ count: 24 });
  const cloud = readPcd(readFileSync(at('hall.pcd')));
  expect([cloud.count, cloud.fields]).toEqual([24, ['x', 'y', 'z', 'intensity']]);
  const points = Array.from(cloud.points(['x', 'y', 'intensity']), (point) =>
    [...point].map((value) => value.toFixed(4)),
  );
  expect(points[0]).toEqual(['0.9211', '-0.3894', '0.2000']);
});

test('scans of another program become points, but no telegrams', () => {
  const { schema, encode } = foreignType('sensor_msgs/LaserScan');
  const message = encode({
    header: headerOf(0),
    ...{
      angle_min: 0,
      angle_max: 1,
      angle_increment: 1,
      time_increment: 0,
      scan_time: 0,
      range_min: 0,
      range_max: 9,
    },
    ...{ ranges: Float32Array.of(1, 10, Number.NaN), intensities: new Float32Array() },
  });
  const robot = foreignFile(folder, [{ topic: '/scan', schema, messages: [message] }]);
  expect(convertRecording(robot, at('robot.csv'), options)).toMatchObject({ count: 1, topic: '/scan' });
  expect(readFileSync(at('robot.csv'), 'utf8')).toContain(`\n0,${begin},1.0000,0.0000,0.0000,0\n`);
  expect(() => convertRecording(robot, at('robot.azrec'), options)).toThrow(
    'has no telegrams of a scanner, of which a file .azrec is made',
  );
});

test('a format that is not written is refused, and LAS with the way to it', () => {
  expect(() => convertRecording(recordedHall(), at('hall.xyz'), options)).toThrow(
    'expected a name that ends in .azrec, .pcap, .pcapng, .mcap, .csv, .pcd',
  );
  expect(() => convertRecording(recordedHall(), at('hall.las'), options)).toThrow('pdal translate');
  writeFileSync(at('text.txt'), 'no recording');
  expect(() => convertRecording(at('text.txt'), at('a.csv'), options)).toThrow('expected a recording');
});

test('a damaged recording leaves the file of the name as it was, and none beside it', () => {
  convertRecording(recordedHall(), at('hall.mcap'), options);
  const damaged = readFileSync(at('hall.mcap'));
  // A byte of the first chunk.
  damaged.writeUInt8(damaged.readUInt8(200) ^ 0xff, 200);
  writeFileSync(at('hall.mcap'), damaged);
  writeFileSync(at('old.csv'), 'of yesterday');
  for (const to of ['old.csv', 'new.csv', 'new.mcap', 'new.pcap']) {
    expect(() => convertRecording(at('hall.mcap'), at(to), options), to).toThrow();
  }
  expect(readdirSync(folder).sort()).toEqual(['hall.azrec', 'hall.mcap', 'old.csv']);
  expect(readFileSync(at('old.csv'), 'utf8')).toBe('of yesterday');
});

test('a recording whose name ends in .part is converted, and stays', () => {
  convertRecording(recordedHall(), at('hall.mcap'), options);
  const hall = readFileSync(at('hall.mcap'));
  writeFileSync(at('new.azrec.part'), hall);
  expect(convertRecording(at('new.azrec.part'), at('new.azrec'), options)).toMatchObject({ count: 9 });
  expect(readFileSync(at('new.azrec.part')).equals(hall)).toBe(true);
});

test('a file that cannot get its name is removed, and the reason is told', () => {
  const file = new WrittenFile(at('new.csv'));
  file.write(Buffer.from('scan'));
  mkdirSync(at('new.csv'));
  expect(() => file.complete()).toThrow('EISDIR');
  file.discard();
  expect(readdirSync(folder)).toEqual(['new.csv']);
});

test('no file stays open, also after an error', () => {
  const open = () => readdirSync('/proc/self/fd').length;
  writeFileSync(at('text.txt'), 'no recording');
  const hall = recordedHall();
  const before = open();
  for (const to of [at('a.mcap'), at('a.csv'), at('a.xyz')]) {
    try {
      convertRecording(hall, to, options);
    } catch {}
    expect(() => convertRecording(at('text.txt'), to, options)).toThrow();
  }
  expect(open()).toBe(before);
});

test('a file of MCAP that is cut off is converted up to there, and says where', () => {
  convertRecording(recordedHall(), at('hall.mcap'), options);
  const whole = readFileSync(at('hall.mcap'));
  writeFileSync(at('cut.mcap'), whole.subarray(0, whole.length - 8 - 29 - 1000));
  const { cutAt, count } = convertRecording(at('cut.mcap'), at('cut.azrec'), options);
  expect([cutAt, count]).toEqual([undefined, 9]);
  writeFileSync(at('cut.mcap'), whole.subarray(0, 200));
  expect(() => convertRecording(at('cut.mcap'), at('cut.azrec'), options)).toThrow('got no messages');
});
