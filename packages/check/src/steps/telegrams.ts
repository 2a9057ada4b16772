import { type Matcher, mismatch } from '../match/matcher.js';
import type { Region } from '../telegram/beam-facts.js';
import { type Capture, captureOf } from '../telegram/capture.js';
import { type Reading, readTelegram } from '../telegram/reading.js';
import type { UdpReceiver } from '../wire/udp-receiver.js';
import { saveParts } from './saved-values.js';
import { type StepContext, Unmet } from './step-context.js';
import { receiverOf } from './stream.js';

/** How much of a stream is taken: whole scans, telegrams, or seconds of the scanner's clock. */
export type CaptureLength =
  | { readonly scans: number }
  | { readonly telegrams: number }
  | { readonly seconds: number };

/** Takes telegrams of a stream that a step has opened, from now on, and compares what they say. */
export interface TelegramsStep {
  readonly kind: 'telegrams';
  /** Name of the port: that of the stream by default. */
  readonly from: string;
  readonly take: CaptureLength;
  /** The echoes inside and outside of it are counted. */
  readonly region?: Region;
  /**
   * Seconds in which the expectation has to come true. Until then, telegrams are taken again. Without it, they are taken once more
   * at most: a datagram can be lost on its way.
   */
  readonly within?: number;
  /** Compared with `telegrams`, the `first` of them, whole `scans`, and the number `perSecond`. */
  readonly expect: Matcher;
  /** Parts to save, by the name under which they are saved: `{ first: 'telegrams.0.sequence' }`. */
  readonly save?: Readonly<Record<string, string>>;
}

export type TelegramsOptions = Pick<TelegramsStep, 'region' | 'within' | 'save'>;

export function telegrams(
  from: string,
  take: CaptureLength,
  expect: Matcher,
  options: TelegramsOptions = {},
): TelegramsStep {
  return { kind: 'telegrams', from, take, ...options, expect };
}

/** Seconds after which a stream that sends nothing counts as silent: devices begin within 3 s. */
const longestSilence = 6;
/** Telegrams and seconds that are taken at most: whatever a scanner sends, a step ends. */
const mostTelegrams = 400;
const longestCapture = 15;
/** ms of the scanner's clock between two looks at what has come. */
const slice = 50;

/** @throws Unmet if it does not come true */
export async function performTelegrams(step: TelegramsStep, context: StepContext): Promise<void> {
  const capture = await captureAsExpected(step, context);
  saveParts(capture, step.save, context);
}

/** Takes telegrams until they are as expected. @throws Unmet if they are not in time */
export async function captureAsExpected(step: TelegramsStep, context: StepContext): Promise<Capture> {
  const receiver = receiverOf(step.from, context);
  const { signal } = context;
  let before = lastOf(receiver);
  let waited = 0;
  for (let attempt = 1; ; attempt++) {
    const { came, last, seconds } = await taken(step, receiver, before, context);
    const wrong = mismatch(step.expect, came, step.from, context);
    if (wrong === undefined) return came;
    waited += seconds;
    before = last ?? before;
    const isLast = attempt >= 2 && waited >= (step.within ?? 0);
    if (isLast || signal.aborted || last === undefined) throw new Unmet(wrong);
  }
}

/** Drops what waits. Returns the last telegram that came: the next one follows it. */
function lastOf(receiver: UdpReceiver): Reading | undefined {
  receiver.take();
  const { latest } = receiver;
  return latest === undefined ? undefined : readTelegram(latest);
}

/** What came, its last telegram, and the seconds that it took. */
interface Taken {
  readonly came: Capture;
  readonly last: Reading | undefined;
  readonly seconds: number;
}

async function taken(
  { take: length, region }: Pick<TelegramsStep, 'take' | 'region'>,
  receiver: UdpReceiver,
  before: Reading | undefined,
  { target: { clock }, signal }: StepContext,
): Promise<Taken> {
  const readings: Reading[] = [];
  const started = clock.now();
  let waited = 0;
  let silent = 0;
  let firstAfter: number | undefined;
  await receiver.settled();
  while (!isEnough(length, readings, waited) && silent < longestSilence * 1000 && !signal.aborted) {
    await clock.wait(slice, signal);
    await receiver.settled();
    waited += slice;
    const came = receiver.take();
    silent = came.length === 0 ? silent + slice : 0;
    if (came.length > 0) firstAfter ??= waited;
    readings.push(...came.map(readTelegram));
  }
  const seconds = Math.max(waited, clock.now() - started) / 1000;
  return {
    came: captureOf(readings, before, { seconds, waited: (firstAfter ?? waited) / 1000 }, region),
    last: readings.at(-1),
    seconds,
  };
}

function isEnough(length: CaptureLength, readings: readonly Reading[], waited: number): boolean {
  if ('seconds' in length) return waited >= length.seconds * 1000;
  if (waited >= longestCapture * 1000 || readings.length >= mostTelegrams) return true;
  if ('telegrams' in length) return readings.length >= length.telegrams;
  const frames = new Set(readings.map((reading) => (reading.kind === 'scan' ? reading.frame : undefined)));
  // Those at the beginning and at the end may be cut off.
  return frames.size >= length.scans + 2;
}
