import { execFile } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { defaultPorts, dissector } from '@azimuth/bridge/wireshark';
import { allVariables, ScanDataFormat } from '@azimuth/model';
import { decodeTelegram, encodeCompactScan, encodeMsgpackScan } from '@azimuth/telegrams';
import {
  encodeChange,
  encodeSearchRequest,
  everyScanner,
  SearchTelegram,
} from '@azimuth/telegrams/device-search';
import {
  commandText,
  frameBinary,
  frameText,
  LegacySplitter,
  type LmdScan,
  parseCommand,
} from '@azimuth/telegrams/legacy';
import { CaptureFile, type Segment } from '@azimuth/test-support/capture-file';
import * as compact from '@azimuth/test-support/golden/compact';
import { bytesOf } from '@azimuth/test-support/golden/hex';
import { binaryFrames, textFrames, textLines } from '@azimuth/test-support/golden/legacy';
import * as lmd from '@azimuth/test-support/golden/lmdscandata';
import { SeededRandom } from '@azimuth/test-support/seeded-random';
import { startScanner, type TestScanner } from '@azimuth/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { legacyValues, lmdValues, type ShownValues, valuesOf } from './wireshark-values.js';

/** What tshark shows of a packet: the values of fields, by their names without `azimuth.`. */
type Packet = ReadonlyMap<string, readonly string[]>;

const shownFields = [
  ...['compact', 'msgpack'].flatMap((format) =>
    ['sequence', 'transmit_time', 'segment_index', 'frame_number', 'sender', 'echoes'].map(
      (field) => `${format}.${field}`,
    ),
  ),
  ...['compact', 'msgpack'].flatMap((format) =>
    ['first_beam_time', 'last_beam_time', 'first_azimuth', 'last_azimuth', 'distance', 'rssi'].map(
      (field) => `${format}.${field}`,
    ),
  ),
  ...['compact.version', 'compact.columns', 'compact.azimuth', 'compact.properties', 'msgpack.beams'],
  ...['imu.acceleration_x', 'imu.acceleration_z', 'imu.angular_velocity_y', 'imu.orientation_w', 'imu.time'],
  ...['encoder.sequence', 'encoder.frame_number', 'encoder.ticks', 'encoder.references_2', 'encoder.speed'],
  ...['encoder.time', 'encoder.reference_times_1'],
  ...['cola.command', 'cola.name', 'cola.error', 'cola.integer', 'cola.float', 'cola.boolean', 'cola.text'],
  ...['cola.address', 'lmd.telegram_counter', 'lmd.scan_counter', 'lmd.scan_time', 'lmd.scan_frequency'],
  ...['lmd.serial_number', 'lmd.channel.content', 'lmd.channel.start_angle', 'lmd.distance', 'lmd.rssi'],
  ...['lmd.layer_angle', 'lmd.encoder.ticks', 'lmd.position.rotation_y', 'lmd.time.microsecond'],
  ...['lmd.event.type', 'search.telegram', 'search.mac_address', 'search.serial_number', 'search.tag'],
  ...['search.tool_mask', 'search.gateway', 'search.item'],
];
const otherFields = ['frame.number', '_ws.expert.message', '_ws.lua.error'];

/** Separates the values of a field. No value has it. */
const between = '\u001f';

/** Dissects a capture. Returns its packets by their number, the first is 1. */
async function dissected(capture: CaptureFile, folder: string): Promise<ReadonlyMap<number, Packet>> {
  const file = join(folder, 'packets.pcap');
  const script = join(folder, 'azimuth.lua');
  capture.write(file);
  writeFileSync(script, dissector());
  const names = [...otherFields, ...shownFields.map((name) => `azimuth.${name}`)];
  const options = ['-X', `lua_script:${script}`, '-r', file, '-T', 'fields', '-E', `aggregator=${between}`];
  for (const name of names) options.push('-e', name);
  const { stdout, stderr } = await promisify(execFile)('tshark', options, {
    maxBuffer: 2 ** 28,
    env: { ...process.env, WIRESHARK_CONFIG_DIR: folder },
  });
  // The dissector prints nothing. As root, tshark warns that it runs as root.
  expect(stderr.split('\n').filter((line) => line !== '' && !line.startsWith('Running as user'))).toEqual([]);
  const lines = stdout.split('\n').filter((line) => line !== '');
  return new Map(lines.map((line) => packetOf(line.split('\t'), names)));
}

function packetOf(columns: readonly string[], names: readonly string[]): readonly [number, Packet] {
  const packet = new Map<string, readonly string[]>();
  for (const [index, name] of names.entries()) {
    const column = columns[index] ?? '';
    if (column !== '') packet.set(name.replace(/^azimuth\./, ''), column.split(between));
  }
  return [Number(columns[0]), packet];
}

/** A port that no protocol has. */
const otherPort = 45_678;

/** A packet of a right telegram, with the values that tshark must show. */
interface Right {
  readonly what: string;
  readonly frame: number;
  readonly values: ShownValues;
}

const capture = new CaptureFile();
const right: Right[] = [];
/** Right telegrams, of which the hostile ones are made, with the port of their packets. */
const samples: { readonly bytes: Uint8Array; readonly port: number; readonly isStream: boolean }[] = [];
let hostileFrames: readonly number[] = [];
let packets: ReadonlyMap<number, Packet> = new Map();
let folder = '';
let scanner: TestScanner;

const [scanPort, imuPort, encoderPort, searchPort] = defaultPorts.udp;
const [textPort, binaryPort, streamPort] = defaultPorts.tcp;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'azimuth-wireshark-'));
  addGoldenTelegrams();
  scanner = await startScanner({ search: true });
  await addOurStreams();
  await addOurSessions();
  await addOurSearch();
  hostileFrames = addHostilePackets();
  packets = await dissected(capture, folder);
}, 60_000);

afterAll(async () => {
  await scanner.close();

  rmSync(folder, { recursive: true });
});

/** Complaints about right telegrams: an unknown name, and a state of inputs of another family of devices. */
const expectedComplaints: ReadonlySet<string> = new Set([
  'sRN nothing: No variable, method or event of this name',
  'sRA LIDinputstate: eIOState: a value is expected, got the end',
]);

test('shows every right telegram with the values of our decoders, and complains about none', () => {
  const wrong = right.flatMap(({ what, frame, values }) => {
    const packet = packets.get(frame) ?? new Map<string, readonly string[]>();
    const complaints = (packet.get('_ws.expert.message') ?? []).filter(
      (text) => !text.startsWith('Error ') && !expectedComplaints.has(`${what}: ${text}`),
    );
    const differing = Object.entries(values).filter(
      ([name, expected]) => !isSame(packet.get(name) ?? [], expected),
    );
    return [
      ...complaints.map((text) => `${what}, packet ${frame}: ${text}`),
      ...differing.map(
        ([name, expected]) =>
          `${what}, packet ${frame}: ${name} is ${packet.get(name)?.slice(0, 8).join(' ')}, not ${expected.slice(0, 8).join(' ')}`,
      ),
    ];
  });
  expect(wrong.slice(0, 20)).toEqual([]);
  expect(right.length).toBeGreaterThan(100);
  const formats = new Set(
    right.flatMap(({ values }) => Object.keys(values)).map((name) => name.split('.')[0]),
  );
  expect([...formats].sort()).toEqual(['cola', 'compact', 'encoder', 'imu', 'lmd', 'msgpack', 'search']);
});

test('reads lying lengths, cut telegrams and random bytes without an error of its own', () => {
  const failed = hostileFrames.flatMap((frame) => {
    const packet = packets.get(frame);
    if (packet === undefined) return [`packet ${frame} is missing`];
    const messages = packet.get('_ws.expert.message') ?? [];
    const isFailed =
      packet.has('_ws.lua.error') || messages.some((text) => /^Lua Error|Exception occurred/.test(text));
    return isFailed ? [`packet ${frame}: ${messages.join('; ')}`] : [];
  });
  expect(failed.slice(0, 20)).toEqual([]);
  expect(hostileFrames.length).toBeGreaterThan(2000);
});

test('complains about telegrams that are damaged', () => {
  const all = hostileFrames.flatMap((frame) => packets.get(frame)?.get('_ws.expert.message') ?? []);
  const found = (start: string) => all.filter((text) => text.startsWith(start)).length;
  expect(found('Wrong CRC')).toBeGreaterThan(50);
  expect(found('Wrong XOR')).toBeGreaterThan(10);
  expect(found('Version 3 or 4 is expected')).toBeGreaterThan(3);
  expect(found('The module')).toBeGreaterThan(10);
  expect(all.filter((text) => /is expected at byte/.test(text)).length).toBeGreaterThan(50);
});

function isSame(shown: readonly string[], expected: readonly (number | string)[]): boolean {
  if (shown.length !== expected.length) return false;
  return expected.every((value, index) => {
    const text = shown[index] ?? '';
    if (typeof value === 'string') return text === value;
    // A float has six digits.
    return Math.abs(Number(text) - value) <= 1e-5 * Math.abs(value);
  });
}

function addRight(what: string, frame: number, values: ShownValues): void {
  right.push({ what, frame, values });
}

function addTelegram(what: string, bytes: Uint8Array, port: number, isSample: boolean): void {
  addRight(what, capture.addDatagram(bytes, port), valuesOf(bytes));
  if (isSample) samples.push({ bytes, port, isStream: false }, { bytes, port: streamPort, isStream: true });
}

function addGoldenTelegrams(): void {
  const { scanBytes, scan3Bytes, fullScan3Bytes, imuBytes, encoderBytes } = compact;
  // The ports of other programs: the first bytes show what it is.
  addTelegram('golden scan', scanBytes, otherPort, true);
  addTelegram('golden scan of version 3', scan3Bytes, otherPort, true);
  addTelegram('golden scan of version 3 with all fields', fullScan3Bytes, otherPort, true);
  addTelegram('golden IMU', imuBytes, otherPort, true);
  addTelegram('golden encoder', encoderBytes, otherPort, true);
  addTelegram('golden scan as MSGPACK', encodeMsgpackScan(compact.scan), otherPort, true);
  const two = { ...compact.scan, modules: [...compact.scan.modules, ...compact.scan.modules] };
  addTelegram('two modules', encodeCompactScan(two), otherPort, true);
  addTelegram('no modules', encodeCompactScan({ ...compact.scan, modules: [] }), otherPort, true);
  for (const [, , , frame] of binaryFrames) addLegacy(bytesOf(frame), binaryPort);
  for (const [, , , frame] of textFrames) addLegacy(bytesOf(frame), textPort);
  for (const [word, name, values] of textLines)
    addLegacy(frameText(commandText(word, name, values)), otherPort);
  addLmd('golden', lmd.threeBeams, frameText(lmd.threeBeamsText), textPort);
  addLmd('golden', lmd.threeBeams, lmd.threeBeamsBinary, binaryPort);
  addLmd('published', lmd.published, lmd.publishedFrame, binaryPort);
  const head = (payload: Uint8Array) => Buffer.concat([Buffer.from('sSN LMDscandata '), payload]);
  addLmd('everything', lmd.everything, frameBinary(head(lmd.everythingBinary)), binaryPort);
  addLmd('everything', lmd.everything, frameText(head(Buffer.from(lmd.everythingText, 'latin1'))), textPort);
}

/** Adds a legacy telegram in a connection of its own, cut in two. */
function addLegacy(bytes: Uint8Array, port: number): void {
  const telegram = new LegacySplitter(2 ** 20).push(bytes)[0];
  if (telegram === undefined) throw new Error(`no telegram: ${Buffer.from(bytes).toString('latin1')}`);
  const command = parseCommand(telegram);
  const cut = Math.ceil(bytes.length / 2);
  const segments = [bytes.subarray(0, cut), bytes.subarray(cut)];
  const frames = capture.addConnection(
    port,
    segments.map((part) => ({ fromServer: true, bytes: part })),
  );
  addRight(`${command?.command} ${command?.name}`, frames.at(-1) ?? 0, legacyValues(telegram));
  if (right.length % 12 === 0) samples.push({ bytes, port, isStream: true });
}

function addLmd(what: string, scan: LmdScan, bytes: Uint8Array, port: number): void {
  const segments = cutUp(bytes, 700).map((part) => ({ fromServer: true, bytes: part }));
  const frames = capture.addConnection(port, segments);
  addRight(`scan data ${what}`, frames.at(-1) ?? 0, lmdValues(scan));
  samples.push({ bytes, port, isStream: true });
}

function cutUp(bytes: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
}

/** Adds what a virtual scanner sends: scans in both formats, IMU and encoder, as datagrams and as one stream. */
async function addOurStreams(): Promise<void> {
  const socket = createSocket('udp4');
  const received: Buffer[] = [];
  socket.on('message', (bytes) => received.push(bytes));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const destination = { Protocol: 1, IPAddress: [127, 0, 0, 1], Port: socket.address().port } as const;
  await scanner.write('ScanDataEthSettings', destination);
  await scanner.write('ImuDataEthSettings', destination);
  await scanner.write('EncoderDataEthSettings', destination);
  await scanner.write('EncSetting', 1);
  await scanner.write('EncoderDataEnable', true);
  await scanner.write('ImuDataEnable', true);
  for (const format of [ScanDataFormat.Compact, ScanDataFormat.MSGPACK]) {
    await scanner.write('ScanDataFormat', format);
    await scanner.write('ScanDataEnable', true);
    await scanner.advance(150);
    await scanner.write('ScanDataEnable', false);
  }
  socket.close();
  for (const bytes of received) {
    const { kind } = decodeTelegram(bytes);
    const port = kind === 'imu' ? imuPort : kind === 'encoder' ? encoderPort : scanPort;
    addTelegram(`our ${kind}`, bytes, port, false);
  }
  const kinds = new Set(received.map((bytes) => decodeTelegram(bytes).kind));
  expect([...kinds].sort()).toEqual(['encoder', 'imu', 'scan']);
  const stream = Buffer.concat(received);
  const frames = capture.addConnection(
    streamPort,
    cutUp(stream, 1448).map((bytes) => ({ fromServer: true, bytes })),
  );
  streamed = { frames, telegrams: received };
}

let streamed: { readonly frames: readonly number[]; readonly telegrams: readonly Uint8Array[] };

test('finds every telegram of a stream that is cut anywhere', () => {
  const shown = (name: string) => streamed.frames.flatMap((frame) => packets.get(frame)?.get(name) ?? []);
  const sent = streamed.telegrams.map(valuesOf);
  for (const name of ['compact.sequence', 'compact.distance', 'msgpack.frame_number', 'imu.time']) {
    const expected = sent.flatMap((values) => values[name] ?? []);
    expect(expected.length, name).toBeGreaterThan(3);
    expect(isSame(shown(name), expected), name).toBe(true);
  }
  expect(shown('_ws.expert.message')).toEqual([]);
});

/** Adds sessions of both legacy interfaces, as a client and a scanner sent them. */
async function addOurSessions(): Promise<void> {
  const { legacyA, legacyB } = scanner.ports;
  const reads = allVariables
    .filter((variable) => scanner.device.served.endpoints.has(variable.name))
    .map(({ name }) => `sRN ${name}`);
  const requests = [
    ...reads,
    'sRN nothing',
    'sRN LFErec',
    'sRN STlms',
    'sRN LMDscandatacfg',
    'sRN LMPoutputRange',
  ];
  const others = ['sMN SetAccessMode', 'sMN Run', 'sRN LMDscandata', 'sMN IsSystemReady'];
  await addSession(legacyA, textPort, [...requests, ...others].map(textRequest));
  await addSession(legacyB, binaryPort, [...requests, ...others].map(binaryRequest));
}

const login = { text: ' 4 81BE23AA', binary: Buffer.from('0481be23aa', 'hex') };
const isLogin = (request: string) => request === 'sMN SetAccessMode';

function textRequest(request: string): Uint8Array {
  return frameText(isLogin(request) ? `${request}${login.text}` : request);
}

function binaryRequest(request: string): Uint8Array {
  const payload = Buffer.from(request);
  return frameBinary(isLogin(request) ? Buffer.concat([payload, Buffer.from(' '), login.binary]) : payload);
}

async function addSession(from: number | null, port: number, requests: readonly Uint8Array[]): Promise<void> {
  const socket = connect(from ?? 0, '127.0.0.1');
  await once(socket, 'connect');
  const segments: Segment[] = [];
  const splitter = new LegacySplitter(2 ** 20);
  for (const request of requests) {
    const answers: Promise<Uint8Array> = new Promise((resolve) => {
      const parts: Buffer[] = [];
      const onData = (part: Buffer) => {
        parts.push(part);
        if (splitter.push(part).length === 0) return;
        socket.off('data', onData);
        resolve(Buffer.concat(parts));
      };
      socket.on('data', onData);
    });
    socket.write(request);
    await scanner.advance(100);
    segments.push({ fromServer: false, bytes: request }, { fromServer: true, bytes: await answers });
  }
  socket.destroy();
  const frames = capture.addConnection(port, segments);
  for (const [index, { bytes }] of segments.entries()) {
    const telegram = new LegacySplitter(2 ** 20).push(bytes)[0];
    if (telegram === undefined) throw new Error('a session has something that is no telegram');
    const text = Buffer.from(telegram.payload.subarray(0, 40)).toString('latin1');
    addRight(text, frames[index] ?? 0, legacyValues(telegram));
    if (bytes.length > 60 && index % 24 === 1) samples.push({ bytes, port, isStream: true });
  }
}

/** Adds requests and responses of the device search, and a change of the address in both forms. */
async function addOurSearch(): Promise<void> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const id = Uint8Array.of(1, 2, 3, 4);
  const tool = Uint8Array.of(192, 168, 0, 2, 255, 255, 255, 0);
  const request = encodeSearchRequest(SearchTelegram.search, everyScanner, id, tool);
  const xmlRequest = Uint8Array.from(request);
  xmlRequest[15] = 2;
  const facts = { address: [10, 0, 0, 2], mask: [255, 0, 0, 0], gateway: [10, 0, 0, 1], dhcp: false };
  const mac = [0, 6, 119, 1, 2, 3];
  const changes = (['tagged', 'xml'] as const).map((form) =>
    encodeSearchRequest(SearchTelegram.change, mac, id, encodeChange(form, mac, facts)),
  );
  const responses: Uint8Array[] = [];
  for (const sent of [request, xmlRequest]) {
    socket.send(sent, scanner.ports.search ?? 0, '127.0.0.1');
    const [response] = await once(socket, 'message');
    responses.push(response);
  }
  socket.close();
  for (const bytes of [request, xmlRequest, ...changes, ...responses]) {
    const kind = `0x${(bytes[0] ?? 0).toString(16).padStart(2, '0')}`;
    const address = Array.from(bytes.subarray(4, 10), (byte) => byte.toString(16).padStart(2, '0')).join(':');
    const frame = capture.addDatagram(bytes, searchPort);
    addRight(`search ${kind}`, frame, { 'search.telegram': [kind], 'search.mac_address': [address] });
    samples.push({ bytes, port: searchPort, isStream: false });
  }
  const serial = { 'search.serial_number': [scanner.read('SerialNumber')] };
  addRight(
    'response of the search',
    capture.addDatagram(responses[0] ?? new Uint8Array(0), searchPort),
    serial,
  );
}

/** Adds packets that no scanner sends, made of right ones. Returns their numbers. */
function addHostilePackets(): readonly number[] {
  const first = capture.frames + 1;
  const random = new SeededRandom('wireshark');
  const add = (bytes: Uint8Array, { port, isStream }: { port: number; isStream: boolean }) => {
    if (!isStream) capture.addDatagram(bytes, port);
    // A right telegram behind a broken one ends what waits for more bytes.
    else
      capture.addConnection(
        port,
        [bytes, compact.imuBytes].map((part) => ({ fromServer: true, bytes: part })),
      );
  };
  for (const sample of samples) {
    const { bytes } = sample;
    const step = Math.max(1, Math.floor(bytes.length / 30));
    for (let length = 1; length < bytes.length; length += step) add(bytes.subarray(0, length), sample);
    // Every number of the first 120 bytes, as if it were a length.
    for (let at = 0; at + 4 <= Math.min(bytes.length, 120); at += 2) {
      const value = random.pick([0, 1, 0xffffffff, 0x7fffffff, 0x01000000, 0x00ffffff]);
      const changed = Buffer.from(bytes);
      changed.writeUInt32LE(value, at);
      add(changed, sample);
    }
    for (let round = 0; round < 10; round++) {
      const changed = Buffer.from(bytes);
      for (let bit = random.below(6); bit >= 0; bit--) {
        const at = random.below(changed.length);
        changed.writeUInt8(changed.readUInt8(at) ^ (1 << random.below(8)), at);
      }
      add(changed, sample);
    }
  }
  for (const { name } of allVariables) {
    // Lengths and numbers of items below 0, and beyond their type.
    for (const values of ['-9 '.repeat(30), '+99999999999999999999 -9 a -9 a'])
      add(frameText(`sRA ${name} ${values}`), { port: textPort, isStream: true });
  }
  for (const kind of [0xcf, 0xd3, 0xcb]) add(strangeKey(kind), { port: scanPort, isStream: false });
  for (let round = 0; round < 100; round++) {
    add(Buffer.concat([Buffer.of(2, 2, 2, 2), random.bytes(random.below(200))]), {
      port: 2115,
      isStream: round % 2 === 0,
    });
  }
  return Array.from({ length: capture.frames - first + 1 }, (_, index) => first + index);
}

/** Returns a telegram in MSGPACK whose only key is the largest number of a kind of eight bytes. */
function strangeKey(kind: number): Uint8Array {
  const payload = Buffer.concat([Buffer.of(0x81, kind), Buffer.alloc(8, 0xff), Buffer.of(0)]);
  const head = Buffer.alloc(8, 2);
  head.writeUInt32LE(payload.length, 4);
  return Buffer.concat([head, payload, Buffer.alloc(4)]);
}
