import { endianness } from 'node:os';
import { echoesPerBeam, type Motion, type Scan } from '@azimuth/device';
import {
  coreMessage,
  helloAt,
  magic,
  mostBeams,
  mostNameBytes,
  mostRefusalBytes,
  mostStatusBytes,
  motionAt,
  orderAt,
  orderNumberAt,
  pingAt,
  pongAt,
  refusalAt,
  scannerMessage,
  segmentAt,
  segmentLayout,
  statusAt,
} from './layout.js';
import { type CoreMessage, type Hello, ProtocolError, type ScannerMessage } from './messages.js';

/**
 * Decodes a message of a core.
 * @param bytes a complete message, whose length agrees with its header
 * @throws ProtocolError
 */
export function decodeCoreMessage(bytes: Buffer): CoreMessage {
  const type = bytes.readUInt16LE(4);
  switch (type) {
    case coreMessage.segment:
      return segmentIn(bytes);
    case coreMessage.pong:
      expectLength('pong', bytes, pongAt.bytes);
      return {
        kind: 'pong',
        token: bytes.readBigUInt64LE(pongAt.token),
        time: bytes.readBigUInt64LE(pongAt.time),
      };
    case coreMessage.motion:
      expectLength('motion', bytes, motionAt.bytes);
      return { kind: 'motion', motion: motionIn(bytes) };
    case coreMessage.status:
      expectText('status', bytes, statusAt.text, mostStatusBytes);
      return {
        kind: 'status',
        isError: bytes[statusAt.error] !== 0,
        text: bytes.toString('utf8', statusAt.text),
      };
    case coreMessage.started:
      expectLength('started', bytes, orderNumberAt.bytes);
      return { kind: 'started', order: bytes.readUInt32LE(orderNumberAt.order) };
    case coreMessage.hello:
      return { kind: 'hello', ...helloIn(bytes) };
    default:
      throw new ProtocolError(`a message of the unknown type ${type}`);
  }
}

/**
 * Decodes a message of the scanner, for cores in TypeScript and for tests.
 * @throws ProtocolError
 */
export function decodeScannerMessage(bytes: Buffer): ScannerMessage {
  const type = bytes.readUInt16LE(4);
  switch (type) {
    case scannerMessage.hello:
      return { kind: 'hello', ...helloIn(bytes) };
    case scannerMessage.order:
      return orderIn(bytes);
    case scannerMessage.stop:
      expectLength('stop', bytes, orderNumberAt.bytes);
      return { kind: 'stop', order: bytes.readUInt32LE(orderNumberAt.order) };
    case scannerMessage.ping:
      expectLength('ping', bytes, pingAt.bytes);
      return { kind: 'ping', token: bytes.readBigUInt64LE(pingAt.token) };
    case scannerMessage.refusal:
      expectText('refusal', bytes, refusalAt.text, mostRefusalBytes);
      return { kind: 'refusal', text: bytes.toString('utf8', refusalAt.text) };
    default:
      throw new ProtocolError(`a message of the unknown type ${type}`);
  }
}

function helloIn(bytes: Buffer): Hello {
  expectText('hello', bytes, helloAt.name, mostNameBytes);
  if (bytes.readUInt32LE(helloAt.magic) !== magic) throw new ProtocolError('a hello without AZCO');
  return {
    version: bytes.readUInt16LE(helloAt.version),
    capabilities: bytes.readUInt32LE(helloAt.capabilities),
    name: bytes.toString('utf8', helloAt.name),
  };
}

function orderIn(bytes: Buffer): ScannerMessage {
  expectLength('order', bytes, orderAt.bytes);
  const sensitivity = bytes.readUInt8(orderAt.sensitivity);
  if (sensitivity !== 0 && sensitivity !== 1 && sensitivity !== 2)
    throw new ProtocolError(`an order with the sensitivity ${sensitivity}`);
  return {
    kind: 'order',
    order: bytes.readUInt32LE(orderAt.order),
    geometry: {
      frequency: bytes.readDoubleLE(orderAt.frequency),
      firstAngle: bytes.readDoubleLE(orderAt.firstAngle),
      step: bytes.readDoubleLE(orderAt.step),
      beams: bytes.readUInt32LE(orderAt.beams),
      beamsPerSegment: bytes.readUInt32LE(orderAt.beamsPerSegment),
    },
    sensitivity,
    longRange: bytes.readUInt8(orderAt.longRange) !== 0,
    origin: {
      number: bytes.readUInt32LE(orderAt.originNumber),
      time: bytes.readBigInt64LE(orderAt.originTime),
    },
  };
}

function segmentIn(bytes: Buffer): CoreMessage {
  if (bytes.length < segmentAt.distances)
    throw new ProtocolError(`a segment of ${bytes.length} bytes; expected at least ${segmentAt.distances}`);
  const first = bytes.readUInt32LE(segmentAt.first);
  const count = bytes.readUInt32LE(segmentAt.count);
  if (count === 0 || first + count > mostBeams)
    throw new ProtocolError(`a segment of the beams ${first} to ${first + count - 1}`);
  expectLength(`segment of ${count} beams`, bytes, segmentLayout(count).bytes);
  return {
    kind: 'segment',
    order: bytes.readUInt32LE(segmentAt.order),
    scan: bytes.readUInt32LE(segmentAt.scan),
    time: bytes.readBigUInt64LE(segmentAt.time),
    first,
    count,
    bytes,
  };
}

function motionIn(bytes: Buffer): Motion {
  const at = (from: number, place: number) => bytes.readFloatLE(from + 4 * place);
  const vector = (from: number) => [at(from, 0), at(from, 1), at(from, 2)] as const;
  return {
    acceleration: vector(motionAt.acceleration),
    angularVelocity: vector(motionAt.angularVelocity),
    orientation: [...vector(motionAt.orientation), at(motionAt.orientation, 3)],
  };
}

const isBigEndian = endianness() === 'BE';
/** Bits of flags that mean something. */
const knownFlags = 3;

/** Copies the echoes of a segment to their places in a scan. */
export function copyEchoes(
  { bytes, first, count }: { readonly bytes: Buffer; readonly first: number; readonly count: number },
  { distance, rssi, flags }: Scan,
): void {
  const layout = segmentLayout(count);
  const place = first * echoesPerBeam;
  const echoes = count * echoesPerBeam;
  const distances = bytesOf(distance, place, echoes);
  bytes.copy(distances, 0, segmentAt.distances, layout.rssi);
  const strengths = bytesOf(rssi, place, echoes);
  bytes.copy(strengths, 0, layout.rssi, layout.flags);
  if (isBigEndian) {
    distances.swap32();
    strengths.swap16();
  }
  for (let echo = 0; echo < echoes; echo++)
    flags[place + echo] = (bytes[layout.flags + echo] ?? 0) & knownFlags;
}

/** The bytes of some elements of an array. */
function bytesOf(array: Float32Array | Uint16Array, from: number, count: number): Buffer {
  const { buffer, byteOffset, BYTES_PER_ELEMENT: size } = array;
  return Buffer.from(buffer, byteOffset + from * size, count * size);
}

function expectLength(name: string, { length }: Buffer, expected: number): void {
  if (length !== expected) throw new ProtocolError(`a ${name} of ${length} bytes; expected ${expected}`);
}

function expectText(name: string, { length }: Buffer, from: number, most: number): void {
  if (length < from || length > from + most)
    throw new ProtocolError(`a ${name} of ${length} bytes; expected ${from} to ${from + most}`);
}
