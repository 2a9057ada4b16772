import { counted } from '@azimuth/model';
import { senderIdOf, type Telegram } from '@azimuth/telegrams';
import { causes, type TimingFinding } from './findings.js';
import { findingsOf } from './judge.js';
import type { Judged, JudgedScanner } from './judged.js';
import type { KnownTime } from './known-time.js';
import { ComputerLateness, type LateStretch } from './lateness.js';
import { measuresOf, type StreamMeasures } from './measures.js';
import { stampedOf } from './stamped.js';
import { Stream } from './stream.js';
import { durationText } from './words.js';

/** Streams that are told apart. Beyond, the one with the fewest telegrams is forgotten: forged senders are many. */
const mostStreams = 32;

/** Longest lateness of this computer (ms) that nothing has to be told about. */
const usualLateness = 300;

/** The scanner that was asked, and what it says. */
export interface AskedScanner extends KnownTime {
  readonly serialNumber?: string | undefined;
}

/** What was seen. Times are in ms. */
export interface TimingReport {
  readonly duration: number;
  readonly telegrams: number;
  readonly damaged: number;
  /** How late this computer itself was; undefined if it cannot be known, for a file. */
  readonly lateness: { readonly longest: number; readonly total: number } | undefined;
  readonly streams: readonly StreamMeasures[];
  readonly findings: readonly TimingFinding[];
}

/**
 * Judges the times of scan, IMU and encoder data: the telegrams of any number of scanners, with the time at which each
 * arrived. Memory and time are bounded, whatever comes.
 */
export class TimingAnalysis {
  readonly #lateness = new ComputerLateness();
  readonly #watches: boolean;
  readonly #streams = new Map<string, Stream>();
  #hasForgotten = false;
  #telegrams = 0;
  #damaged = 0;
  #lostHere = 0;
  #begin: number | undefined;
  #firstTick: number | undefined;
  #newest = 0;

  /** @param watchesComputer true if `tick` is called all the time */
  constructor({ watchesComputer = false }: { readonly watchesComputer?: boolean | undefined } = {}) {
    this.#watches = watchesComputer;
  }

  get telegrams(): number {
    return this.#telegrams;
  }

  /** Streams of the scanners that sent most, scan data first. */
  get streams(): readonly Stream[] {
    return [...this.#streams.values()].sort((one, other) => rank(one) - rank(other));
  }

  /** When this computer was late. */
  get lateStretches(): readonly Readonly<LateStretch>[] {
    return this.#lateness.stretches;
  }

  /**
   * Adds a telegram.
   * @param arrival ms
   * @param from address of its sender, `192.168.0.1:2115`; empty if it is not known
   * @param to local address, in the same form
   */
  push(telegram: Telegram, arrival: number, from = '', to = ''): void {
    const stamped = stampedOf(telegram);
    if (stamped === undefined) {
      this.damaged();
      return;
    }
    this.#begin ??= arrival;
    this.#newest = Math.max(this.#newest, arrival);
    this.#telegrams += 1;
    const [host, fromPort] = parted(from);
    const [, port] = parted(to);
    // IMU telegrams do not name their sender: the port that it sends from does.
    const key = `${stamped.kind} ${stamped.sender ?? fromPort} ${host} ${port}`;
    const stream = this.#streams.get(key) ?? new Stream(stamped, { host, port, lateness: this.#lateness });
    const step = stream.stepOf(stamped, (count) => {
      if (telegram.kind === 'scan') return count.scan(telegram.telegram, '');
      if (telegram.kind === 'encoder') return count.encoder(telegram.telegram, '');
      return { kind: 'next', lost: 0 };
    });
    const sequence = telegram.kind === 'imu' ? 0 : telegram.telegram.sequence;
    stream.push(stamped, step, sequence, arrival, fromPort);
    if (!this.#streams.has(key)) this.#remember(key, stream);
  }

  /** Counts data that is no telegram. */
  damaged(datagrams = 1): void {
    this.#damaged += datagrams;
  }

  /** Counts telegrams that this program received and could not keep. */
  lostHere(telegrams: number): void {
    this.#lostHere += telegrams;
  }

  /** Tells how late this computer is, by a timer. @param at when it ran. @param late ms after it was due */
  tick(at: number, late: number): void {
    this.#firstTick ??= at;
    this.#lateness.add(at, late);
  }

  /** Returns what was seen up to now. @param now ms; by default the arrival of the newest telegram */
  report({
    now = this.#newest,
    asked,
  }: {
    now?: number | undefined;
    asked?: AskedScanner | undefined;
  } = {}): TimingReport {
    // Data that is no telegram has no time.
    const begin = this.#begin ?? this.#firstTick ?? now;
    const judged = this.streams.map((stream) => ({ stream, measures: measuresOf(stream, this.#lateness) }));
    const scanners = this.#scannersOf(judged, now, asked);
    const findings = [
      ...this.#ownFindings(judged),
      ...scanners.flatMap((scanner) => findingsOf(scanner, begin)),
    ];
    return {
      duration: now - begin,
      telegrams: this.#telegrams,
      damaged: this.#damaged,
      lateness: this.#watches ? { longest: this.#lateness.longest, total: this.#lateness.total } : undefined,
      streams: judged.map(({ measures }) => measures),
      findings,
    };
  }

  #remember(key: string, stream: Stream): void {
    this.#streams.set(key, stream);
    if (this.#streams.size <= mostStreams) return;
    let [fewest = key] = this.#streams.keys();
    for (const [other, { telegrams }] of this.#streams) {
      if (telegrams < (this.#streams.get(fewest)?.telegrams ?? 0)) fewest = other;
    }
    this.#streams.delete(fewest);
    this.#hasForgotten = true;
  }

  /** Findings about this computer and its port. */
  #ownFindings(judged: readonly Judged[]): readonly TimingFinding[] {
    return [this.#receiverLate(judged), this.#severalSenders(judged), this.#damage()].flatMap(
      (one) => one ?? [],
    );
  }

  #receiverLate(judged: readonly Judged[]): TimingFinding | undefined {
    const { longest, total, isOftenLate } = this.#lateness;
    const lost = this.#lostHere + this.#missingHere(judged);
    if (longest < usualLateness && !isOftenLate && lost === 0) return undefined;
    const losses = lost === 0 ? '' : ` and lost ${counted(lost, 'telegram')} by that`;
    return found(
      'receiver-late',
      `this program ran up to ${durationText(longest)} late, ${durationText(total)} in all${losses}: what came meanwhile is not judged${isOftenLate ? ', nor are delays of the network' : ''}`,
    );
  }

  /** Telegrams that were lost while this computer was late. What came damaged is missing in the numbers, too. */
  #missingHere(judged: readonly Judged[]): number {
    const missing = judged.map(({ measures: { lost } }) => lost);
    const here = missing.reduce((sum, lost) => sum + lost.here, 0);
    const elsewhere = missing.reduce((sum, { scattered, inBursts }) => sum + scattered + inBursts, 0);
    return Math.max(0, Math.min(here, here + elsewhere - this.#damaged));
  }

  #severalSenders(judged: readonly Judged[]): TimingFinding | undefined {
    const scans = judged.filter(({ stream }) => stream.kind === 'scan' && sharesPort(stream, judged));
    if (scans.length < 2) return undefined;
    const names = scans.slice(0, 4).map(({ stream }) => nameOf(stream));
    const more = scans.length > names.length ? ' and others' : '';
    const number = `${this.#hasForgotten ? 'more than ' : ''}${counted(scans.length, 'scanner')}`;
    return found('several-senders', `${number} send scan data to one port: ${names.join(', ')}${more}`);
  }

  #damage(): TimingFinding | undefined {
    if (this.#damaged === 0) return undefined;
    return found(
      'damaged',
      `${counted(this.#damaged, 'datagram is', 'datagrams are')} no telegram in Compact or MSGPACK, or damaged on the way`,
    );
  }

  #scannersOf(
    judged: readonly Judged[],
    now: number,
    asked: AskedScanner | undefined,
  ): readonly JudgedScanner[] {
    const groups = new Map<string, Judged[]>();
    for (const each of judged) {
      const key = keyOf(each.stream, groups);
      groups.set(key, [...(groups.get(key) ?? []), each]);
    }
    const sender = asked?.serialNumber === undefined ? undefined : senderIdOf(asked.serialNumber);
    return [...groups.values()].map((streams) => {
      const [first] = streams;
      const isAsked =
        sender === undefined || first?.stream.sender === undefined || first.stream.sender === sender;
      return {
        name: first === undefined ? '' : nameOf(first.stream),
        streams,
        known: isAsked ? asked : undefined,
        now,
        damaged: this.#damaged,
      };
    });
  }
}

/** Scan data says most about a scanner. */
function rank({ kind }: Stream): number {
  return ['scan', 'encoder', 'imu'].indexOf(kind);
}

/** Returns the group of a stream. IMU telegrams do not name the scanner: its address does, if only one sends from there. */
function keyOf({ sender, host }: Stream, groups: ReadonlyMap<string, unknown>): string {
  if (sender !== undefined) return `${host} ${sender}`;
  const atHost = [...groups.keys()].filter((key) => key.startsWith(`${host} `));
  return atHost.length === 1 ? (atHost[0] ?? host) : `${host} IMU`;
}

/** True if another scanner sends scan data to the same port. */
function sharesPort({ port, sender, host }: Stream, judged: readonly Judged[]): boolean {
  return judged.some(
    ({ stream }) =>
      stream.kind === 'scan' && stream.port === port && (stream.sender !== sender || stream.host !== host),
  );
}

/** Returns host and port of an address. */
function parted(address: string): readonly [host: string, port: string] {
  const colon = address.lastIndexOf(':');
  return colon < 0 ? [address, ''] : [address.slice(0, colon), address.slice(colon + 1)];
}

function nameOf({ sender, host, kind }: Stream): string {
  const at = host === '' ? '' : ` at ${host}`;
  return sender === undefined ? `${kind.toUpperCase()} data${at}` : `scanner ${sender}${at}`;
}

function found(cause: keyof typeof causes, text: string): TimingFinding {
  return { cause, scanner: '', text, remedy: causes[cause].remedy, at: undefined };
}
