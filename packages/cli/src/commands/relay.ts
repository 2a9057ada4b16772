import { Relay } from '@azimuth/bridge/relay';
import { type Destination, DestinationError, destinationIn, OpenError } from '@azimuth/bridge/streams';
import { PortTaken } from '@azimuth/http';
import { InvalidArgumentError, Option } from 'commander';
import { CommandFailure } from '../command-failure.js';
import type { Command } from '../options/command.js';
import { collect, numberOption, portOption } from '../options/option-values.js';
import { remark, untilInterrupted } from '../output/output.js';
import { plannedWireFaults } from '../relay/faults.js';
import { relayOpening } from '../relay/incoming.js';
import { RecordingFollower } from '../relay/recording-follower.js';
import { type ControlOptions, requestPassing, tellFailure, usualAddress } from '../relay/relay-control.js';
import { RelayView } from '../relay/relay-view.js';
import { ShownLines } from '../relay/shown-lines.js';
import {
  ipv4Option,
  type SourceOptions,
  sourceScanner,
  withSourceOptions,
  withSourcesOpenedBy,
} from '../scan-data/sources.js';
import { standardOutput } from '../transfers/output-file.js';

export function defineCommand(command: Command): Command {
  command
    .description(
      'Stand between a scanner and its programs: receive its data once, and pass it on to any number of programs, unchanged, until Ctrl-C; pass on their requests to the scanner, too. All that passes is shown, a line each; telegrams are summed up each second.',
    )
    .addOption(
      new Option(
        '--to <destination>',
        'pass telegrams on to udp://HOST:PORT (a group: udp://GROUP:PORT?by=ADDRESS), or offer them at tcp-listen://ADDRESS:PORT or ws-listen://ADDRESS:PORT (repeatable)',
      ).argParser(destinationOption),
    )
    .addOption(
      new Option(
        '--http-port <port>',
        'pass on what comes at this port to the scanner: REST, files, events',
      ).argParser(portOption),
    )
    .addOption(
      new Option('--legacy-a-port <port>', 'pass on the legacy protocol (text) at this port').argParser(
        portOption,
      ),
    )
    .addOption(
      new Option('--legacy-b-port <port>', 'pass on the legacy protocol (binary) at this port').argParser(
        portOption,
      ),
    )
    .addOption(
      new Option(
        '--scanner-legacy-a-port <port>',
        'the port of its interface A at the scanner (default: 2111)',
      ).argParser(portOption),
    )
    .addOption(
      new Option(
        '--scanner-legacy-b-port <port>',
        'the port of its interface B at the scanner (default: 2112)',
      ).argParser(portOption),
    )
    .addOption(
      new Option(
        '--bind <address>',
        'address of this computer for the ports of --http-port, --legacy-a-port and --legacy-b-port (default: 127.0.0.1)',
      ).argParser(ipv4Option),
    )
    .option(
      '--faults <file>',
      'put faults on what passes: a plan in YAML or JSON, with faults of the network only; see docs/faults.md',
    )
    .option(
      '--record <file>',
      'record the telegrams as they came: .mcap is for ROS 2, .pcap and .pcapng are captures, any other name is an Azimuth recording (repeatable)',
      collect,
    )
    .option(
      '--session <file>',
      'record requests and their responses, events and legacy telegrams, without secrets',
    )
    .option(
      '--replay <file>',
      'answer requests from a recorded session in place of a scanner: the same request gets the same response, after the same time',
    )
    .addOption(new Option('--seconds <number>', 'end after this time').argParser(numberOption(0.1, 1e9)))
    .action(() => relay(command.allOptions()));
  return withSourceOptions(command.withDeviceOptions())
    .withForce()
    .withExamples(
      'azimuth relay --device http://192.168.0.1 --aim --to udp://127.0.0.1:3000 --to udp://127.0.0.1:3001',
      'azimuth relay --listen 2115 --to udp://127.0.0.1:3000 --to tcp-listen://127.0.0.1:2120',
      'azimuth relay --to udp://127.0.0.1:3000 --http-port 8081 --record hall.azrec --json',
      'azimuth relay --aim --to udp://127.0.0.1:3000 --faults lossy.yaml',
      'azimuth relay --http-port 8081 --session service.jsonl',
      'azimuth relay --http-port 8081 --replay service.jsonl',
    );
}

function destinationOption(typed: string, before: readonly Destination[] = []): readonly Destination[] {
  try {
    return [...before, destinationIn(typed)];
  } catch (error) {
    if (error instanceof DestinationError) throw new InvalidArgumentError(`${error.message}.`);
    throw error;
  }
}

interface RelayOptions extends SourceOptions, ControlOptions {
  readonly to?: readonly Destination[];
  readonly faults?: string;
  readonly record?: readonly string[];
  readonly seconds?: number;
}

/** Passes on what a scanner sends, and what programs ask it, until it is interrupted. */
async function relay(options: RelayOptions): Promise<void> {
  const { to = [], record = [], force = false } = options;
  const passesStreams = to.length > 0 || record.length > 0;
  if (record.includes(standardOutput)) {
    throw new CommandFailure('what passes is shown on standard output: name a file after --record');
  }
  const faults = await plannedWireFaults(options.faults);
  const requests = await requestPassing(options, faults);
  if (!passesStreams && requests.openControl === undefined) {
    throw new CommandFailure('name what to pass on: a destination after --to, or a port after --http-port');
  }
  const source = passesStreams ? await sourceScanner(options, 'relay') : undefined;
  let title = '';
  await untilInterrupted(async (interruption) => {
    const facts = { source: () => title, force, signal: interruption };
    const recordings = await Promise.all(record.map((path) => RecordingFollower.at(path, facts)));
    const lines = new ShownLines(options.json === true);
    const view = new RelayView((...shown) => lines.print(...shown));
    const followers = [...recordings, view];
    const opening = { ...requests, destinations: to, faults, followers, failed: tellFailure };
    const opened = await Relay.open(opening).catch(cannotOpen);
    const broken: Error[] = [];
    const ending = new Ending(options.seconds, interruption);
    try {
      for (const line of openPorts(opened, options)) remark(line);
      view.begin(opened, passesStreams);
      if (!passesStreams) await ending.reached;
      else {
        await withSourcesOpenedBy(
          relayOpening(opened.streams, (error) => {
            broken.push(error);
            ending.now();
          }),
          { ...options, target: source },
          { wanted: ['scan', 'imu', 'encoder'], signal: interruption },
          async ({ title: name, sources, leftOut }) => {
            for (const line of leftOut) remark(line);
            title = [name, ...sources.map(({ label }) => label)].join(', ');
            remark(`passes on ${title}`);
            await ending.reached;
          },
        );
      }
    } finally {
      ending.now();
      await opened.close().finally(() => lines.close());
    }
    for (const error of broken) throw error;
  });
}

/** Longest time of a timer in ms. */
const longestTimer = 2 ** 31 - 1;

/** The end of a relay: by time, by the user, or because a socket has failed. */
class Ending {
  readonly reached: Promise<void>;
  #reach: () => void = () => undefined;
  readonly #timer: NodeJS.Timeout | undefined;

  constructor(seconds: number | undefined, interruption: AbortSignal) {
    this.reached = new Promise((resolve) => {
      this.#reach = resolve;
    });
    // A signal of AbortSignal.timeout may be collected before its time if only another signal follows it.
    if (seconds !== undefined)
      this.#timer = setTimeout(() => this.now(), Math.min(seconds * 1000, longestTimer));
    if (interruption.aborted) this.now();
    interruption.addEventListener('abort', () => this.now());
  }

  now(): void {
    clearTimeout(this.#timer);
    this.#reach();
  }
}

/** Returns a line for each port and each destination that is open. */
function openPorts(
  { ports: { http, text, binary }, outgoing }: Relay,
  { bind = usualAddress }: RelayOptions,
): readonly string[] {
  return [
    ...(http === undefined ? [] : [`REST and events at http://${bind}:${http}`]),
    ...(text === undefined ? [] : [`legacy protocol (text) at ${bind}:${text}`]),
    ...(binary === undefined ? [] : [`legacy protocol (binary) at ${bind}:${binary}`]),
    ...outgoing.map(({ url }) => `telegrams to ${url}`),
  ];
}

function cannotOpen(error: unknown): never {
  if (error instanceof OpenError || error instanceof PortTaken)
    throw new CommandFailure(error.message, 'refused', { cause: error });
  throw error;
}
