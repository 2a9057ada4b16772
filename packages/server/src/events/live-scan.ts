import type { Device } from '@azimuth/device';
import type { OutputSegment } from '@azimuth/device/network-interface';
import { compactOfScan, ScanTelegrams } from '../streams/telegram-encoders.js';
import type { ClientConnection } from './client-connection.js';
import type { LiveScanCounts } from './event-metrics.js';

/**
 * Live scans over WebSockets: a binary message is one Compact telegram of type 1, a segment of a scan after all
 * filters, with signal strengths and properties. Parameters of the data streams have no effect. Each segment is encoded
 * once for all clients. Telegrams are numbered for all clients together, from the first client on: a client that was
 * too slow sees a gap.
 */
export class LiveScans {
  readonly #device: Device;
  readonly #telegrams: ScanTelegrams;
  readonly #counts: LiveScanCounts;
  readonly #watchers = new Set<ScanWatcher>();
  #sequence = 0;
  #buffer = new Uint8Array(0);
  #stop: (() => void) | undefined;

  constructor(device: Device, counts: LiveScanCounts) {
    this.#device = device;
    this.#telegrams = new ScanTelegrams(device, compactOfScan);
    this.#counts = counts;
  }

  /** Sends scans to a client until its connection is closed. Without clients, nothing is computed. */
  watch(connection: ClientConnection): void {
    const watcher = new ScanWatcher(connection, this.#counts);
    this.#watchers.add(watcher);
    connection.socket.once('close', () => this.#remove(watcher));
    // Messages of the client are read and dropped.
    connection.onMessage(() => undefined);
    this.#stop ??= this.#device.features.measuring.watch({ segment: (segment) => this.#send(segment) });
  }

  #remove(watcher: ScanWatcher): void {
    this.#watchers.delete(watcher);
    if (this.#watchers.size > 0) return;
    this.#stop?.();
    this.#stop = undefined;
  }

  #send(segment: OutputSegment): void {
    this.#sequence += 1;
    const receivers = [...this.#watchers].filter((watcher) => watcher.accepts(segment));
    if (receivers.length === 0) return;
    const telegram = this.#encoded(segment);
    for (const { connection } of receivers) connection.send(telegram);
  }

  /** Returns bytes that are never overwritten: they may wait for slow clients. */
  #encoded(segment: OutputSegment): Buffer {
    const most = this.#telegrams.mostBytes(segment);
    if (this.#buffer.length < most) this.#buffer = new Uint8Array(most);
    return Buffer.from(this.#telegrams.encode(segment, this.#sequence, this.#buffer));
  }
}

/** Client of live scans. It gets complete scans: if it is too slow, it misses some. */
class ScanWatcher {
  readonly connection: ClientConnection;
  readonly #counts: LiveScanCounts;
  #acceptsFrame = false;

  constructor(connection: ClientConnection, counts: LiveScanCounts) {
    this.connection = connection;
    this.#counts = counts;
  }

  /** Returns true if the client gets this segment. That is decided at the first segment of a scan. */
  accepts({ index }: OutputSegment): boolean {
    if (index === 0) {
      this.#acceptsFrame = !this.connection.isFull;
      this.#counts[this.#acceptsFrame ? 'sent' : 'discarded']++;
    }
    return this.#acceptsFrame;
  }
}
