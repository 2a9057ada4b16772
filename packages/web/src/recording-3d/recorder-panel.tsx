import { EncoderMode, measurementDataOutput, ScanMergeSource } from '@azimuth/model';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { attempt } from '../connection/attempt.js';
import { scanner } from '../connection/current.js';
import { knownValue } from '../connection/known-value.js';
import { levelToCall, levelToWrite } from '../connection/needed-level.js';
import { NeedsLevel } from '../forms/needs-level.js';
import { valueText } from '../forms/value-text.js';
import { linkTo } from '../routing/route.js';
import { recordingsOf } from './own-recordings.js';
import type { RunState } from './recording-run.js';

const { EncSetting, ScanMergerEnabled, ScanMergerSource, StartScanMerge, StopScanMerge } =
  measurementDataOutput.members;

/** Starts and stops 3D recordings, and says how they are made. */
export function RecorderPanel() {
  const link = scanner();
  const { run } = recordingsOf(link);
  const busy = useSignal(false);
  const state = run.state.value;
  const isOn = knownValue(link, ScanMergerEnabled);
  const level = levelToCall(StartScanMerge);
  const start = async () => {
    if (await attempt(busy, level, () => link.call(StartScanMerge.name))) void run.started();
  };
  const stop = async () => {
    if (await attempt(busy, level, () => link.call(StopScanMerge.name))) void run.stopped();
  };
  return (
    <section class="panel">
      <h2>Record</h2>
      {isOn === false && <SwitchedOff />}
      <Motion />
      <div class="row">
        <button
          type="button"
          class="main"
          disabled={busy.value || isOn !== true || state.kind !== 'idle'}
          onClick={start}
        >
          Start
        </button>
        <button
          type="button"
          disabled={busy.value || isOn !== true || state.kind === 'saving'}
          onClick={stop}
        >
          Stop and save
        </button>
        <NeedsLevel level={level} />
      </div>
      <Progress state={state} />
    </section>
  );
}

function SwitchedOff() {
  const link = scanner();
  const busy = useSignal(false);
  const level = levelToWrite(ScanMergerEnabled);
  const switchOn = () => attempt(busy, level, () => link.write(ScanMergerEnabled.name, true));
  return (
    <p class="notice warn">
      The recorder is switched off.
      <button type="button" class="main" disabled={busy.value} onClick={switchOn}>
        Switch on
      </button>
      <NeedsLevel level={level} />
    </p>
  );
}

/** What tells the recorder how the scanner moves. */
function Motion() {
  const link = scanner();
  const source = knownValue(link, ScanMergerSource);
  if (source === undefined) return null;
  const isEncoder = source === ScanMergeSource.ENCODER;
  const hasNoTicks = isEncoder && knownValue(link, EncSetting) === EncoderMode.TX_OFF;
  return (
    <>
      <dl class="facts">
        <dt>Motion from</dt>
        <dd>
          {valueText(ScanMergerSource.type.shape, source)}:{' '}
          <span class="soft">
            {isEncoder
              ? 'how far the machine moves or turns'
              : 'how the scanner turns, not how it moves along'}
            .
          </span>{' '}
          <a href={linkTo('parameters', ScanMergerSource.name)}>Change</a>
        </dd>
      </dl>
      {hasNoTicks && (
        <p class="notice warn">
          <span>
            The encoder is switched off, so all scans would lie in one plane.{' '}
            <a href={linkTo('parameters', EncSetting.name)}>Set up the encoder</a>
          </span>
        </p>
      )}
    </>
  );
}

function Progress({ state }: { state: RunState }) {
  const seconds = useSignal(0);
  useEffect(() => {
    if (state.kind !== 'recording') return;
    const count = () => {
      seconds.value = Math.floor((performance.now() - state.since) / 1000);
    };
    count();
    const timer = setInterval(count, 500);
    return () => clearInterval(timer);
  }, [state, seconds]);
  if (state.kind === 'idle') {
    return (
      <p class="soft small">
        A recording ends by itself after 30 s, or after 15 s with profiles of many beams. A new one replaces
        the one before.
      </p>
    );
  }
  const words =
    state.kind === 'saving'
      ? 'The scanner saves the recording'
      : `Recording: ${seconds.value} s. Move the scanner.`;
  return (
    <div class="progress">
      <span role={state.kind === 'saving' ? 'status' : undefined}>{words}</span>
      <progress aria-label={state.kind === 'saving' ? 'Saving' : 'Recording'} />
    </div>
  );
}
