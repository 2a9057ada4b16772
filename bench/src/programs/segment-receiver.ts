// Receives the segments of one stream. It sends its port first, and then, for each message that it gets, the segments
// that have arrived since the last one.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { hostTime, type SegmentTime } from '../streams/segment-times.js';

/** Places in a Compact telegram of type 1. */
const at = { segmentIndex: 32, frameNumber: 40 } as const;

let arrived: SegmentTime[] = [];
const socket = createSocket('udp4', (telegram) => {
  const now = hostTime();
  const index = Number(telegram.readBigUInt64LE(at.segmentIndex));
  const frame = Number(telegram.readBigUInt64LE(at.frameNumber));
  arrived.push({ frame, index, at: now });
});
socket.bind(0, '127.0.0.1');
await once(socket, 'listening');

process.on('message', () => {
  process.send?.(arrived);
  arrived = [];
});
process.on('disconnect', () => process.exit());
process.send?.(socket.address().port);
