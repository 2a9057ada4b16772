import type { Socket } from 'node:net';
import type { Device } from '@azimuth/device';
import type { Faults } from '@azimuth/device/faults';
import type { Journal } from '@azimuth/device/journal';
import type { LegacyAccess } from '@azimuth/device/legacy';
import { LogWith } from '@azimuth/device/reports';
import { AddressShares, clientOf } from '@azimuth/http';
import { legacyProtocols } from '@azimuth/model';
import { Commands } from './commands.js';
import { LegacyNotes } from './legacy-notes.js';
import { LegacySession } from './legacy-session.js';
import { foreignLogInterval, mostSessions, mostSessionsOfAddress, silentAfter } from './limits.js';
import type { ScanData } from './scan-data/scan-data.js';
import { LegacyScanData } from './scan-data/scan-data.js';
import type { ForeignProtocol } from './session-input.js';
import type { LegacyMetrics } from './session-output.js';

interface Options {
  readonly device: Device;
  readonly metrics: LegacyMetrics;
  readonly scanData?: ScanData;
  readonly faults?: Faults | undefined;
  readonly journal?: Journal | undefined;
}

/** The sessions of the legacy interfaces. */
export class Sessions {
  readonly #device: Device;
  readonly #metrics: LegacyMetrics;
  readonly #faults: Faults | undefined;
  readonly #journal: Journal | undefined;
  readonly #commands: Commands;
  readonly #sessions = new Set<LegacySession>();
  readonly #shares = new AddressShares<LegacySession>();
  readonly access: LegacyAccess;
  #isFull = false;
  /** Time (ms) at which a session that began with another protocol was last logged. */
  #foreignLogged = Number.NEGATIVE_INFINITY;

  constructor({ device, metrics, scanData = new LegacyScanData(device), faults, journal }: Options) {
    this.#faults = faults;
    this.#journal = journal;
    this.#device = device;
    this.#metrics = metrics;
    this.access = device.features.legacyInterfaces.access;
    this.#commands = new Commands({ device, access: this.access, scanData });
  }

  /**
   * Begins a session. If there are too many, or too many of its address, an old session is closed for it, or the new
   * one is closed.
   * @param letter the interface with which the client has connected
   */
  accept(socket: Socket, letter: 'A' | 'B' = 'A'): void {
    if (socket.destroyed) return;
    const client = `${socket.remoteAddress}:${socket.remotePort}`;
    const address = clientOf(socket.remoteAddress);
    if (!this.#makeRoom(address)) {
      this.#reportFull(client);
      socket.destroy();
      return;
    }
    this.#isFull = false;
    const {
      clock,
      hardware,
      errors,
      features: { network },
    } = this.#device;
    const session = new LegacySession(socket, {
      commands: this.#commands,
      clock,
      log: new LogWith(hardware.log, () => ({ client })),
      metrics: this.#metrics,
      contain: (act) => errors.contain('legacy', act, () => socket.destroy()),
      stallTimeout: () => network.active.read(legacyProtocols.members.EtherSessionTimeout),
      foreign: (protocol) => this.#foreign(protocol, client),
      faults: this.#faults,
      notes:
        this.#journal &&
        new LegacyNotes({ journal: this.#journal, commands: this.#commands, interface: letter, client }),
    });
    this.#sessions.add(session);
    this.#shares.add(session, address);
    this.#count();
    socket.once('close', () => this.#forget(session));
  }

  /** Logged, because a browser connects here only if a page makes it: this may be an attack on the scanner. */
  #foreign(protocol: ForeignProtocol, client: string): void {
    this.#metrics.foreign.add(protocol);
    const { clock, hardware } = this.#device;
    if (clock.monotonic() - this.#foreignLogged < foreignLogInterval) return;
    this.#foreignLogged = clock.monotonic();
    hardware.log.warn(
      'Legacy connection closed: it began with HTTP or TLS, so it may come from a web page. None of it was carried out',
      {
        protocol,
        client,
      },
    );
  }

  #makeRoom(address: string): boolean {
    const own = this.#shares.of(address);
    const isCrowd = own.size >= mostSessionsOfAddress;
    if (!isCrowd && this.#sessions.size < mostSessions) return true;
    const closed = this.#silentIn(isCrowd ? own : this.#sessions) ?? this.#oldestOfLargest(address);
    if (closed === undefined) return false;
    closed.close();
    this.#forget(closed);
    return true;
  }

  /**
   * Returns a session at level Run that can be closed: clients that reconnect leave such sessions behind. A session
   * that has never sent a request comes first, then one of the address that has the most, then the one that has been
   * silent longest. A session with a subscription is protected only while data is sent.
   */
  #silentIn(sessions: Iterable<LegacySession>): LegacySession | undefined {
    const now = this.#device.clock.monotonic();
    const [silent] = [...sessions]
      .filter(
        ({ level, follows, lastActive }) => level === 'Run' && (!follows || now - lastActive >= silentAfter),
      )
      .sort(
        (a, b) =>
          Number(a.hasRequested) - Number(b.hasRequested) ||
          this.#shares.countOf(b) - this.#shares.countOf(a) ||
          a.lastActive - b.lastActive,
      );
    return silent;
  }

  /**
   * Returns a session at level Run of an address that has more sessions than the new one's, even if the session is in
   * use.
   */
  #oldestOfLargest(newcomer: string): LegacySession | undefined {
    return [...this.#shares.largest(newcomer)].find(({ level }) => level === 'Run');
  }

  #reportFull(client: string): void {
    if (!this.#isFull) {
      this.#device.hardware.log.warn('Too many legacy sessions; new connections are closed at once', {
        most: mostSessions,
        mostOfAddress: mostSessionsOfAddress,
        client,
      });
    }
    this.#isFull = true;
  }

  #forget(session: LegacySession): void {
    this.#sessions.delete(session);
    this.#shares.delete(session);
    this.#count();
  }

  #count(): void {
    this.#metrics.sessions = this.#sessions.size;
  }
}
