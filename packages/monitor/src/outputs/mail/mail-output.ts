import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { isObject } from '@azimuth/model';
import { createTransport, type Transporter } from 'nodemailer';
import type { LogEntry } from '../../log/log-entry.js';
import { passes } from '../entry-filter.js';
import type { Output, OutputCounts } from '../output.js';
import { bytesOfEntry, changeText, lossEntry, type OutputBasics } from '../queued-output.js';
import { ItemRefused, SendLater, SendQueue } from '../send-queue.js';
import { type MailContent, mailSubject, mailText } from './mail-text.js';

export interface MailOptions extends OutputBasics {
  /** `smtp://HOST:587` (with TLS by STARTTLS if the server has it) or `smtps://HOST:465`; these ports are the default ones. */
  readonly url: string;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  /** Authorities for TLS, in PEM; those of Node if undefined. */
  readonly ca?: string | undefined;
  readonly from: string;
  readonly to: readonly string[];
}

interface Mail extends MailContent {
  /** The same for all attempts: a server that has got a mail twice can tell. */
  readonly id: string;
}

/** Milliseconds within which entries become one mail. */
const groupedWithin = 60_000;

/** Entries of one mail. Further ones begin the next. */
const mostEntries = 1000;

/** Pause in ms after a refused login: servers lock accounts that try often. */
const afterRefusedLogin = 15 * 60_000;

/** Ms for each step of a connection. */
const longestStep = 20_000;

/** Sends entries as mails: one for all entries of a minute. */
export class MailOutput implements Output {
  readonly name: string;
  readonly #options: MailOptions;
  readonly #transport: Transporter;
  readonly #queue: SendQueue<Mail>;
  readonly #closing = new AbortController();
  /** Entries of the next mail. */
  #group: LogEntry[] = [];

  constructor(options: MailOptions) {
    this.#options = options;
    this.name = options.name;
    const { clock, report, bounds, random } = options;
    this.#transport = transportOf(options);
    this.#queue = new SendQueue({
      ...{ clock, bounds, random },
      send: (mail, signal) => this.#send(mail, signal),
      entriesOf: ({ entries }) => entries.length,
      bytesOf: ({ entries }) => entries.reduce((bytes, entry) => bytes + bytesOfEntry(entry), 0),
      lossItem: (lost) => mailOf([lossEntry(clock.now(), lost)]),
      onChange: (failure) => report(changeText(this.name, failure)),
    });
  }

  get counts(): OutputCounts {
    const { waiting, ...counts } = this.#queue.counts;
    return { ...counts, waiting: waiting + this.#group.length };
  }

  accept(entry: LogEntry): void {
    if (!passes(this.#options.filter, entry)) return;
    this.#group.push(entry);
    if (this.#group.length >= mostEntries) this.#flush();
    else if (this.#group.length === 1) void this.#flushLater();
  }

  async close(longestMs: number): Promise<void> {
    this.#closing.abort();
    this.#flush();
    await this.#queue.close(longestMs);
    this.#transport.close();
  }

  async #flushLater(): Promise<void> {
    const group = this.#group;
    await this.#options.clock.pause(groupedWithin, this.#closing.signal);
    if (this.#group === group) this.#flush();
  }

  #flush(): void {
    const entries = this.#group;
    this.#group = [];
    if (entries.length > 0) this.#queue.add(mailOf(entries));
  }

  async #send(mail: Mail, signal: AbortSignal): Promise<void> {
    const { from, to } = this.#options;
    // A connection that is closed ends the attempt.
    const close = () => this.#transport.close();
    signal.addEventListener('abort', close, { once: true });
    try {
      await this.#transport.sendMail({
        ...{ from, to: [...to], subject: mailSubject(mail), text: mailText(mail) },
        messageId: `<${mail.id}@azimuth-monitor>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
    } catch (error) {
      throw failureOf(error);
    } finally {
      signal.removeEventListener('abort', close);
    }
  }
}

function mailOf(entries: readonly LogEntry[]): Mail {
  return { id: randomUUID(), entries };
}

function transportOf({ url, user, password, ca }: MailOptions): Transporter {
  const { protocol, hostname: host, port } = new URL(url);
  const secure = protocol === 'smtps:';
  return createTransport({
    ...{ host: host.replace(/^\[|\]$/g, ''), secure, name: nameOfComputer() },
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    // A password goes over TLS alone.
    requireTLS: user !== undefined,
    tls: { ca, minVersion: 'TLSv1.2' },
    ...(user === undefined ? {} : { auth: { user, pass: password ?? '' } }),
    ...{ connectionTimeout: longestStep, greetingTimeout: longestStep, socketTimeout: longestStep },
    ...{ disableFileAccess: true, disableUrlAccess: true },
  });
}

/** The name with which it greets a server: letters, digits, `-` and dots. */
function nameOfComputer(): string {
  return hostname().replaceAll(/[^A-Za-z0-9.-]/g, '-') || 'localhost';
}

/** Returns what a failure means. The text of a server may repeat what was sent to it: only its code is shown. */
function failureOf(error: unknown): Error {
  const { code, responseCode } = isObject(error) ? error : {};
  const response = typeof responseCode === 'number' ? ` (SMTP ${responseCode})` : '';
  if (code === 'EAUTH') return new SendLater(`the server refuses the login${response}`, afterRefusedLogin);
  const isForEver = typeof responseCode === 'number' && responseCode >= 500;
  if (isForEver && (code === 'EENVELOPE' || code === 'EMESSAGE'))
    return new ItemRefused(`the server refuses the mail${response}`);
  if (response !== '') return new Error(`the server cannot accept it now${response}`);
  return error instanceof Error ? new Error(error.message) : new Error(String(error));
}
