import { type Json, type Matcher, mismatch } from '../match/matcher.js';
import { saveParts } from './saved-values.js';
import type { StepContext } from './step-context.js';
import { performStream, type StreamName, stream } from './stream.js';
import { type CaptureLength, captureAsExpected, type TelegramsOptions, telegrams } from './telegrams.js';

/**
 * Takes telegrams of a stream with some settings, and compares what they say. A check takes them once for all cases that need the
 * same; it takes them again before it says that they are wrong.
 */
export interface SampleStep {
  readonly kind: 'sample';
  readonly stream: StreamName;
  /** As in a step `stream`. */
  readonly settings: Readonly<Record<string, Json>>;
  readonly take: CaptureLength;
  readonly region?: TelegramsOptions['region'];
  readonly within?: number;
  readonly expect: Matcher;
  readonly save?: Readonly<Record<string, string>>;
}

export function sample(
  name: StreamName,
  settings: SampleStep['settings'],
  take: CaptureLength,
  expect: Matcher,
  options: TelegramsOptions = {},
): SampleStep {
  return { kind: 'sample', stream: name, settings, take, ...options, expect };
}

/** @throws NotTestable, Unmet, NoAnswer */
export async function performSample(step: SampleStep, context: StepContext): Promise<void> {
  const { stream: name, settings, take, region, within, expect, save } = step;
  const key = JSON.stringify([name, settings, take, region]);
  const known = context.samples.get(key);
  if (known !== undefined && mismatch(expect, known, '', context) === undefined) {
    saveParts(known, save, context);
    return;
  }
  await performStream(stream(name, settings), context);
  const options = { ...(region && { region }), ...(within === undefined ? {} : { within }) };
  const capture = await captureAsExpected(telegrams(name, take, expect, options), context);
  context.samples.set(key, capture);
  saveParts(capture, save, context);
}
