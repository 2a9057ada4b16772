import type { Socket } from 'node:net';
import { type Device, type Faults, LogWith } from '@azimuth/device';
import { LegacyAccess } from '@azimuth/device/legacy';
import { legacyProtocols } from '@azimuth/model';
import { Commands } from './commands.js';
import { LegacySession } from './legacy-session.js';
import { foreignLogInterval, mostSessions } from './limits.js';
import type { ScanData } from './scan-data/scan-data.js';
import { LegacyScanData } from './scan-data/scan-data.js';
import type { ForeignProtocol } from './session-input.js';
import type { LegacyMetrics } from './session-output.js';

interface Options {
  readonly device: Device;
  readonly metrics: LegacyMetrics;
  readonly scanData?: ScanData;
  readonly faults?: Faults | undefined;
}

/** The sessions of the legacy interfaces. */
export class Sessions {
  readonly #device: Device;
  readonly #metrics: LegacyMetrics;
  readonly #faults: Faults | undefined;
  readonly #commands: Commands;
  readonly #sessions = new Set<LegacySession>();
  readonly access: LegacyAccess;
  #isFull = false;
  /** When (ms) a session that began with another protocol was last logged. */
  #foreignLogged = Number.NEGATIVE_INFINITY;

  constructor({ device, metrics, scanData = new LegacyScanData(device), faults }: Options) {
    this.#faults = faults;
    this.#device = device;
    this.#metrics = metrics;
    this.access = new LegacyAccess(device);
    this.#commands = new Commands({ device, access: this.access, scanData });
  }

  /**
   * Begins a session. If there are too many, one that is at level Run without subscriptions is closed for it: clients that
   * reconnect leave such sessions behind. A session that has never sent a request is closed first, then the one that has
   * been silent longest. If there is no such session, the new one is closed.
   */
  take(socket: Socket): void {
    if (socket.destroyed) return;
    const client = `${socket.remoteAddress}:${socket.remotePort}`;
    if (this.#sessions.size >= mostSessions && !this.#closeSilentSession(client)) {
      socket.destroy();
      return;
    }
    this.#isFull = false;
    const { clock, host, network, errors } = this.#device;
    const session = new LegacySession(socket, {
      commands: this.#commands,
      clock,
      log: new LogWith(host.log, () => ({ client })),
      metrics: this.#metrics,
      contain: (act) => errors.contain('legacy', act, () => socket.destroy()),
      stallTimeout: () => network.active.read(legacyProtocols.members.EtherSessionTimeout),
      foreign: (protocol) => this.#foreign(protocol, client),
      faults: this.#faults,
    });
    this.#sessions.add(session);
    this.#count();
    socket.once('close', () => this.#forget(session));
  }

  /** A browser connects here only if a page makes it: this may be an attack on the scanner, so it is logged. */
  #foreign(protocol: ForeignProtocol, client: string): void {
    this.#metrics.foreign.add(protocol);
    const { clock, host } = this.#device;
    if (clock.monotonic() - this.#foreignLogged < foreignLogInterval) return;
    this.#foreignLogged = clock.monotonic();
    host.log.warn(
      'Legacy connection closed: it began with HTTP or TLS, so it may come from a web page. None of it was carried out',
      {
        protocol,
        client,
      },
    );
  }

  #closeSilentSession(client: string): boolean {
    const [silent] = [...this.#sessions]
      .filter(({ level, follows }) => level === 'Run' && !follows)
      .sort((a, b) => Number(a.hasAsked) - Number(b.hasAsked) || a.lastHeard - b.lastHeard);
    if (silent === undefined) {
      if (!this.#isFull) {
        this.#device.host.log.warn('Too many legacy sessions; new connections are closed at once', {
          most: mostSessions,
          client,
        });
      }
      this.#isFull = true;
      return false;
    }
    silent.close();
    this.#forget(silent);
    return true;
  }

  #forget(session: LegacySession): void {
    this.#sessions.delete(session);
    this.#count();
  }

  #count(): void {
    this.#metrics.sessions = this.#sessions.size;
  }
}
