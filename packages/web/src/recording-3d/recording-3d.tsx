import { EncoderMode, measurementDataOutput, ScanMergeSource } from '@azimuth/model';
import { useSignal } from '@preact/signals';
import { attempt, mayNow, NeedsLevel } from '../connection/acts.js';
import { scanner } from '../connection/current.js';
import { knownValue, levelToCall, levelToWrite } from '../connection/declarations.js';
import { confirmed } from '../parts/dialogs.js';
import { fileNameOf, saveFile, sizeText } from '../parts/files.js';
import { CloudView } from './cloud-view.js';
import { type RunState, recordingsOf } from './recordings.js';
import '../style/forms.css';
import '../style/maintain.css';
import '../style/live.css';
import '../style/recording-3d.css';
import { useEffect } from 'preact/hooks';
import { valueText } from '../forms/value-text.js';
import { linkTo } from '../parts/route.js';

const { ResetScanMergeView } = measurementDataOutput.members;

/** Records a volume with a scanner that moves, and shows it. */
export function Recording3d() {
  return (
    <div class="content">
      <header class="lead">
        <h1>3D recording</h1>
        <p class="soft">
          The scanner sees a plane. If it moves or turns, the recorder puts many planes together: a point
          cloud of the room.
        </p>
      </header>
      <RecorderPanel />
      <section class="panel">
        <h2>The latest recording</h2>
        <Latest />
      </section>
    </div>
  );
}

function Latest() {
  const { cloud } = recordingsOf(scanner());
  const state = cloud.state.value;
  switch (state.kind) {
    case 'unknown':
      return null;
    case 'fetching':
      return (
        <div class="progress" role="status">
          <span>
            Fetching the point cloud {state.bytes > 0 && <span class="soft">{sizeText(state.bytes)}</span>}
          </span>
          <progress
            value={state.total === undefined ? undefined : state.bytes}
            max={state.total}
            aria-label="Fetching"
          />
        </div>
      );
    case 'none':
      return (
        <p class="empty">
          Nothing is recorded yet. Switch the recorder on, press Start, move the scanner for some seconds,
          then press Stop and save.
        </p>
      );
    case 'failed':
      return (
        <>
          <div class="notice bad" role="alert">
            <span>{state.reason}</span>
            <button type="button" onClick={() => void cloud.fetch()}>
              Try again
            </button>
          </div>
          {state.file !== undefined && <Actions file={state.file} />}
        </>
      );
    case 'there':
      return (
        <>
          <Actions file={state.file} count={state.cloud.count} />
          {state.cloud.count === 0 ? (
            <p class="empty">
              The recording is empty: the scanner measured nothing while it ran. Start measuring, and record
              again.
            </p>
          ) : (
            <CloudView cloud={state.cloud} />
          )}
        </>
      );
  }
}

function Actions({ file, count }: { file: Uint8Array<ArrayBuffer>; count?: number }) {
  const link = scanner();
  const busy = useSignal(false);
  const level = levelToCall(ResetScanMergeView);
  const save = () =>
    saveFile(fileNameOf(link.title.peek(), 'cloud', 'pcd'), file, 'application/octet-stream');
  const remove = async () => {
    const question = {
      title: 'Delete the recording?',
      text: 'The scanner deletes its point cloud.',
      calls: ResetScanMergeView,
      act: 'Delete',
      danger: true,
    };
    if (!(await mayNow(level)) || !(await confirmed(question))) return;
    if (await attempt(busy, level, () => link.call(ResetScanMergeView.name)))
      await recordingsOf(link).cloud.fetch();
  };
  return (
    <div class="row">
      <span class="soft">
        {count !== undefined && `${count.toLocaleString('en')} points, `}
        {sizeText(file.length)}
      </span>
      <button type="button" onClick={save}>
        Download
      </button>
      <button type="button" class="danger" disabled={busy.value} onClick={remove}>
        Delete …
      </button>
      <NeedsLevel level={level} />
    </div>
  );
}

const { EncSetting, ScanMergerEnabled, ScanMergerSource, StartScanMerge, StopScanMerge } =
  measurementDataOutput.members;

/** Starts and stops 3D recordings, and says how they are made. */
function RecorderPanel() {
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
