import { decodeLaserScan, decodeTransforms, definitionText } from '@azimuth/telegrams/ros2';
import { McapIndexedReader, McapRecordBuilder, McapStreamReader, Opcode } from '@mcap/core';
import { expect, test } from 'vitest';
import { McapError, type McapMessage, readMcap, ScannerRecording } from '../../src/mcap/index.js';
import { compressLz4, decompressLz4 } from '../../src/mcap/lz4.js';
import { begin, recordedTelegrams, WrittenFile } from '../support/telegrams.js';

const decompressHandlers = { lz4: (packed: Uint8Array, size: bigint) => decompressLz4(packed, Number(size)) };

function recorded(frames: number): Uint8Array {
  const file = new WrittenFile();
  const recording = new ScannerRecording(file.write, {
    library: 'azimuth',
    facts: { made: '2026-01-15T12:00:00Z', source: 'UDP port 2115' },
    parameters: { LocationName: 'hall', x: 5 },
    position: { x: 1000, y: 0, z: 0, yaw: 0, pitch: 0, roll: 0 },
  });
  for (const [index, one] of recordedTelegrams(frames).entries()) {
    recording.add(one);
    if (index === 0) recording.addEvent(begin, { name: 'DeviceStatus', value: 'ready' });
    if (index % 3 === 2) recording.flush();
  }
  recording.end();
  return file.bytes;
}

const sourceOf = (bytes: Uint8Array) => ({
  length: bytes.length,
  part: (start: number, end: number) => bytes.subarray(start, end),
});

const readableOf = (bytes: Uint8Array) => ({
  size: async () => BigInt(bytes.length),
  read: async (offset: bigint, size: bigint) => bytes.subarray(Number(offset), Number(offset + size)),
});

function messagesIn(bytes: Uint8Array): readonly McapMessage[] {
  return [...readMcap(sourceOf(bytes))].flatMap((item) => (item.kind === 'message' ? item : []));
}

test('an indexed reader finds channels, statistics, metadata and messages by their time', async () => {
  const reader = await McapIndexedReader.Initialize({
    readable: readableOf(recorded(4)),
    decompressHandlers,
  });
  expect(reader.header).toMatchObject({ profile: 'ros2', library: 'azimuth' });
  const topics = [...reader.channelsById.values()].map(({ topic, messageEncoding }) => [
    topic,
    messageEncoding,
  ]);
  expect(topics.sort()).toEqual([
    ['/azimuth/events', 'json'],
    ['/azimuth/telegrams', 'x-azimuth-telegram'],
    ['/cloud/all_points', 'cdr'],
    ['/imu/data', 'cdr'],
    ['/scan/all_points', 'cdr'],
    ['/scan/all_points_echo0', 'cdr'],
    ['/scan/all_points_echo1', 'cdr'],
    ['/tf_static', 'cdr'],
  ]);
  expect(reader.statistics).toMatchObject({
    messageCount: 34n,
    channelCount: 8,
    chunkCount: 4,
    metadataCount: 2,
  });
  const schemas = [...reader.schemasById.values()];
  const ofScans = schemas.find(({ name }) => name === 'sensor_msgs/msg/LaserScan');
  expect(new TextDecoder().decode(ofScans?.data)).toBe(definitionText('sensor_msgs/msg/LaserScan'));
  const times: bigint[] = [];
  const window = { startTime: BigInt(begin) * 1000n, endTime: BigInt(begin + 60_000) * 1000n };
  for await (const { logTime } of reader.readMessages({ ...window, topics: ['/imu/data'] }))
    times.push(logTime);
  expect(times).toEqual([BigInt(begin + 40_000) * 1000n]);
  const facts: unknown[] = [];
  for await (const { name, metadata } of reader.readMetadata())
    facts.push([name, Object.fromEntries(metadata)]);
  expect(facts).toEqual([
    ['azimuth.recording', { made: '2026-01-15T12:00:00Z', source: 'UDP port 2115' }],
    ['azimuth.parameters', { LocationName: '"hall"', x: '5' }],
  ]);
});

test('scans have the stamp of their first beam, the frame of the scanner, and its place', () => {
  const messages = messagesIn(recorded(3));
  const scans = messages
    .filter(({ topic }) => topic === '/scan/all_points_echo0')
    .map(({ data }) => decodeLaserScan(data));
  expect(scans.map(({ stamp }) => stamp)).toEqual([begin, begin + 50_000, begin + 100_000]);
  expect(scans[1]?.frameId).toBe('picoScan_');
  expect([...(scans[1]?.ranges ?? [])]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  const [place] = messages
    .filter(({ topic }) => topic === '/tf_static')
    .map(({ data }) => decodeTransforms(data));
  expect(place).toMatchObject([{ frameId: 'world', childFrameId: 'picoScan_', translation: [1, 0, 0] }]);
});

test('a scanner whose clock counts from its start has stamps and times of reception, to its last scan', () => {
  const file = new WrittenFile();
  const recording = new ScannerRecording(file.write, { library: 'azimuth' });
  const later = 5_000_000_000;
  // The last frame lacks its second segment, and ends with the recording.
  for (const one of recordedTelegrams(3).slice(0, -2)) recording.add({ ...one, time: one.time + later });
  recording.end();
  const scans = messagesIn(file.bytes).filter(({ topic }) => topic === '/scan/all_points_echo0');
  const received = [36_000, 86_000, 116_000].map((time) => begin + later + time);
  expect(scans.map(({ logTime }) => logTime)).toEqual(received);
  // A scan takes 35 ms, its first segment 15 ms.
  const stamps = [1_000, 51_000, 101_000].map((time) => begin + later + time);
  expect(scans.map(({ data }) => decodeLaserScan(data).stamp)).toEqual(stamps);
});

test('telegrams are kept byte by byte, with their times and addresses', () => {
  const telegrams = recordedTelegrams(3);
  const kept = messagesIn(recorded(3)).filter(({ topic }) => topic === '/azimuth/telegrams');
  expect(kept.map(({ logTime, data }) => [logTime, Buffer.from(data).toString('hex')])).toEqual(
    telegrams.map(({ time, bytes }) => [time, Buffer.from(bytes).toString('hex')]),
  );
  expect(Object.fromEntries(kept[0]?.metadata ?? [])).toEqual({
    from: '192.168.0.1:2115',
    to: '192.168.0.100:2115',
  });
});

test('a file that is cut anywhere is read up to its last complete chunk, by our reader and by another', () => {
  const whole = recorded(3);
  const ofOther = (bytes: Uint8Array) => {
    const reader = new McapStreamReader({ decompressHandlers });
    reader.append(bytes);
    let messages = 0;
    for (let record = reader.nextRecord(); record !== undefined; record = reader.nextRecord()) {
      if (record.type === 'Message') messages++;
    }
    return messages;
  };
  const counts = new Set<number>();
  for (let length = 8; length < whole.length; length += 61) {
    const cut = whole.subarray(0, length);
    const messages = messagesIn(cut).length;
    expect(messages).toBe(ofOther(cut));
    counts.add(messages);
  }
  expect([...counts]).toEqual([0, 6, 18, 26]);
});

test('lying lengths are refused with their place, and no memory is taken for them', () => {
  const header = recorded(1).slice(0, 60);
  const record = (opcode: number, length: bigint) => {
    const bytes = new Uint8Array(header.length + 9);
    bytes.set(header.subarray(0, 8));
    const view = new DataView(bytes.buffer);
    view.setUint8(8, opcode);
    view.setBigUint64(9, length, true);
    return bytes;
  };
  expect(() => messagesIn(record(6, 2n ** 40n))).toThrow(
    'byte 8: expected a record of up to 268435456 bytes, got 1099511627776',
  );
  expect(messagesIn(record(6, 1000n))).toEqual([]);
  expect(messagesIn(record(9, 2n ** 60n))).toEqual([]);
  expect(() => messagesIn(Uint8Array.of(1, 2, 3))).toThrow(McapError);
});

test('a chunk that says it becomes huge, or becomes more than it says, is refused', () => {
  const whole = recorded(1);
  const changed = (size: bigint) => {
    const bytes = whole.slice();
    let chunk = 8;
    const view = new DataView(bytes.buffer);
    while (view.getUint8(chunk) !== 6) chunk += 9 + Number(view.getBigUint64(chunk + 1, true));
    view.setBigUint64(chunk + 9 + 16, size, true);
    return bytes;
  };
  expect(() => messagesIn(changed(2n ** 50n))).toThrow('expected a chunk of up to 268435456 bytes');
  expect(() => messagesIn(changed(100n))).toThrow('expected 100 bytes, got more');
});

test('a long channel or metadata is refused, also in a chunk, before its parts take memory', () => {
  const metadata = (bytes: number) => {
    const record = new Uint8Array(9 + bytes);
    const view = new DataView(record.buffer);
    view.setUint8(0, Opcode.METADATA);
    view.setBigUint64(1, BigInt(bytes), true);
    return record;
  };
  const chunkOf = (records: Uint8Array, compression: 'lz4' | '') => {
    const builder = new McapRecordBuilder();
    builder.writeChunk({
      ...{ messageStartTime: 0n, messageEndTime: 0n, uncompressedCrc: 0, compression },
      uncompressedSize: BigInt(records.length),
      records: compression === '' ? records : compressLz4(records),
    });
    return builder.buffer;
  };
  const long = metadata(4 * 2 ** 20 + 1);
  for (const record of [long, chunkOf(long, 'lz4'), chunkOf(long, '')]) {
    const file = Buffer.concat([recorded(1).subarray(0, 8), record]);
    expect(() => messagesIn(file)).toThrow('expected a record of up to 4194304 bytes, got 4194305');
  }
});

test.each([0, 3, 6])('random changes of a file end in an error or in messages (%i)', (bit) => {
  const whole = recorded(2);
  for (let at = 8; at < whole.length; at += 97) {
    const changed = whole.slice();
    changed[at] = (changed[at] ?? 0) ^ (1 << bit);
    try {
      messagesIn(changed);
    } catch (error) {
      expect(error).toHaveProperty('name', 'McapError');
    }
  }
});

test('senders without number get no channels without number, and those before them keep their own', () => {
  const file = new WrittenFile();
  const recording = new ScannerRecording(file.write, { library: 'azimuth' });
  const [one] = recordedTelegrams(1);
  if (one === undefined) throw new Error('no telegram');
  for (let port = 1; port <= 1100; port++)
    recording.add({ ...one, telegram: undefined, from: `127.0.0.1:${port}` });
  recording.add({ ...one, telegram: undefined, from: '127.0.0.1:7' });
  recording.end();
  const froms = messagesIn(file.bytes).map(({ metadata }) => metadata.get('from'));
  expect(new Set(froms).size).toBe(1025);
  expect([froms[6], froms[1099], froms[1100]]).toEqual(['127.0.0.1:7', undefined, '127.0.0.1:7']);
});

test('a second scanner has topics and a frame of its own', () => {
  const file = new WrittenFile();
  const recording = new ScannerRecording(file.write, { library: 'azimuth' });
  for (const one of recordedTelegrams(3)) {
    recording.add(one);
    if (one.telegram?.kind !== 'scan') continue;
    const [module] = one.telegram.telegram.modules;
    if (module === undefined) continue;
    const telegram = { ...one.telegram.telegram, modules: [{ ...module, sender: 8 }] };
    recording.add({ ...one, from: '192.168.0.2:2115', telegram: { ...one.telegram, telegram } });
  }
  recording.end();
  const scans = messagesIn(file.bytes).filter(({ topic }) => topic.endsWith('/scan/all_points_echo0'));
  expect(new Set(scans.map(({ topic, data }) => `${topic} ${decodeLaserScan(data).frameId}`))).toEqual(
    new Set(['/scan/all_points_echo0 picoScan_', '/scanner_8/scan/all_points_echo0 picoScan_8']),
  );
});
