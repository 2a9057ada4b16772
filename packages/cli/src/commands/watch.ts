import { concurrently, pause } from '@azimuth/async';
import { type AnyEvent, ClientError, mayPass, pauseAfter, type Scanner, ScannerError } from '@azimuth/client';
import { counted, type Variable } from '@azimuth/model';
import { Option } from 'commander';
import { CommandFailure, exitCodes, SeveralFailed, type TargetFailure } from '../command-failure.js';
import type { Command, DeviceOptions } from '../options/command.js';
import { numberOption, wholeNumberOption } from '../options/option-values.js';
import { describeFailures } from '../output/failures.js';
import { errorLine, jsonText, untilInterrupted } from '../output/output.js';
import { scannerAt } from '../scanners/connection.js';
import { asDescribed } from '../scanners/described.js';
import { withScanners } from '../scanners/each-scanner.js';
import type { Target } from '../scanners/target.js';
import type { TargetOutput } from '../scanners/target-output.js';
import { eventNamed } from '../values/endpoint-names.js';
import { formatValue, oneLine } from '../values/format-value.js';
import { ConnectionLines, timeOfDay } from '../watch/connection-lines.js';

export function defineCommand(command: Command): Command {
  return command
    .description(
      'Print the current values of variables, then every change, until Ctrl-C. Each value is one line. The scanner sends them as events (release 2.3.1 or newer). If the connection is lost, the command says so, and goes on when the scanner is back. Of several scanners, one that does not answer at first is tried again, too.',
    )
    .argument('[event...]', 'variables to watch, for example DeviceStatus or FieldEvaluationResult')
    .option('--all', 'watch all variables that the scanner sends as events')
    .addOption(
      new Option('--count <events>', 'end after this many lines').argParser(
        wholeNumberOption(1, 1_000_000_000),
      ),
    )
    .addOption(
      new Option('--throttle <ms>', 'shortest time between two values of the same variable').argParser(
        wholeNumberOption(0, 86_400_000),
      ),
    )
    .addOption(new Option('--timeout <seconds>', 'end after this time').argParser(numberOption(0.1, 1e6)))
    .action((names: string[]) => watch(names, command.allOptions()))
    .withDeviceOptions()
    .withExamples(
      'azimuth watch DeviceStatus',
      'azimuth watch FieldEvaluationResult InputState --device http://192.168.0.1',
      'azimuth watch --all --throttle 1000 --json >> events.jsonl',
      'azimuth watch DeviceStatus --count 2 --timeout 60',
    );
}

interface WatchOptions extends DeviceOptions {
  readonly all?: boolean;
  readonly count?: number;
  /** ms. */
  readonly throttle?: number;
  /** Seconds. */
  readonly timeout?: number;
}

/** Number of reads at the same time: a scanner answers many with HTTP 429. */
const atOnce = 4;

/** Prints values as they change, until it is interrupted. */
async function watch(names: readonly string[], options: WatchOptions): Promise<void> {
  if (options.all === true && names.length > 0) {
    throw new CommandFailure('give names or --all, not both');
  }
  if (options.all !== true && names.length === 0) throw new CommandFailure('name an event, or give --all');
  await untilInterrupted((interruption) =>
    withScanners(options, async (scanners) => {
      const { targets, several } = scanners;
      const named = await asDescribed(targets, (known) => names.map((name) => eventNamed(name, known)));
      const failures: TargetFailure[] = [];
      const act = async (target: Target, output: TargetOutput) => {
        try {
          await follow(target, named, { options, output, interruption, several });
        } catch (error) {
          if (!several) throw error;
          if (interruption.aborted) return;
          failures.push({ label: target.label, error });
          const othersAreWatched = failures.length < targets.length;
          if (othersAreWatched && !(error instanceof CommandFailure))
            await reportAtOnce(target, error, options);
        }
      };
      await scanners.each(act, { live: true });
      // If other scanners were watched, one that cannot be watched is not a failure, unless values of each were requested.
      const isFailure = options.count !== undefined || failures.length === targets.length;
      if (failures.length > 0 && isFailure) throw new SeveralFailed(failures, targets.length);
    }),
  );
}

/** Reports on stderr that a scanner cannot be watched. */
async function reportAtOnce(
  { label }: Target,
  error: unknown,
  { json = false }: WatchOptions,
): Promise<void> {
  const { failures } = await describeFailures(error);
  for (const { line, exitCode } of failures) {
    const { code } = exitCodes[exitCode];
    process.stderr.write(`${errorLine(line, { json, exitCode: code, scanner: label })}\n`);
  }
}

/** Returns the events whose variables the scanner has. The registration shows if the scanner pushes them. */
async function existingEvents(scanner: Scanner): Promise<Variable<unknown>[]> {
  const known = await scanner.description.whole();
  const events = known.events.filter(({ name }) => !known.lacks(name));
  const existing = await concurrently(atOnce, events, async (event) => {
    try {
      await scanner.readAny(event.name);
      return [event];
    } catch (error) {
      if (error instanceof ScannerError && error.statusName === 'notFound') return [];
      throw error;
    }
  });
  return existing.flat();
}

interface Following {
  readonly options: WatchOptions;
  readonly output: TargetOutput;
  readonly interruption: AbortSignal;
  /** True for one of several scanners: then it is retried also if it does not answer at first. */
  readonly several: boolean;
}

/** @param named the events to watch; with `--all`, those that the scanner has */
async function follow(
  target: Target,
  named: readonly Variable<unknown>[],
  { options, output, interruption, several }: Following,
): Promise<void> {
  const { count, throttle, timeout } = options;
  const limit = timeout === undefined ? [] : [AbortSignal.timeout(timeout * 1000)];
  const signal = AbortSignal.any([interruption, ...limit]);
  const scanner = scannerAt(target);
  const connection = new ConnectionLines(output, scanner.url);
  const watched =
    options.all === true ? await eventsWhenReachable(scanner, connection, { several, signal }) : named;
  const formatLine = lineFor(watched);
  const events = scanner.eventsAny(
    watched.map(({ name }) => name),
    {
      signal,
      retryFirst: several,
      throttle,
      onState: (state, reason) => (state === 'lost' ? connection.lost(reason) : connection.connected()),
      onMissing: ({ message }) => output.remark(message),
    },
  );
  const last = new Map<string, string>();
  let printed = 0;
  let lost = 0;
  for await (const event of events) {
    if (events.lost > lost)
      output.remark(`${counted(events.lost - lost, 'value was', 'values were')} dropped: not read in time`);
    lost = events.lost;
    // After a reconnection the scanner sends values that have not changed.
    const data = JSON.stringify(event.data);
    if (last.get(event.event) === data) continue;
    last.set(event.event, data);
    await output.print(asJson(event), () => [formatLine(event)], signal);
    if (++printed === count) return;
  }
  if (count === undefined || interruption.aborted) return;
  throw new CommandFailure(
    `${printed} of ${counted(count, 'value was', 'values were')} received within ${timeout} s`,
    'refused',
  );
}

/** Waits until the scanner answers, and returns its events. @throws its error, if it is the only scanner */
async function eventsWhenReachable(
  scanner: Scanner,
  connection: ConnectionLines,
  { several, signal }: { several: boolean; signal: AbortSignal },
): Promise<readonly Variable<unknown>[]> {
  for (let failures = 0; ; failures++) {
    try {
      return await existingEvents(scanner);
    } catch (error) {
      if (!several || !(error instanceof ClientError) || !mayPass(error)) throw error;
      connection.lost(error.message);
    }
    await pause(pauseAfter(failures), signal);
    if (signal.aborted) return scanner.description.known.events;
  }
}

function asJson({ at, event, data }: AnyEvent): Readonly<Record<string, unknown>> {
  return { at: new Date(at).toISOString(), event, data };
}

function lineFor(watched: readonly Variable<unknown>[]): (event: AnyEvent) => string {
  const shapes = new Map(watched.map(({ name, type }) => [name, type.shape]));
  const width = Math.max(...watched.map(({ name }) => name.length));
  return ({ at, event, data }) => {
    const shape = shapes.get(event);
    const value = shape === undefined ? jsonText(data) : oneLine(formatValue(shape, data));
    return `${timeOfDay(new Date(at))}  ${event.padEnd(width)}  ${value}`;
  };
}
