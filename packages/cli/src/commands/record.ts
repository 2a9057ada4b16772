import { ClientError, FrameAssembly, type Telegram } from '@azimuth/client';
import type { ReceiverLosses } from '@azimuth/client/receive';
import { Option } from 'commander';
import { CommandFailure } from '../command-failure.js';
import type { Command } from '../options/command.js';
import { numberOption, wholeNumberOption } from '../options/option-values.js';
import { jsonText, remark, untilInterrupted } from '../output/output.js';
import { keepsFacts, type RecordForm, recordForm } from '../scan-data/record-forms.js';
import { followEvents } from '../scan-data/recorded-events.js';
import { type RecordedFacts, recordedFactsOf } from '../scan-data/recorded-facts.js';
import { RecordingFile, RecordProgress } from '../scan-data/recording-file.js';
import {
  type Source,
  type SourceOptions,
  type Sources,
  sourceScanner,
  withSourceOptions,
  withSources,
} from '../scan-data/sources.js';
import { scannerAt } from '../scanners/connection.js';
import { fileNameFor, newFileText } from '../scanners/file-per-scanner.js';
import type { Target } from '../scanners/target.js';
import { standardOutput } from '../transfers/output-file.js';

export function defineCommand(command: Command): Command {
  command
    .description(
      [
        'Record scan, IMU and encoder data to a file, until Ctrl-C. The name of the file decides its format:',
        '.mcap for ROS 2, Foxglove and other viewers, with events and parameters of the scanner;',
        '.pcap or .pcapng for Wireshark; otherwise an Azimuth recording (.azrec).',
      ].join(' '),
    )
    .argument('<file>', `file to write; - for standard output. ${newFileText}`)
    .addOption(new Option('--seconds <number>', 'end after this time').argParser(numberOption(0.1, 1e9)))
    .addOption(
      new Option('--frames <number>', 'end after this many complete frames').argParser(
        wholeNumberOption(1, 1_000_000_000),
      ),
    )
    .action((file: string) => record(file, command.allOptions()));
  return withSourceOptions(command.withDeviceOptions())
    .withForce()
    .withProgress()
    .withExamples(
      'azimuth record hall.azrec --device http://192.168.0.1',
      'azimuth record hall.mcap --seconds 60',
      'azimuth record hall.pcapng --aim --seconds 60',
      'azimuth record - --listen 2115 --listen 7503 --frames 100 | gzip > hall.azrec.gz',
    );
}

/** Time without a telegram in ms after which a recording prints its source. */
const quietFor = 10_000;

/** Interval in ms at which formats write what waits for more. */
const flushInterval = 1000;

interface RecordOptions extends SourceOptions {
  readonly seconds?: number;
  readonly frames?: number;
  readonly force?: boolean;
  readonly progress?: boolean;
}

/** Records the data streams of a scanner into a file, telegram by telegram as they come. */
export async function record(typed: string, options: RecordOptions): Promise<void> {
  const target = await sourceScanner(options, 'record');
  const path = fileNameFor(typed, target);
  const asked = await factsFor(path, target);
  let facts: RecordedFacts = { ...asked, source: '' };
  const form = await recordForm(path, () => facts);
  await untilInterrupted(async (signal) => {
    const file = await RecordingFile.at(path, {
      header: () => form.header(),
      force: options.force === true,
      signal,
    });
    await withSources(
      { ...options, target, onOther: remark },
      ['scan', 'imu', 'encoder'],
      signal,
      async (sources) => {
        facts = {
          ...asked,
          source: [sources.title, ...sources.sources.map(({ label }) => label)].join(', '),
        };
        for (const line of sources.leftOut) remark(line);
        await recordSources(path, { file, form, sources, options, signal, target });
      },
    );
  });
}

/** Reads what the format keeps of the scanner. Without it, the recording has the names of the factory. */
async function factsFor(path: string, target: Target | undefined): Promise<Omit<RecordedFacts, 'source'>> {
  if (target === undefined || !keepsFacts(path)) return {};
  try {
    return await recordedFactsOf(scannerAt(target));
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    remark(`the recording has no parameters: ${error.message}`);
    return {};
  }
}

interface Job {
  readonly file: RecordingFile;
  readonly form: RecordForm;
  readonly target: Target | undefined;
  readonly sources: Sources;
  readonly options: RecordOptions;
  readonly signal: AbortSignal;
}

async function recordSources(
  path: string,
  { file, form, sources: { sources }, options, signal, target }: Job,
): Promise<void> {
  const progress = new RecordProgress(process.stderr, options.progress === true, () => performance.now());
  const frames = new FrameCount(options.frames);
  const begin = performance.now();
  let telegrams = 0;
  const recorded = () => ({ telegrams, bytes: file.bytes, losses: totalLosses(sources) });
  const close = () => {
    for (const { receiver } of sources) receiver.close();
  };
  const limit = options.seconds === undefined ? undefined : setTimeout(close, options.seconds * 1000);
  const where = sources.map(({ label }) => label).join(', ');
  const quiet = setTimeout(() => {
    if (telegrams === 0)
      remark(
        `nothing has come for ${quietFor / 1000} s. Still waiting at ${where}; azimuth doctor says why nothing comes`,
      );
  }, quietFor);

  async function follow(source: Source): Promise<void> {
    for await (const received of source.receiver) {
      if (frames.isEnough(received.telegram, received.from)) break;
      await file.append(await form.record(received));
      telegrams++;
      progress.update(recorded);
      if (frames.reached) break;
    }
    // The first stream with all wanted frames ends the others.
    if (frames.reached) close();
  }

  const ended = new AbortController();
  const events = followedEvents(path, target, AbortSignal.any([signal, ended.signal]), async (event) => {
    // There is no file before the first telegram.
    if (telegrams > 0) await file.append(form.event(event));
  });
  const flushes = setInterval(() => {
    if (telegrams > 0) file.append(form.flush()).catch(close);
  }, flushInterval);
  try {
    await Promise.all(sources.map(follow));
  } finally {
    clearTimeout(limit);
    clearTimeout(quiet);
    clearInterval(flushes);
    ended.abort();
    close();
    await events;
    if (telegrams > 0) await file.append(form.end()).catch(() => undefined);
    await file.end();
    progress.end(recorded());
  }
  if (telegrams === 0 && !signal.aborted) {
    const { damaged } = totalLosses(sources);
    const what =
      damaged > 0 ? `received ${damaged} damaged or foreign datagrams, but no telegram` : 'received nothing';
    throw new CommandFailure(`${what} at ${where}`, 'unreachable');
  }
  if (options.json === true && path !== standardOutput) {
    const seconds = Math.round(performance.now() - begin) / 1000;
    const { bytes, losses } = recorded();
    process.stdout.write(`${jsonText({ file: path, bytes, telegrams, seconds, losses })}\n`);
  }
}

/** Passes on the events of the scanner, if the format keeps them. */
async function followedEvents(
  path: string,
  target: Target | undefined,
  signal: AbortSignal,
  event: Parameters<typeof followEvents>[2]['event'],
): Promise<void> {
  if (target === undefined || !keepsFacts(path)) return;
  const problem = (reason: string) => remark(`events are not recorded: ${reason}`);
  await followEvents(scannerAt(target), signal, { event, problem });
}

/** Counts complete frames up to a number. */
class FrameCount {
  readonly #assembly = new FrameAssembly();
  #left: number;

  constructor(frames = Number.POSITIVE_INFINITY) {
    this.#left = frames;
  }

  get reached(): boolean {
    return this.#left <= 0;
  }

  /** Adds the next telegram; returns true for the first one that is not wanted any more. */
  isEnough(telegram: Telegram, from: string): boolean {
    if (telegram.kind !== 'scan' || this.#left === Number.POSITIVE_INFINITY) return false;
    const number = telegram.telegram.modules[0]?.frameNumber;
    const frames = this.#assembly.push(telegram.telegram, from).filter(({ complete }) => complete);
    this.#left -= frames.length;
    return this.reached && frames.at(-1)?.number !== number;
  }
}

function totalLosses(sources: readonly Source[]): ReceiverLosses {
  const total = { telegrams: 0, frames: 0, restarts: 0, outOfOrder: 0, damaged: 0, overrun: 0 };
  for (const { receiver } of sources) {
    const { losses } = receiver;
    total.telegrams += losses.telegrams;
    total.frames += losses.frames;
    total.restarts += losses.restarts;
    total.outOfOrder += losses.outOfOrder;
    total.damaged += losses.damaged;
    total.overrun += losses.overrun;
  }
  return total;
}
