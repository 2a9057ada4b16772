import { counted, device, firmwareUpdate, isObject } from '@azimuth/model';
import { mayNow, NeedsLevel, SaveButton } from '../connection/acts.js';
import { scanner } from '../connection/current.js';
import { levelToCall } from '../connection/declarations.js';
import type { ScannerLink } from '../connection/scanner-link.js';
import { confirmed } from '../parts/dialogs.js';
import { FileChoice } from '../parts/files.js';
import { Facts, PageContent, Panel } from '../parts/panels.js';
import { sizeText } from '../parts/texts.js';
import {
  type FirmwareUpdate,
  firmwareEndings,
  firmwareUpdateOf,
  lastUpdateText,
  stages,
  stageWords,
} from './firmware-update.js';
import '../style/forms.css';
import '../style/firmware.css';
import { JobProgress } from '../parts/jobs.js';
import { linkTo } from '../parts/route.js';

const { RunFirmwareUpdate } = firmwareUpdate.members;
const level = levelToCall(RunFirmwareUpdate);

export default function Firmware() {
  const link = scanner();
  const update = firmwareUpdateOf(link);
  return (
    <PageContent title="Firmware">
      <p class="lead">
        The program inside the scanner. Install a newer one from a file of the maker. The scanner restarts,
        and keeps its saved parameters and its passwords.
      </p>
      <Running link={link} />
      <Panel title="Update">
        <Choice link={link} update={update} />
        <Steps update={update} />
        <Outcome link={link} update={update} />
      </Panel>
    </PageContent>
  );
}

function Running({ link }: { link: ScannerLink }) {
  const ident = link.value(device.members.DeviceIdent.name);
  const type = link.value(device.members.DeviceType.name);
  return (
    <Panel title="What runs now">
      <Facts
        of={[
          ['Firmware', <strong>{isObject(ident) ? String(ident.Version) : '…'}</strong>],
          ['Device type', typeof type === 'string' ? type : '…'],
          ['Last update', lastUpdateText(link)],
        ]}
      />
    </Panel>
  );
}

function Choice({ link, update }: { link: ScannerLink; update: FirmwareUpdate }) {
  const file = update.file.value;
  const unsaved = link.stored.unsaved.value;
  const install = async () => {
    if (file === undefined) return;
    const question = {
      title: `Install ${file.name}?`,
      text: `The scanner stops measuring, restarts, and is back in a while. It cannot go back to an older firmware.${
        unsaved === undefined || unsaved.length === 0 ? '' : ' These changes are not saved, and are lost:'
      }`,
      calls: RunFirmwareUpdate,
      lines: unsaved ?? [],
      act: 'Install',
    };
    if (!(await mayNow(level)) || !(await confirmed(question))) return;
    await update.install(link);
  };
  if (update.job.isRunning) {
    return (
      <p>
        <strong class="file-name">{file?.name}</strong>
      </p>
    );
  }
  return (
    <>
      <p class="soft">
        Choose a file that ends in <code>.spk</code>, or <code>.spk.signed</code> from release 2.2.0 on. The
        scanner checks it before it changes anything. Leave the power on until the scanner is back.
      </p>
      {unsaved !== undefined && unsaved.length > 0 && <Unsaved link={link} count={unsaved.length} />}
      <div class="row">
        <FileChoice
          label={file === undefined ? 'Choose a file' : 'Choose another file'}
          accept={firmwareEndings}
          onFile={(chosen) => update.choose(chosen)}
        />
        {file !== undefined && (
          <span class="file-name">
            <strong>{file.name}</strong> <span class="soft">{sizeText(file.size)}</span>
          </span>
        )}
      </div>
      <div class="row">
        <button type="button" class="main" disabled={file === undefined} onClick={install}>
          Install …
        </button>
        <NeedsLevel level={level} />
      </div>
    </>
  );
}

function Unsaved({ link, count }: { link: ScannerLink; count: number }) {
  return (
    <div class="notice warn">
      <span>
        {counted(count, 'change is', 'changes are')} not saved. An update does not save: it loses{' '}
        {count === 1 ? 'it' : 'them'}.
      </span>
      <SaveButton link={link} kind="">
        Save first
      </SaveButton>
    </div>
  );
}

/** Shows the progress of an update, from its beginning on. */
export function Steps({ update }: { update: FirmwareUpdate }) {
  const state = update.job.state.value;
  if (state.kind === 'idle') return null;
  const at = update.stage === undefined ? -1 : stages.indexOf(update.stage);
  return (
    <ol class="spaced update-steps">
      {stages.map((stage, index) => {
        const isDone = state.kind === 'done' || index < at;
        const isNow = state.kind === 'running' && index === at;
        const isFailed = state.kind === 'failed' && index === at;
        const word = isDone ? 'done' : isNow ? 'now' : isFailed ? 'failed' : 'to come';
        return (
          <li key={stage} class={word.replace(' ', '-')} aria-current={isNow ? 'step' : undefined}>
            <span class="step-mark" aria-hidden="true">
              {isDone ? '✓' : isFailed ? '✕' : index + 1}
            </span>
            {isNow ? <JobProgress job={update.job} failed="" /> : <span>{stageWords[stage]}</span>}
            <span class="hidden-text">: {word}</span>
          </li>
        );
      })}
    </ol>
  );
}

/** Shows the result of an update. */
export function Outcome({ link, update }: { link: ScannerLink; update: FirmwareUpdate }) {
  const state = update.job.state.value;
  if (state.kind === 'failed') {
    return (
      <div class="notice bad" role="alert">
        <strong>The firmware was not installed</strong>
        <span>{state.reason}</span>
        {link.state.value.kind !== 'unreachable' && update.stage === 'installing' && (
          <span class="soft">The scanner runs what it ran before. Nothing has changed.</span>
        )}
      </div>
    );
  }
  if (state.kind !== 'done') return null;
  const { from, to } = state.result;
  return (
    <div class="notice" role="status">
      <strong>{from === to ? `Firmware ${to} is installed again` : `Firmware ${to} is installed`}</strong>
      {from !== to && <span>Before, the scanner had {from}.</span>}
      <a href={linkTo('overview')}>See the scanner</a>
    </div>
  );
}
