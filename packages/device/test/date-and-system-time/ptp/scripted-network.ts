import type { PtpConnection, PtpListener, PtpNetwork, VirtualClock } from '@azimuth/device';
import {
  decodePtp,
  encodePtp,
  type PtpDelayResponse,
  PtpFlag,
  type PtpMessage,
} from '@azimuth/telegrams/ptp';

type Fields = Omit<Extract<PtpMessage, { kind: 'announce' }>, 'kind'>;

/** Messages of a scripted master, with their times. */
export interface Script {
  readonly clock: string;
  readonly address: string;
  readonly priority1?: number;
  readonly clockClass?: number;
  readonly priority2?: number;
  readonly grandmaster?: string;
  readonly stepsRemoved?: number;
  /** ms that its UTC is ahead of the host's when the scanner comes up. */
  ahead?: number;
  /** ppm by which it is faster than the host's clock. */
  readonly drift?: number;
  readonly oneStep?: boolean;
  readonly isUnicast?: boolean;
  /** Log2 of s. */
  readonly announceInterval?: number;
  readonly syncInterval?: number;
  readonly requestInterval?: number;
  /** s that its time scale is ahead of UTC; undefined for UTC itself. */
  utcOffset?: number;
  flags?: number;
  /** ms to the scanner and to the master, for each message. */
  readonly delayToScanner?: () => number;
  readonly back?: () => number;
  /** ns that network devices report as correction, for each message. */
  readonly correction?: () => number;
  /** True if the Follow_Up comes before its Sync. */
  readonly followUpFirst?: boolean;
}

/** A master on virtual time. */
export class ScriptedMaster {
  isSilent = false;
  sendsSync = true;
  responds = true;
  /** Changes each response to Delay_Req. */
  changed: (response: PtpDelayResponse) => PtpDelayResponse = (response) => response;
  /** Requests that reached it. */
  readonly requests: { readonly at: number; readonly to: string | undefined }[] = [];
  #sequence = 0;

  constructor(
    readonly script: Script,
    readonly clock: VirtualClock,
    readonly network: ScriptedNetwork,
  ) {
    this.#repeat(script.announceInterval ?? 1, () => this.#announce());
    this.#repeat(script.syncInterval ?? 0, () => this.#sync());
  }

  /** ms since 1970 UTC by this master. */
  get utc(): number {
    const { ahead = 0, drift = 0 } = this.script;
    return this.clock.utc() + ahead + this.clock.monotonic() * drift * 1e-6;
  }

  announce(fields: Partial<Fields> = {}): void {
    const { script } = this;
    this.send({
      ...this.#header(script.announceInterval ?? 1),
      kind: 'announce',
      time: { seconds: 0, nanoseconds: 0 },
      utcOffset: script.utcOffset ?? 37,
      priority1: script.priority1 ?? 128,
      clockClass: script.clockClass ?? 6,
      clockAccuracy: 0x21,
      variance: 0x4e5d,
      priority2: script.priority2 ?? 128,
      grandmaster: script.grandmaster ?? script.clock,
      stepsRemoved: script.stepsRemoved ?? 0,
      timeSource: 0x20,
      ...fields,
    });
  }

  /** Sends a message now; it comes after `delay` ms. */
  send(message: PtpMessage, delay = 0): void {
    this.network.deliver(encodePtp(message), this.script, delay);
  }

  /** A request of the scanner. */
  receive(bytes: Uint8Array, to: string | undefined): void {
    const request = decodePtp(bytes);
    if (request.kind !== 'delayRequest' || this.isSilent) return;
    this.requests.push({ at: this.clock.monotonic(), to });
    if (!this.responds) return;
    this.clock.after(this.script.back?.() ?? 0, () =>
      this.send(
        this.changed({
          ...this.#header(this.script.requestInterval ?? 0),
          kind: 'delayResponse',
          sequence: request.sequence,
          time: this.#time,
          requester: request.source,
        }),
      ),
    );
  }

  get #time() {
    const { utcOffset = 0 } = this.script;
    const time = this.utc + utcOffset * 1000;
    const seconds = Math.floor(time / 1000);
    const nanoseconds = Math.min(999_999_999, Math.round((time - seconds * 1000) * 1e6));
    return { seconds, nanoseconds };
  }

  #header(logInterval: number) {
    const { script } = this;
    const scale = script.utcOffset === undefined ? 0 : PtpFlag.ptpTimescale | PtpFlag.utcOffsetValid;
    return {
      domain: 0,
      sdoId: 0,
      flags: scale | (script.flags ?? 0),
      correction: 0n,
      source: { clock: script.clock, port: 1 },
      sequence: this.#sequence,
      logInterval,
      tlvs: [],
    };
  }

  #repeat(logInterval: number, act: () => void): void {
    this.clock.after(1000 * 2 ** logInterval, () => {
      act();
      this.#repeat(logInterval, act);
    });
  }

  #announce(): void {
    if (!this.isSilent) this.announce();
  }

  #sync(): void {
    if (this.isSilent || !this.sendsSync) return;
    const { script } = this;
    this.#sequence = (this.#sequence + 1) % 65_536;
    const delay = script.delayToScanner?.() ?? 0;
    const correction = script.correction?.() ?? 0;
    const header = {
      ...this.#header(script.syncInterval ?? 0),
      correction: BigInt(Math.round(correction)) * 65_536n,
    };
    const transit = delay + correction / 1e6;
    if (script.oneStep === true) {
      this.send({ ...header, kind: 'sync', time: this.#time }, transit);
      return;
    }
    const flags = header.flags | PtpFlag.twoStep;
    this.send({ ...header, kind: 'sync', flags, time: { seconds: 0, nanoseconds: 0 } }, transit);
    const { correction: _, ...rest } = header;
    const followUp = { ...rest, correction: 0n, kind: 'followUp', time: this.#time } as const;
    this.send(followUp, script.followUpFirst === true ? 0 : transit + 0.01);
  }
}

/** A network on virtual time. It delivers what masters send, and gives them what the scanner sends. */
export class ScriptedNetwork implements PtpNetwork {
  readonly masters: ScriptedMaster[] = [];
  isOpened = 0;
  isClosed = 0;
  listener: PtpListener | undefined;

  constructor(readonly clock: () => VirtualClock) {}

  open(listener: PtpListener): PtpConnection {
    this.isOpened += 1;
    this.listener = listener;
    listener.opened();
    return {
      sendEvent: (bytes, to) => {
        for (const master of this.masters) {
          if (to === undefined || to === master.script.address) master.receive(bytes, to);
        }
        return this.clock().monotonic();
      },
      close: () => {
        this.isClosed += 1;
        if (this.listener === listener) this.listener = undefined;
      },
    };
  }

  add(script: Script): ScriptedMaster {
    const master = new ScriptedMaster(script, this.clock(), this);
    this.masters.push(master);
    return master;
  }

  deliver(bytes: Uint8Array, { address, isUnicast = false }: Script, delay: number): void {
    this.clock().after(delay, () =>
      this.listener?.received({ bytes, received: this.clock().monotonic(), from: address, isUnicast }),
    );
  }
}
