import type { Scan } from '../scan/scan.js';

/** A function to which cores pass scans. */
type Receiver = (scan: Scan) => void;

/** By receiver: the scan that one of our own cores passes to it. */
const promised = new WeakMap<Receiver, Scan>();
const vouched = new WeakSet<Scan>();

/**
 * States that a core passes a scan to this receiver, each time with only values that a measurement can have, and with no more
 * echoes of a beam than its `mostEchoes`. The scanner does not check them then. Only for cores whose scans code of this
 * project computes. If somebody else receives the scan and passes it on, nobody vouches for it: the values may be others.
 */
export function vouchFor(scan: Scan, receiver: Receiver): void {
  promised.set(receiver, scan);
}

/** Remembers how a scan has come: several cores may share one. */
export function markReceived(scan: Scan, receiver: Receiver): void {
  if (promised.get(receiver) === scan) vouched.add(scan);
  else vouched.delete(scan);
}

/** True if the values of a scan need no check. */
export function isVouchedFor(scan: Scan): boolean {
  return vouched.has(scan);
}
