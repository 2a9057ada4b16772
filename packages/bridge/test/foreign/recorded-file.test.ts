import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RecordedFile } from '@azimuth/bridge/foreign';
import type { ScanModule } from '@azimuth/telegrams';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { foreignFile, foreignType, headerOf } from '../support/foreign-files.js';
import { begin } from '../support/telegrams.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'azimuth-foreign-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const laserScan = foreignType('sensor_msgs/LaserScan');
const pointCloud = foreignType('sensor_msgs/PointCloud2');

const scanMessage = {
  header: headerOf(0),
  ...{ angle_min: -0.2, angle_max: 0.2, angle_increment: 0.1, time_increment: 0.001, scan_time: 0.1 },
  ...{ range_min: 0.1, range_max: 10 },
  ranges: Float32Array.of(1, Number.POSITIVE_INFINITY, Number.NaN, 0.05, 4),
  intensities: Float32Array.of(100, 0, 0, 0, 255),
};

const scanChannel = (message: object = scanMessage, topic = '/scan') => ({
  topic,
  schema: laserScan.schema,
  messages: [0, 1, 2].map((index) => laserScan.encode({ ...message, header: headerOf(index) })),
});

/** A cloud of points x, y, z, intensity (f32), with 4 bytes that nobody needs. */
function cloudOf(points: readonly (readonly number[])[], changes: object = {}): Uint8Array {
  const data = new Uint8Array(points.length * 20);
  const view = new DataView(data.buffer);
  for (const [index, point] of points.entries()) {
    for (const [place, value] of point.entries()) view.setFloat32(index * 20 + place * 4, value, true);
  }
  return pointCloud.encode({
    header: headerOf(0),
    ...{
      height: 1,
      width: points.length,
      is_bigendian: false,
      point_step: 20,
      row_step: 0,
      data,
      is_dense: true,
    },
    fields: ['x', 'y', 'z', 'intensity'].map((name, index) => ({
      name,
      offset: 4 * index,
      datatype: 7,
      count: 1,
    })),
    ...changes,
  });
}

const cloudChannel = (...messages: readonly Uint8Array[]) => ({
  topic: '/points',
  schema: pointCloud.schema,
  messages,
});

function played(path: string, topic?: string): readonly ScanModule[] {
  const file = RecordedFile.open(path);
  return [...file.revolutions(file.topicOf(topic).topic)].flatMap(({ telegram }) =>
    telegram.kind === 'scan' ? telegram.telegram.modules : [],
  );
}

/** The nearest distance of each beam. */
const nearest = ({ distance, columns, echoes }: ScanModule) =>
  Array.from({ length: columns }, (_, beam) => distance[beam * echoes]);

test('a LaserScan of another program is played with its beams, times and strengths', () => {
  const modules = played(foreignFile(folder, [scanChannel()]));
  expect(modules).toHaveLength(3);
  const [first, second] = modules;
  expect(first && nearest(first)).toEqual([1000, 0, 0, 0, 4000]);
  expect(first?.rssi?.filter((_, at) => at % 3 === 0)).toEqual(Uint16Array.of(25_700, 0, 0, 0, 65_535));
  expect([first?.firstAzimuth[0], first?.lastAzimuth[0]]).toEqual([
    expect.closeTo(-0.2),
    expect.closeTo(0.2),
  ]);
  expect([second?.firstBeamTime[0], second?.lastBeamTime[0]]).toEqual([begin + 100_000, begin + 104_000]);
});

test('a scan that turns clockwise, or whose beams move, is put on the beams of the first scan', () => {
  const clockwise = { ...scanMessage, angle_min: 0.2, angle_increment: -0.1 };
  const [module] = played(foreignFile(folder, [scanChannel(clockwise)]));
  expect(module && nearest(module)).toEqual([4000, 0, 0, 0, 1000]);
  const moved = laserScan.encode({ ...scanMessage, angle_min: -0.08, ranges: Float32Array.of(1, 2, 3) });
  const channel = scanChannel();
  const path = foreignFile(folder, [{ ...channel, messages: [...channel.messages.slice(0, 1), moved] }]);
  expect(played(path).map(nearest)).toEqual([
    [1000, 0, 0, 0, 4000],
    [0, 1000, 2000, 3000, 0],
  ]);
});

test('a PointCloud2 is played as the scanner in its plane sees it, each beam with its nearest points', () => {
  const points = [
    [2, 0, 0, 1],
    [1, 0, 0, 0.5],
    [0, 3, 0.01, 0],
    [0, -4, 2, 0],
    [Number.NaN, 0, 0, 0],
  ];
  const [module] = played(foreignFile(folder, [cloudChannel(cloudOf(points))]));
  expect(module?.columns).toBe(360);
  expect([...(module?.distance.subarray(180 * 3, 181 * 3) ?? [])]).toEqual([1000, 2000, 0]);
  expect(module?.distance[270 * 3]).toBe(3000);
  expect(module?.distance[90 * 3]).toBe(0);
});

test('the topic is chosen by its type, or named', () => {
  const path = foreignFile(folder, [
    cloudChannel(cloudOf([[1, 0, 0]])),
    scanChannel(scanMessage, '/front'),
    { topic: '/chatter', encoding: 'json', messages: [Uint8Array.of(123, 125)] },
  ]);
  const file = RecordedFile.open(path);
  expect(file.topicOf().topic).toBe('/front');
  expect(file.topicOf('/points').topic).toBe('/points');
  expect(() => file.topicOf('/chatter')).toThrow(
    'expected a topic /chatter of sensor_msgs/msg/LaserScan or sensor_msgs/msg/MultiEchoLaserScan or sensor_msgs/msg/PointCloud2 as CDR, got /points (sensor_msgs/msg/PointCloud2), /front (sensor_msgs/msg/LaserScan), /chatter (json)',
  );
});

test('the files of a folder of rosbag2 are read in the order of its metadata', () => {
  const bag = join(folder, 'bag');
  mkdirSync(bag);
  foreignFile(bag, [scanChannel()], 'bag_1.mcap');
  foreignFile(bag, [scanChannel({ ...scanMessage, ranges: Float32Array.of(7, 7, 7, 7, 7) })], 'bag_0.mcap');
  writeFileSync(join(bag, 'metadata.yaml'), 'relative_file_paths:\n  - bag_1.mcap\n  - bag_0.mcap\n');
  expect(played(bag).map((module) => module.distance[0])).toEqual([1000, 1000, 1000, 7000, 7000, 7000]);
});

test('a recording of another form is named with the remedy', () => {
  for (const [name, remedy] of [
    ['bag_0.db3', 'ros2 bag convert'],
    ['bag_0.mcap.zstd', 'zstd -d'],
  ] as const) {
    writeFileSync(join(folder, name), 'x');
    expect(() => RecordedFile.open(join(folder, name))).toThrow(remedy);
    expect(() => RecordedFile.open(folder)).toThrow(remedy);
    rmSync(join(folder, name));
  }
  expect(() => RecordedFile.open(folder)).toThrow('expected a folder of rosbag2 with files of MCAP');
});

describe('what is refused, with its place', () => {
  const refusal = (channel: Parameters<typeof foreignFile>[1][number]) => {
    const path = foreignFile(folder, [channel]);
    try {
      played(path);
      return '';
    } catch (error) {
      return error instanceof Error && error.name === 'McapError' ? error.message : String(error);
    }
  };
  const line = `${'='.repeat(80)}\n`;
  const withDefinition = (definition: string) => ({
    ...scanChannel(),
    schema: { ...laserScan.schema, definition },
  });

  test('a definition without a field', () => {
    const definition = laserScan.schema.definition.replace('float32[] ranges\n', '');
    expect(refusal(withDefinition(definition))).toMatch(/^\/scan \(sensor_msgs\/msg\/LaserScan\): expected/);
  });

  test.each([
    [
      'that contains itself',
      `pkg/A a\n${line}MSG: pkg/A\npkg/B b\n${line}MSG: pkg/B\npkg/A a\n`,
      'cannot be read',
    ],
    [
      'with endless lists',
      `pkg/A[4000000000] a\n${line}MSG: pkg/A\nuint8 x\n`,
      'expected 1 to 65536 items in a',
    ],
    [
      'with lists of nothing',
      `pkg/A[60000] a\n${line}MSG: pkg/A\nuint8[0] x\n`,
      'expected 1 to 65536 items in x',
    ],
    ['with an unknown type', 'pkg/Nothing a\n', 'cannot be read'],
    ['that is no definition', '\u0000{}', 'cannot be read'],
  ])('a definition %s', (_, definition, expected) => {
    expect(refusal(withDefinition(definition))).toContain(expected);
  });

  test('a message that is cut off, or whose lengths lie', () => {
    const [whole = new Uint8Array()] = scanChannel().messages;
    for (let length = 0; length < whole.length - 1; length += 5) {
      expect(refusal({ ...scanChannel(), messages: [whole.slice(0, length)] })).toMatch(/^\/scan /);
    }
    const lying = whole.slice();
    new DataView(lying.buffer).setUint32(lying.length - 4 - 5 * 4 - 5 * 4 - 4, 0xffffffff, true);
    expect(refusal({ ...scanChannel(), messages: [lying] })).toMatch(/^\/scan /);
  });

  test.each([
    ['more points than bytes', { width: 1_000_000 }, 'expected 1000000 × 1 points of 20 bytes'],
    ['rows without bytes', { height: 4_000_000_000, row_step: 0 }, 'in rows of 0 bytes'],
    ['points without bytes', { point_step: 0 }, 'within 0 bytes'],
    ['no coordinates', { fields: [] }, 'expected fields x and y'],
  ])('a cloud with %s', (_, changes, expected) => {
    expect(refusal(cloudChannel(cloudOf([[1, 0, 0]], changes)))).toContain(expected);
  });

  test('a cloud with no point in the plane', () => {
    expect(refusal(cloudChannel(cloudOf([[1, 0, 1]])))).toContain('within 1° of the plane');
    expect(refusal(cloudChannel(cloudOf([[1, 0, 0]], { height: 0, width: 4_000_000_000 })))).toContain(
      'within 1°',
    );
  });

  test('beams that no scanner has', () => {
    for (const angle_increment of [0, Number.NaN, 1e-9, Number.POSITIVE_INFINITY, -1e30]) {
      expect(refusal(scanChannel({ ...scanMessage, angle_increment }))).toContain(
        'expected 2 to 65536 beams',
      );
    }
  });
});

test('a large cloud is read without the definition in its file, if that is the usual one', () => {
  const points = Array.from({ length: 250_000 }, (_, index) => [1 + index / 250_000, 0, 0, 1]);
  const [module] = played(foreignFile(folder, [cloudChannel(cloudOf(points))]));
  expect(module && Math.max(...nearest(module).map((mm) => mm ?? 0))).toBe(1000);
});
