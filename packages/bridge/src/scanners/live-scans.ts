import { NoScansError, type Scanner } from '@azimuth/client';
import { decodeTelegram } from '@azimuth/telegrams';
import type { ReceiveMeans } from './bridged-scanner.js';

/**
 * Receives the live scans of a virtual scanner, which leave its data streams to other programs, until the signal is
 * aborted. False if the scanner has none.
 * @throws ClientError if the connection is lost
 */
export async function receiveLiveScans(
  scanner: Scanner,
  { signal, onOpen, onReceived }: ReceiveMeans,
): Promise<boolean> {
  const from = new URL(scanner.url).host;
  const scans = scanner.scans({
    signal,
    // Frames are made of the telegrams elsewhere.
    buffer: 1,
    reconnect: false,
    onState: (state) => (state === 'lost' ? undefined : onOpen()),
    onTelegram: (bytes) => onReceived({ telegram: decodeTelegram(bytes), time: now(), from, to: '', bytes }),
  });
  try {
    for await (const _ of scans);
    return true;
  } catch (error) {
    if (error instanceof NoScansError) return false;
    throw error;
  }
}

/** µs since 1970, never going back. */
function now(): number {
  return Math.round((performance.timeOrigin + performance.now()) * 1000);
}
