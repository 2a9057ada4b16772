// A core socket without a scanner: it gives one order at the address that is its argument, and uses no scan. It sends a
// message when it is open. For each message that it gets, it sends the number of scans.

import { CoreSocket } from '@azimuth/core-socket';
import { geometryOf, SystemClock } from '@azimuth/device';
import { performanceProfiles } from '@azimuth/model';

const log = { info() {}, warn() {}, error() {} };
const clock = new SystemClock();
const now = () => clock.monotonic() * 1000;
const socket = await CoreSocket.open({ address: process.argv[2] ?? '', log, clock });
const order = { geometry: geometryOf(performanceProfiles[8]), sensitivity: 1, longRange: false } as const;
try {
  socket.start({ ...order, origin: { number: 1, time: now() }, now, bootedAt: 0, clock }, () => undefined);
} catch {
  // The core gets the order when it connects.
}

process.on('message', () => process.send?.({ scans: socket.status.scans }));
process.on('disconnect', () => {
  socket.close();
  process.exit();
});
process.send?.('open');
