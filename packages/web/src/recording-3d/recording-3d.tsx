import { EncoderMode, measurementDataOutput, ScanMergeSource } from '@azimuth/model';
import { useSignal } from '@preact/signals';
import { Act, NeedsLevel, SwitchOn } from '../connection/acts.js';
import { scanner } from '../connection/current.js';
import { knownValue, levelToCall } from '../connection/declarations.js';
import { savedFile } from '../parts/files.js';
import { Progress } from '../parts/jobs.js';
import { Facts, PageContent, Panel } from '../parts/panels.js';
import { Since, sizeText } from '../parts/texts.js';
import { CloudView } from './cloud-view.js';
import { type RunState, recordingsOf } from './recordings.js';
import '../style/forms.css';
import '../style/plan.css';
import '../style/recording-3d.css';
import { valueText } from '../forms/value-text.js';
import { linkTo } from '../parts/route.js';

const { ResetScanMergeView } = measurementDataOutput.members;

export default function Recording3d() {
  return (
    <PageContent title="3D recording">
      <p class="lead">
        The scanner sees a plane. If it moves or turns, the recorder puts many planes together: a point cloud
        of the room.
      </p>
      <RecorderPanel />
      <Panel title="The latest recording">
        <Latest />
      </Panel>
    </PageContent>
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
        <Progress
          stage="Fetching the point cloud"
          note={state.bytes > 0 ? sizeText(state.bytes) : ''}
          done={state.bytes}
          total={state.total}
        />
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
    case 'loaded':
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
  const level = levelToCall(ResetScanMergeView);
  const remove = async () => {
    await link.call(ResetScanMergeView.name);
    await recordingsOf(link).cloud.fetch();
  };
  const question = () => ({
    title: 'Delete the recording?',
    text: 'The scanner deletes its point cloud.',
    calls: ResetScanMergeView,
    act: 'Delete',
    danger: true,
  });
  return (
    <div class="row">
      <span class="soft">
        {count !== undefined && `${count.toLocaleString('en')} points, `}
        {sizeText(file.length)}
      </span>
      <button type="button" onClick={() => savedFile(link.title.peek(), 'cloud', 'pcd', file)}>
        Download
      </button>
      <Act kind="danger" level={level} act={remove} question={question}>
        Delete …
      </Act>
      <NeedsLevel level={level} />
    </div>
  );
}

const { EncSetting, ScanMergerEnabled, ScanMergerSource, StartScanMerge, StopScanMerge } =
  measurementDataOutput.members;

function RecorderPanel() {
  const link = scanner();
  const { run } = recordingsOf(link);
  const busy = useSignal(false);
  const state = run.state.value;
  const isOn = knownValue(link, ScanMergerEnabled) === true;
  const level = levelToCall(StartScanMerge);
  const start = async () => {
    await link.call(StartScanMerge.name);
    void run.started();
  };
  const stop = async () => {
    await link.call(StopScanMerge.name);
    void run.stopped();
  };
  return (
    <Panel title="Record">
      <SwitchOn variable={ScanMergerEnabled}>The recorder is switched off.</SwitchOn>
      <Motion />
      <div class="row">
        <Act kind="main" level={level} busy={busy} disabled={!isOn || state.kind !== 'idle'} act={start}>
          Start
        </Act>
        <Act level={level} busy={busy} disabled={!isOn || state.kind === 'saving'} act={stop}>
          Stop and save
        </Act>
        <NeedsLevel level={level} />
      </div>
      <RunProgress state={state} />
    </Panel>
  );
}

/** Source of the movement of the scanner for the recorder. */
function Motion() {
  const link = scanner();
  const source = knownValue(link, ScanMergerSource);
  if (source === undefined) return null;
  const isEncoder = source === ScanMergeSource.ENCODER;
  const hasNoTicks = isEncoder && knownValue(link, EncSetting) === EncoderMode.TX_OFF;
  return (
    <>
      <Facts
        of={[
          [
            `Motion from`,
            <>
              {valueText(ScanMergerSource.type.shape, source)}:{' '}
              <span class="soft">
                {isEncoder
                  ? 'how far the machine moves or turns'
                  : 'how the scanner turns, not how it moves along'}
                .
              </span>{' '}
              <a href={linkTo('parameters', ScanMergerSource.name)}>Change</a>
            </>,
          ],
        ]}
      />
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

function RunProgress({ state }: { state: RunState }) {
  if (state.kind === 'idle') {
    return (
      <p class="soft small">
        A recording ends by itself after 30 s, or after 15 s with profiles of many beams. A new one replaces
        the one before.
      </p>
    );
  }
  const isSaving = state.kind === 'saving';
  return (
    <div class="stacked">
      <span role={isSaving ? 'status' : undefined}>
        {isSaving ? (
          'The scanner saves the recording'
        ) : (
          <>
            Recording: <Since start={state.since} /> s. Move the scanner.
          </>
        )}
      </span>
      <progress aria-label={isSaving ? 'Saving' : 'Recording'} />
    </div>
  );
}
