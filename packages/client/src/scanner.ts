import { cybersecurity, type EventName, isObject, type LoginLevel, type ValueOf } from '@azimuth/model';
import { serialized } from './authentication.js';
import { Calls, type ScannerOptions } from './calls.js';
import { checked } from './envelope.js';
import { NotDoneError, UnreachableError } from './errors.js';
import { type ChangeOptions, ChangeStream, type Changes } from './events/change-stream.js';
import { EventStream, type Events } from './events/event-stream.js';
import type { AnyEvent, EventOptions, ScannerEvent } from './events/message.js';
import type { ChannelContext } from './events/open-channel.js';
import type { Pushed } from './events/push-stream.js';
import type { WaitingClock, WaitLimit } from './reboot.js';
import { rebootLimit, waitOutReboot } from './reboot.js';
import { type ScanOptions, ScanStream, type Scans } from './scans/scan-stream.js';
import { Simulation } from './simulation.js';
import {
  type BackupOptions,
  backup,
  type DiagnoseOptions,
  diagnose,
  type Restored,
  type RestoreOptions,
  restore,
} from './transfers/backup-restore.js';
import type { Download, Source } from './transfers/file-transfer.js';
import { FileTransfers, SessionTokens } from './transfers/file-transfer.js';
import type { RebootContext } from './transfers/job.js';
import { type Updated, type UpdateOptions, update } from './transfers/update.js';

/** The certificates of HTTPS, and its state. */
export interface Certificates {
  readonly https: ValueOf<'httpsStatus'>;
  readonly bundle: ValueOf<'certificateBundleInfo'>;
}

/** PEM texts: certificates, leaf first (up to 10000 characters), and the private key of the leaf (up to 4000). */
export interface CertificateBundle {
  readonly certificates: string;
  readonly privateKey: string;
}

const { setCertificateBundle, removeCertificateBundle } = cybersecurity.members;

/**
 * One scanner, by its REST interface: reads, writes and calls, and operations of several of them.
 * All methods reject with a ClientError: ScannerError for a refusal, NotDoneError and ResultError for an operation
 * that failed, TransferError for a file that was not transferred, UnreachableError if nothing answers, AnswerError if
 * the interface does not allow the response, RateLimitError, PasswordMissingError.
 */
export class Scanner extends Calls {
  /** The simulation of a virtual scanner. */
  readonly simulation: Simulation;
  readonly #tokens: SessionTokens;
  readonly #closing = new AbortController();
  readonly #context: RebootContext;

  /** @throws TypeError if `url` is not the address of a web server. */
  constructor(options: ScannerOptions) {
    super(options);
    const { connection } = this;
    this.simulation = new Simulation(connection);
    this.#tokens = new SessionTokens(this, () => connection.now());
    this.#context = {
      calls: this,
      files: new FileTransfers(connection, this.#tokens),
      clock: this.#clock,
      rebooted: (limit) => this.#rebooted(limit),
    };
  }

  /**
   * Sets the REST password of a level, and uses it from now on if it is the level of this object. The proof is the old
   * password; no login is needed.
   * @throws ResultError if the scanner answers another result than SUCCESS.
   */
  async changePassword(level: LoginLevel, oldPassword: string, newPassword: string): Promise<void> {
    // Few pages change passwords: others do not load the cipher.
    const { changePassword } = await import('./password-change.js');
    await serialized(this.connection.url, async () => {
      await changePassword(this.connection, { user: level, oldPassword, newPassword });
      if (level === this.user && this.password !== undefined) this.password = newPassword;
    });
  }

  /**
   * Waits for the end of a reboot that was just requested: until the scanner is away, and answers again.
   * @throws UnreachableError if it is not back in time, by default within ten minutes
   */
  async rebooted(options: { readonly timeoutMs?: number | undefined } = {}): Promise<void> {
    await this.#rebooted(rebootLimit(this.#clock, options.timeoutMs));
  }

  #rebooted(limit: WaitLimit): Promise<void> {
    const probe = () => this.readAny('DeviceStatus');
    return waitOutReboot({ probe, url: this.url, clock: this.#clock, limit });
  }

  /** The clock of the connection. A pause rejects with an UnreachableError when the client is closed. */
  get #clock(): WaitingClock {
    const { now, pause } = this.connection;
    const { signal } = this.#closing;
    return {
      now,
      pause: async (ms) => {
        await pause(ms, signal);
        if (signal.aborted) throw new UnreachableError(this.url, 'the client was closed', undefined);
      },
    };
  }

  /**
   * Ends all streams: events, changes and scans, also those that connect again. Waits for the scanner reject with an
   * UnreachableError. Requests can still be made; new streams end at once.
   */
  close(): void {
    this.#closing.abort();
  }

  /**
   * Yields values as they change (releases from 2.3.1 on), checked against their types. Arguments are names of events,
   * and options after them. No login is needed.
   */
  events<N extends EventName>(...names: readonly [N, ...N[]]): Events<ScannerEvent<N>>;
  events<N extends EventName>(
    ...namesAndOptions: readonly [N, ...N[], EventOptions]
  ): Events<ScannerEvent<N>>;
  events(...words: readonly (string | EventOptions)[]): Events<AnyEvent> {
    return this.#events(words, (name, json) => {
      const variable = this.description.known.variable(name);
      return variable === undefined ? json : checked(this.url, name, variable.type, json);
    });
  }

  /** Yields values as they change, of events whose names are known at run time only: unchecked JSON. */
  eventsAny(names: readonly string[], options: EventOptions = {}): Events<AnyEvent> {
    return this.#events([...names, options], (_, json) => json);
  }

  /**
   * Yields each change of all variables, or of the named ones. An extension of Azimuth: virtual scanners have it in
   * every release. No login is needed. Current values do not come first. After a reconnection, read all values again:
   * changes in between are lost.
   * It rejects with a NoEventsError if the scanner has no `/x/events`, an EventRefusedError if the scanner does not
   * know a name (in a browser, an UnreachableError), an UnreachableError if nothing answers at first.
   */
  changes(options: ChangeOptions = {}): Pushed<Changes> {
    return new ChangeStream(this.#channels, options);
  }

  /**
   * Yields the scans of the scanner, assembled from `/x/scan`. The data streams do not change them. An extension of
   * Azimuth. No login is needed. Nothing comes while the scanner does not measure.
   * It rejects with a NoScansError if the scanner has no `/x/scan`, an UnreachableError if nothing answers at first,
   * an AnswerError if a message is not a telegram.
   */
  scans(options: ScanOptions = {}): Scans {
    return new ScanStream(this.#channels, options);
  }

  /** Returns a token for file transfers (from release 2.3.1 on). It is cached until shortly before it expires. */
  createSessionToken(): Promise<string> {
    return this.#tokens.token();
  }

  /** Fetches the parameters as a backup file. Needs Service; releases from 2.2.0 on. */
  backup(options: BackupOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
    return backup(this.#context, options);
  }

  /** Restores a backup file. @throws NotDoneError whose outcome is the name of a RestoreResult. */
  restore(file: Uint8Array<ArrayBuffer>, options: RestoreOptions = {}): Promise<Restored> {
    return restore(this.#context, file, options);
  }

  /** Installs firmware, and waits until the scanner is back. @throws NotDoneError if the scanner refuses the file. */
  update(source: Source, options: UpdateOptions = {}): Promise<Updated> {
    return update(this.#context, source, options);
  }

  /** Fetches a new diagnostic archive: a zip. @throws NotDoneError if the scanner makes none. */
  diagnose(options: DiagnoseOptions = {}): Promise<Download> {
    return diagnose(this.#context, options);
  }

  #events(
    words: readonly (string | EventOptions)[],
    decodeData: (name: string, json: unknown) => unknown,
  ): Events<AnyEvent> {
    const names = words.filter((word) => typeof word === 'string');
    const options = words.find((word) => typeof word !== 'string');
    return new EventStream(this.#channels, names, options ?? {}, decodeData);
  }

  get #channels(): ChannelContext {
    const { connection } = this;
    const { url, timeoutMs, pause, reconnectPause, dial } = connection;
    const httpStatusAt = (path: string) => connection.httpStatusAt(path);
    const { signal: closing } = this.#closing;
    return {
      url,
      timeoutMs,
      pause,
      reconnectPause,
      dial,
      closing,
      read: (name) => this.readAny(name),
      httpStatusAt,
    };
  }

  /**
   * Reads the page of metrics in the text format of Prometheus: an extension of Azimuth. No login is needed. Undefined
   * if the scanner has no such page.
   */
  async metrics(): Promise<string | undefined> {
    const { httpStatus, text } = await this.connection.send('/metrics', { method: 'GET' });
    return httpStatus === 200 && isMetricsPage.test(text) ? text : undefined;
  }

  /** Reads the certificates and the state of HTTPS. Releases from 2.1.0 on. */
  async certificates(): Promise<Certificates> {
    return { https: await this.read('httpsStatus'), bundle: await this.read('certificateBundleInfo') };
  }

  /** Sets the certificates of HTTPS. @throws NotDoneError with the reason of the scanner. */
  async setCertificates({ certificates, privateKey }: CertificateBundle): Promise<void> {
    const { name } = setCertificateBundle;
    const request = { contentCertificateBundle: certificates, contentPrivateKey: privateKey };
    requireSuccess(name, await this.callAny(name, request));
  }

  /** Removes the certificates of HTTPS. @throws NotDoneError with the reason of the scanner. */
  async removeCertificates(): Promise<void> {
    const { name } = removeCertificateBundle;
    requireSuccess(name, await this.callAny(name));
  }
}

/** Every scanner states itself in a metric whose name begins with the prefix of its product. */
const isMetricsPage = /^[a-z]\w*_scanner_info\{/m;

function requireSuccess(method: string, response: unknown): void {
  const { success, errorCode } = isObject(response) ? response : {};
  if (success === true) return;
  throw NotDoneError.refused(method, isObject(errorCode) ? String(errorCode.error) : 'success false');
}
