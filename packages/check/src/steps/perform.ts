import { performAssume } from './assume.js';
import { performControl } from './control.js';
import { performDown } from './down.js';
import { performEnabledLevel } from './enabled-level.js';
import { performEvent } from './event.js';
import { performGiven } from './given.js';
import { performLegacy } from './legacy.js';
import { performLegacyLevel } from './legacy-level.js';
import { performLegacyScans } from './legacy-scans.js';
import { performLevelState } from './level-state.js';
import { performOnce } from './once.js';
import { performPasswordMessage } from './password-message.js';
import { performPause } from './pause.js';
import { performRaw } from './raw.js';
import type { RepeatStep } from './repeat.js';
import { performRequest } from './request.js';
import { performSample } from './sample.js';
import { performSearch } from './search.js';
import { performSilence } from './silence.js';
import type { Step } from './step.js';
import { NotTestable, type StepContext } from './step-context.js';
import { performStream } from './stream.js';
import { performTelegrams } from './telegrams.js';
import { performTransfer } from './transfer.js';
import { performUntil } from './until.js';

/**
 * Does one step, and compares what came with what is expected.
 * @throws Unmet if the scanner does otherwise, NotTestable if something is missing, NoAnswer
 */
export async function perform(step: Step, context: StepContext): Promise<void> {
  switch (step.kind) {
    case 'request':
      return performRequest(step, context);
    case 'pause':
      return performPause(step, context);
    case 'transfer':
      return performTransfer(step, context);
    case 'until':
      return performUntil(step, context);
    case 'control':
      return performControl(step, context);
    case 'down':
      return performDown(step, context);
    case 'enabled-level':
      return performEnabledLevel(step, context);
    case 'once':
      return performOnce(step, context);
    case 'given':
      return performGiven(step, context);
    case 'legacy':
      return performLegacy(step, context);
    case 'legacy-level':
      return performLegacyLevel(step, context);
    case 'legacy-scans':
      return performLegacyScans(step, context);
    case 'raw':
      return performRaw(step, context);
    case 'repeat':
      return performRepeat(step, context);
    case 'level-state':
      return performLevelState(step, context);
    case 'password-message':
      return performPasswordMessage(step, context);
    case 'search':
      return performSearch(step, context);
    case 'assume':
      return performAssume(step, context);
    case 'stream':
      return performStream(step, context);
    case 'telegrams':
      return performTelegrams(step, context);
    case 'sample':
      return performSample(step, context);
    case 'silence':
      return performSilence(step, context);
    case 'event':
      return performEvent(step, context);
  }
}

async function performRepeat(
  { times, steps, within = Number.POSITIVE_INFINITY }: RepeatStep<Step>,
  context: StepContext,
): Promise<void> {
  const { clock } = context.target;
  const began = clock.now();
  for (let round = 0; round < times && !context.signal.aborted; round++)
    for (const step of steps) await perform(step, context);
  const seconds = (clock.now() - began) / 1000;
  if (seconds > within)
    throw new NotTestable(
      `${times} rounds took ${seconds.toFixed(1)} s, and have to be done within ${within} s`,
    );
}
