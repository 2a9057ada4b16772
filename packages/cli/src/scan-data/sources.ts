import { isIPv4 } from 'node:net';
import type { Frame, Scanner } from '@azimuth/client';
import {
  type OtherScanner,
  ReceiveError,
  type Receiver,
  type ReceiverOptions,
  receiveTcp,
  receiveUdp,
  type TcpOptions,
  type UdpOptions,
} from '@azimuth/client/receive';
import { counted, ScanDataFormat } from '@azimuth/model';
import { InvalidArgumentError, Option } from 'commander';
import { CommandFailure } from '../command-failure.js';
import type { Command, DeviceOptions } from '../options/command.js';
import { portOption } from '../options/option-values.js';
import { remark } from '../output/output.js';
import { chosenScanner } from '../scanners/chosen.js';
import { scannerAt, scannerWithLogin } from '../scanners/connection.js';
import type { Target } from '../scanners/target.js';
import {
  hostInUrl,
  isHere,
  isMulticast,
  type Route,
  routeTo,
  type StreamName,
  type StreamSettings,
  streamSettings,
  streams,
} from './stream-settings.js';
import { type SettingGroup, withTemporarySettings } from './temporary-settings.js';

/** Adds the options that choose the source of data. */
export function withSourceOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--listen <port>',
        'receive data at this UDP port, and send nothing to a scanner (repeatable with azimuth record)',
      )
        .argParser((value: string, before: readonly number[] | undefined) => [
          ...(before ?? []),
          portOption(value),
        ])
        .conflicts('aim'),
    )
    .addOption(
      new Option(
        '--host <address>',
        'IPv4 address of this computer at which data is received (default: all addresses)',
      ).argParser(ipv4Option),
    )
    .addOption(
      new Option('--multicast <group>', 'multicast group to join at the ports of --listen').argParser(
        ipv4Option,
      ),
    )
    .option(
      '--aim',
      'make the scanner send to this computer while the command runs, and restore its settings afterwards (needs a login)',
    );
}

/** Parses an IPv4 address. */
export function ipv4Option(value: string): string {
  if (isIPv4(value)) return value;
  throw new InvalidArgumentError('Expected an IPv4 address.');
}

/** Streams to receive, and their ports. */
interface SourceChoice {
  readonly listen?: readonly number[];
  readonly host?: string;
  readonly multicast?: string;
  readonly aim?: boolean;
  /** Gets a line for each other scanner that sends to the same port; its telegrams are dropped. */
  readonly onOther?: (line: string) => void;
  /** Receives the telegrams of other scanners, too. */
  readonly everybody?: boolean;
}

/** Options that choose the source of data. */
export interface SourceOptions extends DeviceOptions, SourceChoice {}

/**
 * Returns the scanner of the streams that the options name; undefined if they come from named ports. @throws
 * CommandFailure
 */
export async function sourceScanner(options: SourceOptions, command: string): Promise<Target | undefined> {
  return (options.listen?.length ?? 0) > 0 ? undefined : chosenScanner(options, command);
}

/** With its present settings, a stream of the scanner does not arrive at this computer. */
export class NothingArrives extends CommandFailure {
  /**
   * @param why the present behaviour of the scanner
   * @param remedy advice for the command line
   */
  constructor(
    readonly why: string,
    remedy: string,
  ) {
    super(`${why}. ${remedy}`, 'refused');
  }
}

/** Part of a receiver that is used here. */
interface Closable {
  readonly address: { readonly port: number };
  close(): void;
}

/** Opens a port or a connection for the data of a scanner. */
export interface Opening<R extends Closable> {
  udp(options: UdpOptions): Promise<R>;
  tcp(options: TcpOptions): Promise<R>;
}

const opensReceivers: Opening<Receiver> = { udp: receiveUdp, tcp: receiveTcp };

/** A stream that is being received. */
export interface Source<R = Receiver> {
  readonly receiver: R;
  /** `UDP port 2115`. */
  readonly label: string;
}

export interface Sources<R = Receiver> {
  /** The name of the scanner, or the ports. */
  readonly title: string;
  readonly sources: readonly [Source<R>, ...Source<R>[]];
  /** The streams that are left out, with the reason, a line each. */
  readonly leftOut: readonly string[];
}

/**
 * Receives streams while an action runs: from named ports, otherwise as the settings of the scanner say. `aim` changes
 * these settings. Afterwards the receivers are closed and the settings restored.
 * @param target the scanner; undefined if ports are named
 * @param wanted the streams; if no other one is there, the first one is required
 * @throws CommandFailure if nothing can arrive, with a remedy
 */
export function withSources<T>(
  options: TargetChoice,
  wanted: readonly StreamName[],
  signal: AbortSignal,
  act: (sources: Sources) => Promise<T>,
): Promise<T> {
  return withSourcesOpenedBy(opensReceivers, options, { wanted, signal }, act);
}

/** The choice of streams, and the scanner; undefined if ports are named. */
type TargetChoice = SourceChoice & { readonly target: Target | undefined };

/** As {@link withSources}, with ports and connections of another kind. */
export async function withSourcesOpenedBy<R extends Closable, T>(
  opening: Opening<R>,
  { target, ...options }: TargetChoice,
  { wanted, signal }: { readonly wanted: readonly StreamName[]; readonly signal: AbortSignal },
  act: (sources: Sources<R>) => Promise<T>,
): Promise<T> {
  const opened: Source<R>[] = [];
  let setRestored = (): void => undefined;
  const restored = new Promise<void>((resolve) => {
    setRestored = resolve;
  });
  try {
    if (target === undefined) {
      for (const port of options.listen ?? []) opened.push(await listen(opening, options, port, { signal }));
      return await act({
        title: opened.map(({ label }) => label).join(', '),
        sources: some(opened),
        leftOut: [],
      });
    }
    const scanner = options.aim === true ? await scannerWithLogin(target) : scannerAt(target);
    const settings = await readStreamSettings(scanner, wanted);
    const route = await routeTo(scanner.url);
    const title = await sourceTitle(scanner);
    const own =
      options.everybody === true ? {} : ownTelegrams(await readSerialNumber(scanner), options.onOther);
    if (options.aim !== true) {
      const leftOut = await openConfigured(opening, options, {
        url: scanner.url,
        settings,
        route,
        own,
        signal,
        opened,
      });
      return await act({ title, sources: some(opened), leftOut });
    }
    const groups: SettingGroup[] = [];
    for (const stream of settings) {
      if (stream.name !== wanted[0] && !stream.enabled) continue;
      const means = { ...own, signal, closeSocketAfter: restored };
      const source = await listenNear(opening, options, stream.port, means);
      opened.push(source);
      groups.push(settingsFor(stream, route.own, source.receiver.address.port));
    }
    return await withTemporarySettings(scanner, groups, { told: remark }, () => {
      signal.throwIfAborted();
      return act({ title, sources: some(opened), leftOut: [] });
    });
  } finally {
    for (const { receiver } of opened) receiver.close();
    setRestored();
  }
}

function some<R>(sources: readonly Source<R>[]): readonly [Source<R>, ...Source<R>[]] {
  const [first, ...others] = sources;
  if (first === undefined) throw new Error('no stream was opened');
  return [first, ...others];
}

async function readStreamSettings(
  scanner: Scanner,
  wanted: readonly StreamName[],
): Promise<StreamSettings[]> {
  const settings: StreamSettings[] = [];
  for (const name of wanted) {
    const stream = await streamSettings(scanner, name);
    if (stream !== undefined) settings.push(stream);
  }
  return settings;
}

/** Opens the streams that are sent to this computer. @returns a line for each other stream, with the reason */
async function openConfigured<R extends Closable>(
  opening: Opening<R>,
  options: SourceChoice,
  means: {
    url: string;
    settings: readonly StreamSettings[];
    route: Route;
    own: OwnTelegrams;
    signal: AbortSignal;
    opened: Source<R>[];
  },
): Promise<string[]> {
  const { url, settings, route, own, signal, opened } = means;
  const obstacles: NothingArrives[] = [];
  for (const stream of settings) {
    const obstacle = routeProblem(stream, route);
    if (obstacle !== undefined) {
      obstacles.push(obstacle);
      continue;
    }
    const { protocol, port, address } = stream;
    if (protocol === 'TCP') {
      const host = hostInUrl(url);
      const receiver = await opening.tcp({ host, port, signal, ...own });
      opened.push({ receiver, label: `tcp://${host}:${port}` });
      continue;
    }
    // Two streams may go to one port.
    if (opened.some(({ receiver }) => receiver.address.port === port)) continue;
    const group = isMulticast(address) ? { multicast: address } : {};
    opened.push(await listen(opening, { ...options, ...group }, port, { ...own, signal }));
  }
  if (opened.length === 0) {
    throw obstacles[0] ?? new CommandFailure('the scanner has no such data stream', 'refused');
  }
  return obstacles.map(({ message }) => message);
}

/** Returns the reason why a stream is not received here, and advice for the command line. */
function routeProblem(stream: StreamSettings, route: Route): NothingArrives | undefined {
  const { title, enable } = streams[stream.name];
  const { address, port } = stream;
  if (!stream.enabled) {
    return new NothingArrives(
      `the scanner sends no ${title}`,
      `--aim switches it on while this command runs; "azimuth set ${enable} on" switches it on for good`,
    );
  }
  if (stream.foreignFormat !== undefined) {
    return new NothingArrives(
      `the scanner sends its ${title} as ${stream.foreignFormat}; only Compact and MSGPACK can be read`,
      '--aim switches to Compact while this command runs',
    );
  }
  if (stream.protocol === 'TCP' || isMulticast(address) || isHere(address, route)) return undefined;
  return new NothingArrives(
    `the scanner sends its ${title} to ${address}, port ${port}; this computer is ${route.own}`,
    '--aim redirects it here while this command runs',
  );
}

/**
 * Returns the settings that send a stream here. The destination is first: if another client has changed it, the stream
 * belongs to that client.
 * @param own the address of this computer
 */
function settingsFor(stream: StreamSettings, own: string, port: number): SettingGroup {
  const { enable, destination } = streams[stream.name];
  return [
    { name: destination, value: { Protocol: 1, IPAddress: own.split('.').map(Number), Port: port } },
    ...(stream.foreignFormat === undefined
      ? []
      : [{ name: 'ScanDataFormat', value: ScanDataFormat.Compact }]),
    { name: enable, value: true },
  ];
}

type Means = OwnTelegrams & Pick<ReceiverOptions, 'closeSocketAfter' | 'signal'>;

async function listen<R extends Closable>(
  opening: Opening<R>,
  { host, multicast }: SourceChoice,
  port: number,
  means: Means,
): Promise<Source<R>> {
  const receiver = await opening.udp({ port, ...means, host, multicast });
  return { receiver, label: `UDP port ${receiver.address.port}` };
}

/** Listens on a port, or on any free one if another program uses that one. */
async function listenNear<R extends Closable>(
  opening: Opening<R>,
  options: SourceChoice,
  port: number,
  means: Means,
): Promise<Source<R>> {
  try {
    return await listen(opening, options, port, means);
  } catch (error) {
    if (!(error instanceof ReceiveError)) throw error;
    return listen(opening, options, 0, means);
  }
}

/** Returns the filter for telegrams of this scanner. Empty if it does not report its serial number. */
type OwnTelegrams = Pick<ReceiverOptions, 'serialNumber' | 'onOther'>;

function ownTelegrams(
  serialNumber: string | undefined,
  report: (line: string) => void = () => undefined,
): OwnTelegrams {
  if (serialNumber === undefined) return {};
  const onOther: OtherScanner = (sender, from) =>
    report(`scanner ${sender} at ${from} sends here, too: what it sends is left out`);
  return { serialNumber, onOther };
}

async function readSerialNumber(scanner: Scanner): Promise<string | undefined> {
  const serialNumber = await scanner.readAny('SerialNumber').catch(() => undefined);
  return typeof serialNumber === 'string' && serialNumber !== '' ? serialNumber : undefined;
}

/** Returns the name of a scanner for people. */
async function sourceTitle(scanner: Scanner): Promise<string> {
  const name = await scanner.readAny('LocationName').catch(() => undefined);
  return typeof name === 'string' && name !== '' && name !== 'not defined' ? name : hostInUrl(scanner.url);
}

/**
 * Yields the frames of a source, complete or not. If none is received within `wait`, it ends.
 * @param wait seconds
 * @throws CommandFailure with the data that was received instead
 */
export async function* receiveFrames(
  source: Source,
  wait: number,
  isWanted: (frame: Frame) => boolean = () => true,
): AsyncGenerator<Frame, void, undefined> {
  const { receiver } = source;
  let late = false;
  const limit = setTimeout(() => {
    late = true;
    receiver.close();
  }, wait * 1000);
  try {
    for await (const frame of receiver.frames()) {
      if (late || !isWanted(frame)) continue;
      clearTimeout(limit);
      yield frame;
    }
  } finally {
    clearTimeout(limit);
  }
  if (late) throw new CommandFailure(silence(source, wait), 'unreachable');
}

function silence({ receiver, label }: Source, wait: number): string {
  const { damaged, telegrams } = receiver.losses;
  const begin = `received no complete frame at ${label} within ${wait} s`;
  if (damaged > 0) {
    return `${begin}; ${counted(damaged, 'datagram was damaged, or no telegram', 'datagrams were damaged, or no telegrams')} in Compact or MSGPACK`;
  }
  if (telegrams > 0)
    return `${begin}; ${counted(telegrams, 'telegram was', 'telegrams were')} lost on the way`;
  return `${begin}; check that the scanner measures, that it sends here, and that no firewall blocks it`;
}
