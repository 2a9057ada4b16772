import { measurementDataOutput } from '@azimuth/model';
import { useSignal } from '@preact/signals';
import { attempt, mayNow } from '../connection/attempt.js';
import { scanner } from '../connection/current.js';
import { levelToCall } from '../connection/needed-level.js';
import { NeedsLevel } from '../forms/needs-level.js';
import { confirmed } from '../parts/dialogs.js';
import { fileNameOf, saveFile } from '../parts/save-file.js';
import { sizeText } from '../parts/size.js';
import { CloudView } from './cloud-view.js';
import { recordingsOf } from './own-recordings.js';
import { RecorderPanel } from './recorder-panel.js';
import '../style/forms.css';
import '../style/maintain.css';
import '../style/live.css';
import '../style/recording-3d.css';

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
