import { cybersecurity, type EventName, isObject, type LoginLevel, type ValueOf } from '@azimuth/model';
import { checked } from './answer.js';
import { serialized } from './authentication.js';
import { Calls, type ScannerOptions } from './calls.js';
import { variableNamed } from './endpoint.js';
import { NotDoneError, UnreachableError } from './errors.js';
import { type ChangeOptions, ChangeStream, type Changes } from './events/change-stream.js';
import { EventStream, type Events } from './events/event-stream.js';
import type { AnyEvent, EventOptions, ScannerEvent } from './events/message.js';
import type { ChannelContext } from './events/open-channel.js';
import type { Pushed } from './events/push-stream.js';
import { changePassword } from './password-change.js';
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

/** What HTTPS uses, and whether it is up. */
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
 * One scanner, by its REST interface: reads, writes and calls, and what takes several of them.
 *
 * Everything rejects with a ClientError: ScannerError for a refusal, NotDoneError and ResultError for an act that was
 * not done, TransferError for a file that was not transferred, UnreachableError if nothing answers, AnswerError
 * if the answer is not what the interface says, RateLimitError, PasswordMissingError.
 */
export class Scanner extends Calls {
  /** The surroundings of a virtual scanner. */
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
   * Sets the REST password of a level, and remembers it if it is this scanner's own. The proof is the old
   * password; no login is needed.
   * @throws ResultError if the scanner answers another result than SUCCESS.
   */
  async changePassword(level: LoginLevel, oldPassword: string, newPassword: string): Promise<void> {
    await serialized(this.connection.url, async () => {
      await changePassword(this.connection, { user: level, oldPassword, newPassword });
      if (level === this.user && this.password !== undefined) this.password = newPassword;
    });
  }

  /**
   * Waits out a reboot that was just asked for: until the scanner has gone away and answers again.
   * @throws UnreachableError if it is not back in time, by default within ten minutes
   */
  async rebooted(options: { readonly timeoutMs?: number | undefined } = {}): Promise<void> {
    await this.#rebooted(rebootLimit(this.#clock, options.timeoutMs));
  }

  #rebooted(limit: WaitLimit): Promise<void> {
    const ask = () => this.readAny('DeviceStatus');
    return waitOutReboot({ ask, url: this.url, clock: this.#clock, limit });
  }

  /** That of the connection; a client that is closed waits no longer. */
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
   * Ends all that goes on by itself: events, changes and scans, also those that connect again; waits for the scanner reject with
   * an UnreachableError. Requests can still be made; new streams end at once.
   */
  close(): void {
    this.#closing.abort();
  }

  /**
   * Values as they change (releases from 2.3.1 on), checked against their types: names of events, and options behind
   * them. No login is needed.
   */
  events<N extends EventName>(...names: readonly [N, ...N[]]): Events<ScannerEvent<N>>;
  events<N extends EventName>(
    ...namesAndOptions: readonly [N, ...N[], EventOptions]
  ): Events<ScannerEvent<N>>;
  events(...words: readonly (string | EventOptions)[]): Events<AnyEvent> {
    return this.#events(words, (name, json) => {
      const variable = variableNamed(name);
      return variable === undefined ? json : checked(this.url, name, variable.type, json);
    });
  }

  /** Values as they change, of events whose names are known at run time only: unchecked JSON. */
  eventsAny(names: readonly string[], options: EventOptions = {}): Events<AnyEvent> {
    return this.#events([...names, options], (_, json) => json);
  }

  /**
   * Every change of every variable, or of those that are named, as virtual scanners report it in every release: an
   * extension of Azimuth. No login is needed. Current values do not come first. After a reconnection, read again what
   * may have changed meanwhile.
   *
   * It rejects with a NoEventsError if the scanner has no `/x/events`, an EventRefusedError if a name is unknown to it
   * (in a browser, an UnreachableError), an UnreachableError if nothing answers at first.
   */
  changes(options: ChangeOptions = {}): Pushed<Changes> {
    return new ChangeStream(this.#channels, options);
  }

  /**
   * The scans that the scanner puts out, whatever its data streams send, put together from `/x/scan`: an extension of
   * Azimuth. No login is needed. Nothing comes while it does not measure.
   *
   * It rejects with a NoScansError if the scanner has no `/x/scan`, an UnreachableError if nothing answers at first, an
   * AnswerError if a message is no telegram.
   */
  scans(options: ScanOptions = {}): Scans {
    return new ScanStream(this.#channels, options);
  }

  /** A token for file transfers (from release 2.3.1 on): kept and returned again until shortly before it expires. */
  createSessionToken(): Promise<string> {
    return this.#tokens.token();
  }

  /** The parameters as a backup file. Needs Service; releases from 2.2.0 on. */
  backup(options: BackupOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
    return backup(this.#context, options);
  }

  /** Restores a backup file. @throws NotDoneError whose outcome is the name of a RestoreResult. */
  restore(file: Uint8Array<ArrayBuffer>, options: RestoreOptions = {}): Promise<Restored> {
    return restore(this.#context, file, options);
  }

  /** Installs firmware, and waits until the scanner is back. @throws NotDoneError if it does not take the file. */
  update(source: Source, options: UpdateOptions = {}): Promise<Updated> {
    return update(this.#context, source, options);
  }

  /** A new diagnostic archive: a zip. @throws NotDoneError if the scanner makes none. */
  diagnose(options: DiagnoseOptions = {}): Promise<Download> {
    return diagnose(this.#context, options);
  }

  #events(
    words: readonly (string | EventOptions)[],
    dataOf: (name: string, json: unknown) => unknown,
  ): Events<AnyEvent> {
    const names = words.filter((word) => typeof word === 'string');
    const options = words.find((word) => typeof word !== 'string');
    return new EventStream(this.#channels, names, options ?? {}, dataOf);
  }

  get #channels(): ChannelContext {
    const { connection } = this;
    const { url, timeoutMs, pause, reconnectPause } = connection;
    const httpStatusAt = (path: string) => connection.httpStatusAt(path);
    const { signal: closing } = this.#closing;
    return {
      url,
      timeoutMs,
      pause,
      reconnectPause,
      closing,
      read: (name) => this.readAny(name),
      httpStatusAt,
    };
  }

  /**
   * The page of metrics in the text format of Prometheus: an extension of Azimuth. No login is needed. Undefined if the
   * scanner has no such page.
   */
  async metrics(): Promise<string | undefined> {
    const { httpStatus, text } = await this.connection.send('/metrics', { method: 'GET' });
    return httpStatus === 200 && text.includes('azimuth_scanner_info') ? text : undefined;
  }

  /** The certificates of HTTPS, and whether it is up. Releases from 2.1.0 on. */
  async certificates(): Promise<Certificates> {
    return { https: await this.read('httpsStatus'), bundle: await this.read('certificateBundleInfo') };
  }

  /** Gives HTTPS its certificates. @throws NotDoneError with what the scanner finds wrong. */
  async setCertificates({ certificates, privateKey }: CertificateBundle): Promise<void> {
    const { name } = setCertificateBundle;
    const request = { contentCertificateBundle: certificates, contentPrivateKey: privateKey };
    requireSuccess(name, await this.callAny(name, request));
  }

  /** Takes the certificates of HTTPS away. @throws NotDoneError with what the scanner finds wrong. */
  async removeCertificates(): Promise<void> {
    const { name } = removeCertificateBundle;
    requireSuccess(name, await this.callAny(name));
  }
}

function requireSuccess(method: string, response: unknown): void {
  const { success, errorCode } = isObject(response) ? response : {};
  if (success === true) return;
  throw NotDoneError.refused(method, isObject(errorCode) ? String(errorCode.error) : 'success false');
}
