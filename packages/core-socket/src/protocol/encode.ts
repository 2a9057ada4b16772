import type { Motion, ScanGeometry } from '@azimuth/device';
import {
  coreMessage,
  headerBytes,
  helloAt,
  magic,
  mostNameBytes,
  mostRefusalBytes,
  mostStatusBytes,
  motionAt,
  orderAt,
  orderNumberAt,
  pingAt,
  pongAt,
  protocolVersion,
  refusalAt,
  scannerMessage,
  segmentAt,
  segmentLayout,
  statusAt,
} from './layout.js';
import type { Hello, Order, Segment, Status } from './messages.js';

const helloType = { scanner: scannerMessage.hello, core: coreMessage.hello } as const;

export function encodeHello(from: 'scanner' | 'core', { version, capabilities, name }: Hello): Uint8Array {
  const text = textBytes(name, mostNameBytes);
  const { view, bytes } = message(helloType[from], helloAt.name + text.length);
  view.setUint32(helloAt.magic, magic, true);
  view.setUint16(helloAt.version, version, true);
  view.setUint32(helloAt.capabilities, capabilities, true);
  bytes.set(text, helloAt.name);
  return bytes;
}

/** The scanner's `hello`. */
export function encodeScannerHello(name: string): Uint8Array {
  return encodeHello('scanner', { version: protocolVersion, capabilities: 0, name });
}

export function encodeOrder(order: Order): Uint8Array {
  const { view, bytes } = message(scannerMessage.order, orderAt.bytes);
  const { beams, beamsPerSegment, frequency, firstAngle, step }: ScanGeometry = order.geometry;
  view.setUint32(orderAt.order, order.order, true);
  view.setUint8(orderAt.sensitivity, order.sensitivity);
  view.setUint8(orderAt.longRange, order.longRange ? 1 : 0);
  view.setUint32(orderAt.beams, beams, true);
  view.setUint32(orderAt.beamsPerSegment, beamsPerSegment, true);
  view.setFloat64(orderAt.frequency, frequency, true);
  view.setFloat64(orderAt.firstAngle, firstAngle, true);
  view.setFloat64(orderAt.step, step, true);
  view.setBigInt64(orderAt.originTime, order.origin.time, true);
  view.setUint32(orderAt.originNumber, order.origin.number, true);
  return bytes;
}

export function encodeStop(order: number): Uint8Array {
  return orderNumberMessage(scannerMessage.stop, order);
}

export function encodePing(token: bigint): Uint8Array {
  const { view, bytes } = message(scannerMessage.ping, pingAt.bytes);
  view.setBigUint64(pingAt.token, token, true);
  return bytes;
}

export function encodeRefusal(reason: string): Uint8Array {
  const text = textBytes(reason, mostRefusalBytes);
  const { bytes } = message(scannerMessage.refusal, refusalAt.text + text.length);
  bytes.set(text, refusalAt.text);
  return bytes;
}

export function encodeStarted(order: number): Uint8Array {
  return orderNumberMessage(coreMessage.started, order);
}

/** @throws RangeError for arrays without three places for each beam */
export function encodeSegment({
  order,
  scan,
  time,
  first,
  count,
  distance,
  rssi,
  flags,
}: Segment): Uint8Array {
  const layout = segmentLayout(count);
  const { view, bytes } = message(coreMessage.segment, layout.bytes);
  view.setUint32(segmentAt.order, order, true);
  view.setUint32(segmentAt.scan, scan, true);
  view.setBigUint64(segmentAt.time, time, true);
  view.setUint32(segmentAt.first, first, true);
  view.setUint32(segmentAt.count, count, true);
  for (const [echo, value] of distance.entries())
    view.setFloat32(segmentAt.distances + 4 * echo, value, true);
  for (const [echo, value] of rssi.entries()) view.setUint16(layout.rssi + 2 * echo, value, true);
  bytes.set(flags, layout.flags);
  return bytes;
}

export function encodeMotion({ acceleration, angularVelocity, orientation }: Motion): Uint8Array {
  const { view, bytes } = message(coreMessage.motion, motionAt.bytes);
  const numbers = [...acceleration, ...angularVelocity, ...orientation];
  for (const [at, value] of numbers.entries()) view.setFloat32(motionAt.acceleration + 4 * at, value, true);
  return bytes;
}

export function encodeStatus({ isError, text }: Status): Uint8Array {
  const encoded = textBytes(text, mostStatusBytes);
  const { view, bytes } = message(coreMessage.status, statusAt.text + encoded.length);
  view.setUint8(statusAt.error, isError ? 1 : 0);
  bytes.set(encoded, statusAt.text);
  return bytes;
}

export function encodePong(token: bigint, time: bigint): Uint8Array {
  const { view, bytes } = message(coreMessage.pong, pongAt.bytes);
  view.setBigUint64(pongAt.token, token, true);
  view.setBigUint64(pongAt.time, time, true);
  return bytes;
}

function orderNumberMessage(type: number, order: number): Uint8Array {
  const { view, bytes } = message(type, orderNumberAt.bytes);
  view.setUint32(orderNumberAt.order, order, true);
  return bytes;
}

function message(type: number, length: number) {
  const bytes = new Uint8Array(Math.max(headerBytes, length));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, length, true);
  view.setUint16(4, type, true);
  return { view, bytes };
}

/** UTF-8, without a character that is cut in two. */
function textBytes(text: string, most: number): Uint8Array {
  const bytes = new Uint8Array(most);
  return bytes.subarray(0, new TextEncoder().encodeInto(text, bytes).written);
}
