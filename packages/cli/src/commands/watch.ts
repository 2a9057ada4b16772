import { type AnyEvent, type EventsState, type Scanner, ScannerError } from '@azimuth/client';
import { allEvents, concurrently, type Variable } from '@azimuth/model';
import { Command, Option } from 'commander';
import { CommandFailure } from '../command-failure.js';
import { scannerAt } from '../connection.js';
import { eventNamed } from '../endpoint-names.js';
import { formatValue, oneLineOf } from '../format-value.js';
import { numberOption, wholeNumberOption } from '../option-values.js';
import { type DeviceOptions, deviceOptions, withDeviceOptions, withExamples } from '../options.js';
import { jsonText, untilInterrupted } from '../output.js';
import { eachScanner } from '../targets/each-scanner.js';
import type { TargetOutput } from '../targets/target-output.js';

export function watchCommand(): Command {
  const command = new Command('watch')
    .description(
      'Print the current values of variables, then every change, until Ctrl-C. Each value is one line. The scanner sends them as events (release 2.3.1 or newer). If the connection is lost, the command goes on when the scanner is back.',
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
    .action(async (names: string[]) => {
      await watch(names, deviceOptions(command));
    });
  return withExamples(
    withDeviceOptions(command),
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

/** A scanner answers a few at once well, and many with HTTP 429. */
const atOnce = 4;

/** Prints values as they change, until it is interrupted. */
async function watch(names: readonly string[], options: WatchOptions): Promise<void> {
  if (options.all === true && names.length > 0) {
    throw new CommandFailure('give names or --all, not both');
  }
  if (options.all !== true && names.length === 0) throw new CommandFailure('name an event, or give --all');
  const named = names.map(eventNamed);
  await untilInterrupted((interruption) =>
    eachScanner(
      options,
      async (target, output) => {
        const scanner = scannerAt(target);
        const events = options.all === true ? await eventsOf(scanner) : named;
        await follow(scanner, events, { options, output, interruption });
      },
      { live: true },
    ),
  );
}

/** The events whose variables the scanner has. Whether it pushes them shows at the registration. */
async function eventsOf(scanner: Scanner): Promise<Variable<unknown>[]> {
  const there = await concurrently(atOnce, allEvents, async (event) => {
    try {
      await scanner.readAny(event.name);
      return [event];
    } catch (error) {
      if (error instanceof ScannerError && error.statusName === 'notFound') return [];
      throw error;
    }
  });
  return there.flat();
}

async function follow(
  scanner: Scanner,
  watched: readonly Variable<unknown>[],
  {
    options,
    output,
    interruption,
  }: { options: WatchOptions; output: TargetOutput; interruption: AbortSignal },
): Promise<void> {
  const { count, throttle, timeout } = options;
  const limit = timeout === undefined ? [] : [AbortSignal.timeout(timeout * 1000)];
  const signal = AbortSignal.any([interruption, ...limit]);
  const lineOf = lineFor(watched);
  const events = scanner.eventsAny(
    watched.map(({ name }) => name),
    {
      signal,
      ...(throttle === undefined ? {} : { throttle }),
      onState: (state, reason) => output.note(inWords(state, reason, scanner.url)),
    },
  );
  const last = new Map<string, string>();
  let printed = 0;
  let lost = 0;
  for await (const event of events) {
    if (events.lost > lost)
      output.note(`${events.lost - lost} values were dropped: they were not read in time`);
    lost = events.lost;
    // After a reconnection the scanner sends values that have not changed.
    const data = JSON.stringify(event.data);
    if (last.get(event.event) === data) continue;
    last.set(event.event, data);
    await output.print(asJson(event), () => [lineOf(event)], signal);
    if (++printed === count) return;
  }
  if (count === undefined || interruption.aborted) return;
  throw new CommandFailure(`${printed} of ${count} values were received within ${timeout} s`, 'refused');
}

function inWords(state: EventsState, reason: string, url: string): string {
  if (state === 'lost') return `${reason}; trying again, Ctrl-C ends`;
  return state === 'connected' ? `connected to ${url}` : 'connected again';
}

function asJson({ at, event, data }: AnyEvent): Readonly<Record<string, unknown>> {
  return { at: new Date(at).toISOString(), event, data };
}

function lineFor(watched: readonly Variable<unknown>[]): (event: AnyEvent) => string {
  const shapes = new Map(watched.map(({ name, type }) => [name, type.shape]));
  const width = Math.max(...watched.map(({ name }) => name.length));
  return ({ at, event, data }) => {
    const shape = shapes.get(event);
    const value = shape === undefined ? jsonText(data) : oneLineOf(formatValue(shape, data));
    return `${timeOfDay(new Date(at))}  ${event.padEnd(width)}  ${value}`;
  };
}

/** `12:03:04.123`, as the clocks on the wall go here. */
function timeOfDay(date: Date): string {
  const [hours, minutes, seconds] = [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) =>
    `${part}`.padStart(2, '0'),
  );
  return `${hours}:${minutes}:${seconds}.${`${date.getMilliseconds()}`.padStart(3, '0')}`;
}
