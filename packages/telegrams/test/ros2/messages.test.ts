import {
  ddsTypeName,
  decodeClock,
  decodeImuMessage,
  decodeLaserScan,
  decodeMultiEchoLaserScan,
  decodeOdometry,
  decodeParticipantEntities,
  decodePointCloud,
  decodeTransforms,
  definitionText,
  encodeClock,
  encodeImuMessage,
  encodeLaserScan,
  encodeMultiEchoLaserScan,
  encodeOdometry,
  encodeParticipantEntities,
  encodeTransforms,
  humbleGuidBytes,
  laserScanBytes,
  messageTypes,
  multiEchoLaserScanBytes,
  PointCloudWriter,
  pointBytes,
  pointCloudBytes,
} from '@azimuth/telegrams/ros2';
import { hexOf } from '@azimuth/test-support/golden/hex';
import { expect, test } from 'vitest';

const header = { stamp: 1_000_000_250, frameId: 'ab' };
const facts = {
  ...header,
  angleMin: -1,
  angleMax: 1,
  angleIncrement: 2,
  timeIncrement: 0.5,
  scanTime: 0.25,
  rangeMin: 0.125,
  rangeMax: 8,
};
const headerHex = 'e8030000 90d00300 03000000 616200 00';
const factsHex = `${headerHex} 000080bf 0000803f 00000040 0000003f 0000803e 0000003e 00000041`;
const hex = (text: string) => text.replaceAll(/\s/g, '');

test('a LaserScan has these bytes', () => {
  const ranges = Float32Array.of(1.5, Number.POSITIVE_INFINITY);
  const scan = { ...facts, ranges, intensities: Float32Array.of(7, 0) };
  const bytes = encodeLaserScan(scan);
  expect(hexOf(bytes)).toBe(
    hex(`00010000 ${factsHex} 02000000 0000c03f 0000807f 02000000 0000e040 00000000`),
  );
  expect(decodeLaserScan(bytes)).toEqual(scan);
});

test('the seconds of a stamp end in January 2038, and do not begin anew', () => {
  const stampOf = (stamp: number) => {
    const transform = { stamp, frameId: 'a', childFrameId: 'b' };
    const [read] = decodeTransforms(
      encodeTransforms([{ ...transform, translation: [0, 0, 0], rotation: [1, 0, 0, 0] }]),
    );
    return read?.stamp;
  };
  const latest = 2 ** 31 * 1_000_000 - 1;
  expect(stampOf(latest)).toBe(latest);
  expect(stampOf(latest + 1)).toBe(latest);
  expect(stampOf(Date.UTC(2040, 0) * 1000)).toBe(latest);
});

test('a message is written into the buffer that is given, if it fits', () => {
  const scan = { ...facts, ranges: new Float32Array(10), intensities: new Float32Array(10) };
  const target = new Uint8Array(laserScanBytes(facts, 10));
  expect(encodeLaserScan(scan, target).buffer).toBe(target.buffer);
  expect(() => encodeLaserScan(scan, new Uint8Array(60))).toThrow(RangeError);
});

test('a MultiEchoLaserScan has a list for each beam', () => {
  const scan = {
    ...facts,
    places: 2,
    counts: Uint8Array.of(2, 0, 1),
    ranges: Float32Array.of(1.5, 2, 0, 0, 3, 0),
    intensities: Float32Array.of(7, 1, 0, 0, 0.5, 0),
  };
  const bytes = encodeMultiEchoLaserScan(scan);
  expect(hexOf(bytes)).toBe(
    hex(`00010000 ${factsHex}
      03000000 02000000 0000c03f 00000040 00000000 01000000 00004040
      03000000 02000000 0000e040 0000803f 00000000 01000000 0000003f`),
  );
  expect(decodeMultiEchoLaserScan(bytes)).toEqual(scan);
  expect(bytes.length).toBeLessThanOrEqual(multiEchoLaserScanBytes(facts, 3, 3));
});

test('a PointCloud2 has its points one after the other, with their fields', () => {
  const writer = new PointCloudWriter();
  writer.begin(header, new Uint8Array(pointCloudBytes(header, 2)));
  writer.point(1, 2, 3, 0.5, true);
  writer.point(-1, 0, 0, 0, false);
  const bytes = writer.end();
  const field = (name: string, offset: string, type: string) =>
    `02000000 ${name}00 0000 ${offset}000000 ${type} 000000 01000000`;
  expect(hexOf(bytes).startsWith(hex(`00010000 ${headerHex} 01000000 02000000 05000000`))).toBe(true);
  expect(hexOf(bytes)).toContain(hex(`${field('78', '00', '07')} ${field('79', '04', '07')}`));
  expect(
    hexOf(bytes).endsWith(
      hex(`14000000 28000000 28000000
        0000803f 00000040 00004040 0000003f 01000000
        000080bf 00000000 00000000 00000000 00000000 01 000000`),
    ),
  ).toBe(true);
  const cloud = decodePointCloud(bytes);
  expect(cloud).toMatchObject({
    ...header,
    height: 1,
    width: 2,
    pointStep: pointBytes,
    rowStep: 40,
    isDense: true,
  });
  expect(cloud.fields.map(({ name, offset, type }) => [name, offset, type])).toEqual([
    ['x', 0, 7],
    ['y', 4, 7],
    ['z', 8, 7],
    ['i', 12, 7],
    ['p', 16, 2],
  ]);
});

test('transforms and the nodes of a participant are read as they were written', () => {
  const transform = {
    ...header,
    childFrameId: 'scanner',
    translation: [1, 2, 3] as const,
    rotation: [0.5, 0.25, 0.125, 0] as const,
  };
  expect(decodeTransforms(encodeTransforms([transform, transform]))).toEqual([transform, transform]);

  const guid = (entity: number) => ({ prefix: '0102030405060708090a0b0c', entity });
  const node = { namespace: '/left', name: 'scanner', readers: [], writers: [guid(0x103), guid(0x203)] };
  const entities = { participant: guid(0x1c1), nodes: [node] };
  expect(decodeParticipantEntities(encodeParticipantEntities(entities))).toEqual(entities);
});

test('the nodes of a participant have GUIDs of 16 bytes, and of 24 for ROS 2 Humble', () => {
  const participant = { prefix: '0102030405060708090a0b0c', entity: 0x1c1 };
  const node = { namespace: '/', name: 'n', readers: [], writers: [{ ...participant, entity: 0x103 }] };
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  const prefix = '0102030405060708090a0b0c';
  const names = '02000000' + '2f000000' + '02000000' + '6e000000';
  const entities = { participant, nodes: [node] };
  const counts = { nodes: '01000000', readers: '00000000', writers: '01000000' };
  const expected = (behind: string) =>
    `00010000${prefix}000001c1${behind}${counts.nodes}${names}${counts.readers}${counts.writers}${prefix}00000103${behind}`;
  expect(hex(encodeParticipantEntities(entities))).toBe(expected(''));
  expect(hex(encodeParticipantEntities(entities, humbleGuidBytes))).toBe(expected('00'.repeat(8)));
});

test('a rotation is sent as x, y, z, w, at a multiple of 8', () => {
  const transform = { ...header, childFrameId: 'c', translation: [1, 0, 0], rotation: [2, 0, 0, 0] } as const;
  expect(hexOf(encodeTransforms([transform]))).toBe(
    hex(`00010000 01000000 ${headerHex} 02000000 6300 0000 00000000
      000000000000f03f ${'00'.repeat(16)} ${'00'.repeat(24)} 0000000000000040`),
  );
});

test('a list that claims more than there is, is refused at once', () => {
  const bytes = encodeLaserScan({ ...facts, ranges: new Float32Array(1), intensities: new Float32Array(1) });
  new DataView(bytes.buffer).setUint32(4 + 16 + 28, 0xffffffff, true);
  expect(() => decodeLaserScan(bytes)).toThrow('expected 4294967295 items');
});

test('types have the names that they have in DDS', () => {
  expect(ddsTypeName(messageTypes.laserScan)).toBe('sensor_msgs::msg::dds_::LaserScan_');
  expect(ddsTypeName(messageTypes.participantEntities)).toBe(
    'rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_',
  );
});

test('an Odometry has these bytes', () => {
  const odometry = { ...header, childFrameId: 'c', x: 1.5, y: -2, heading: 0, speed: 0.5, turn: 0.25 };
  const zeros = (count: number) => '0000000000000000'.repeat(count);
  const bytes = encodeOdometry(odometry);
  expect(hexOf(bytes)).toBe(
    hex(`00010000 ${headerHex} 02000000 6300 0000
      000000000000f83f 00000000000000c0 ${zeros(1)} ${zeros(3)} 000000000000f03f ${zeros(36)}
      000000000000e03f ${zeros(4)} 000000000000d03f ${zeros(36)}`),
  );
  expect(decodeOdometry(bytes)).toEqual(odometry);
  expect(decodeOdometry(encodeOdometry({ ...odometry, heading: -3 })).heading).toBeCloseTo(-3, 12);
});

test('a Clock has these bytes', () => {
  const bytes = encodeClock(1_000_000_250);
  expect(hexOf(bytes)).toBe(hex('00010000 e8030000 90d00300'));
  expect(decodeClock(bytes)).toBe(1_000_000_250);
});

test('an Imu has these bytes', () => {
  const imu = {
    ...header,
    orientation: [1, 0.5, 0.25, 0.125],
    angularVelocity: [1.5, 0, 0],
    acceleration: [0, 0, -2],
  } as const;
  const bytes = encodeImuMessage(imu);
  const zeros = (count: number) => '0000000000000000'.repeat(count);
  expect(hexOf(bytes)).toBe(
    hex(`00010000 ${headerHex}
      000000000000e03f 000000000000d03f 000000000000c03f 000000000000f03f ${zeros(9)}
      000000000000f83f ${zeros(2)} ${zeros(9)} ${zeros(2)} 00000000000000c0 ${zeros(9)}`),
  );
  expect(decodeImuMessage(bytes)).toEqual(imu);
});

test('the text of a definition has each type in it once, with the names that tools expect', () => {
  expect(definitionText('tf2_msgs/msg/TFMessage').split(/={80}\n/)).toEqual([
    'geometry_msgs/TransformStamped[] transforms\n',
    'MSG: geometry_msgs/TransformStamped\nstd_msgs/Header header\nstring child_frame_id\ngeometry_msgs/Transform transform\n',
    'MSG: std_msgs/Header\nbuiltin_interfaces/Time stamp\nstring frame_id\n',
    'MSG: builtin_interfaces/Time\nint32 sec\nuint32 nanosec\n',
    'MSG: geometry_msgs/Transform\ngeometry_msgs/Vector3 translation\ngeometry_msgs/Quaternion rotation\n',
    'MSG: geometry_msgs/Vector3\nfloat64 x\nfloat64 y\nfloat64 z\n',
    'MSG: geometry_msgs/Quaternion\nfloat64 x\nfloat64 y\nfloat64 z\nfloat64 w\n',
  ]);
  expect(() => definitionText('sensor_msgs/msg/Nothing')).toThrow(RangeError);
});
