import type { Scanner } from '@azimuth/client';
import { ReceiveError, type Receiver, receiveTcp, receiveUdp } from '@azimuth/client/receive';
import { ScanDataFormat } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';
import { scannerAt, scannerWithLogin, urlOf } from '../connection.js';
import type { DeviceOptions } from '../options.js';
import { changedMeanwhile, type Wishes } from './changed-meanwhile.js';
import { hostOf, isHere, isMulticast, type Route, routeTo } from './own-address.js';
import { type StreamName, type StreamSettings, streamSettings, streams } from './streams.js';

/** Where data comes from, as a command line tells it. */
export interface SourceOptions extends DeviceOptions {
  readonly listen?: readonly number[];
  readonly host?: string;
  readonly multicast?: string;
  readonly aim?: boolean;
}

/** A stream that is being received. */
export interface Source {
  readonly receiver: Receiver;
  /** `UDP port 2115`. */
  readonly place: string;
}

export interface Sources {
  /** What the scanner is called, or where data is awaited. */
  readonly title: string;
  readonly sources: readonly [Source, ...Source[]];
  /** What was left out and why, a line each. */
  readonly notes: readonly string[];
}

/**
 * Receives streams while something is done: from ports that are named, else as the scanner's settings say, which `aim`
 * changes meanwhile. Receivers are closed and settings put back afterwards.
 * @param wanted the streams; the first one has to be there unless another one is
 * @throws CommandFailure where nothing can come, with what to do about it
 */
export async function withSources<T>(
  options: SourceOptions,
  wanted: readonly StreamName[],
  signal: AbortSignal,
  act: (sources: Sources) => Promise<T>,
): Promise<T> {
  const opened: Source[] = [];
  try {
    if (options.listen !== undefined && options.listen.length > 0) {
      for (const port of options.listen) opened.push(await listen(options, port, signal));
      return await act({
        title: opened.map(({ place }) => place).join(', '),
        sources: some(opened),
        notes: [],
      });
    }
    const scanner = options.aim === true ? await scannerWithLogin(options) : scannerAt(options);
    const settings = await settingsOf(scanner, wanted);
    const route = await routeTo(urlOf(options));
    const title = await titleOf(scanner);
    if (options.aim !== true) {
      const notes = await openAsSet(options, { settings, route, signal, opened });
      return await act({ title, sources: some(opened), notes });
    }
    const wishes: Wishes[] = [];
    for (const stream of settings) {
      if (stream.name !== 'scan' && !stream.enabled) continue;
      const source = await listenNear(options, stream.port, signal);
      opened.push(source);
      wishes.push(wishesOf(stream, route.own, source.receiver.address.port));
    }
    return await changedMeanwhile(scanner, wishes, () => {
      signal.throwIfAborted();
      return act({ title, sources: some(opened), notes: [] });
    });
  } finally {
    for (const { receiver } of opened) receiver.close();
  }
}

function some(sources: readonly Source[]): readonly [Source, ...Source[]] {
  const [first, ...others] = sources;
  if (first === undefined) throw new Error('no stream was opened');
  return [first, ...others];
}

async function settingsOf(scanner: Scanner, wanted: readonly StreamName[]): Promise<StreamSettings[]> {
  const settings: StreamSettings[] = [];
  for (const name of wanted) {
    const found = await streamSettings(scanner, name);
    if (found !== undefined) settings.push(found);
  }
  return settings;
}

/** Opens what comes here by itself. @returns what does not, with the reason */
async function openAsSet(
  options: SourceOptions,
  means: { settings: readonly StreamSettings[]; route: Route; signal: AbortSignal; opened: Source[] },
): Promise<string[]> {
  const { settings, route, signal, opened } = means;
  const notes: string[] = [];
  for (const stream of settings) {
    const obstacle = obstacleOf(stream, route);
    if (obstacle !== undefined) {
      notes.push(obstacle);
      continue;
    }
    const { protocol, port, address } = stream;
    if (protocol === 'TCP') {
      const host = hostOf(urlOf(options));
      const receiver = await receiveTcp({ host, port, signal });
      opened.push({ receiver, place: `tcp://${host}:${port}` });
      continue;
    }
    // Two streams may go to one port.
    if (opened.some(({ receiver }) => receiver.address.port === port)) continue;
    const group = isMulticast(address) ? { multicast: address } : {};
    opened.push(await listen({ ...options, ...group }, port, signal));
  }
  if (opened.length === 0) {
    throw new CommandFailure(notes[0] ?? 'the scanner has no such data stream', 'refused');
  }
  return notes;
}

/** Why a stream does not come here, and what to do. */
function obstacleOf(stream: StreamSettings, route: Route): string | undefined {
  const { title, enable } = streams[stream.name];
  const { address, port } = stream;
  if (!stream.enabled) {
    return `the scanner sends no ${title}: --aim has it sent here as long as this runs, "azimuth set ${enable} on" for good`;
  }
  if (stream.foreignFormat !== undefined) {
    return `the scanner sends its ${title} as ${stream.foreignFormat}, and Compact and MSGPACK are what is read here: --aim switches over as long as this runs`;
  }
  if (stream.protocol === 'TCP' || isMulticast(address) || isHere(address, route)) return undefined;
  return `the scanner sends its ${title} to ${address}, port ${port}, and this computer is ${route.own}: --aim has it sent here as long as this runs`;
}

/** The destination first: who has changed that has taken the stream. @param own the address of this computer */
function wishesOf(stream: StreamSettings, own: string, port: number): Wishes {
  const { enable, destination } = streams[stream.name];
  return [
    { name: destination, value: { Protocol: 1, IPAddress: own.split('.').map(Number), Port: port } },
    ...(stream.foreignFormat === undefined
      ? []
      : [{ name: 'ScanDataFormat', value: ScanDataFormat.Compact }]),
    { name: enable, value: true },
  ];
}

async function listen(options: SourceOptions, port: number, signal: AbortSignal): Promise<Source> {
  const { host, multicast } = options;
  const receiver = await receiveUdp({
    port,
    signal,
    ...(host === undefined ? {} : { host }),
    ...(multicast === undefined ? {} : { multicast }),
  });
  return { receiver, place: `UDP port ${receiver.address.port}` };
}

/** Listens on a port, or on any free one where another program has that one. */
async function listenNear(options: SourceOptions, port: number, signal: AbortSignal): Promise<Source> {
  try {
    return await listen(options, port, signal);
  } catch (error) {
    if (!(error instanceof ReceiveError)) throw error;
    return listen(options, 0, signal);
  }
}

/** What a person calls the scanner. */
async function titleOf(scanner: Scanner): Promise<string> {
  const name = await scanner.readAny('LocationName').catch(() => undefined);
  return typeof name === 'string' && name !== '' && name !== 'not defined' ? name : hostOf(scanner.url);
}
