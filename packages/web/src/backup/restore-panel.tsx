import { type PlannedParameter, plannedChanges, type WrittenParameter } from '@azimuth/client';
import { backupRestore, counted, isFrom, type Level, levelNames, reaches, releaseOf } from '@azimuth/model';
import { type Signal, useSignal } from '@preact/signals';
import { mayNow, NeedsLevel, SaveButton } from '../connection/acts.js';
import { scanner } from '../connection/current.js';
import { levelToCall } from '../connection/declarations.js';
import type { ScannerLink } from '../connection/scanner-link.js';
import { confirmed } from '../parts/dialogs.js';
import { FileChoice } from '../parts/files.js';
import { Tick, ticking } from '../parts/inputs.js';
import { JobProgress } from '../parts/jobs.js';
import { Panel, Table } from '../parts/panels.js';
import { SecretInput } from '../session/secret-form.js';
import { LeftOut, PlanTable } from './plan-table.js';
import { type Comparison, type RestoreDraft, restoreDraftOf } from './restore-draft.js';

export function RestorePanel() {
  const link = scanner();
  const draft = restoreDraftOf(link);
  const state = draft.comparing.state.value;
  const busy = draft.writing.isRunning || draft.fileRestore.isRunning;
  return (
    <Panel title="Restore">
      <p class="soft">
        Choose a backup file. First you see what would change. Nothing is written until you say so.
      </p>
      <div class="row">
        <FileChoice
          label={state.kind === 'done' ? 'Choose another file' : 'Choose a file'}
          accept=".json,.azb,.parameterbackup"
          disabled={busy || draft.comparing.isRunning}
          onFile={(file) => void draft.compare(link, file)}
        />
        {state.kind === 'done' && <strong class="file-name">{state.result.fileName}</strong>}
      </div>
      <JobProgress job={draft.comparing} failed="This file cannot be used" />
      {state.kind === 'done' && <Compared link={link} draft={draft} comparison={state.result} />}
    </Panel>
  );
}

interface Parts {
  readonly link: ScannerLink;
  readonly draft: RestoreDraft;
  readonly comparison: Comparison;
}

function Compared({ link, draft, comparison }: Parts) {
  const { content } = comparison;
  if (content === undefined) {
    return (
      <>
        <div class="notice warn">
          <span>
            This file is encrypted, or of a kind that only the scanner can read. So there is no list of what
            changes. The scanner restores all of it, with name and network settings.
          </span>
        </div>
        <FileRestore link={link} draft={draft} comparison={comparison} />
      </>
    );
  }
  return <Plan link={link} draft={draft} comparison={comparison} />;
}

function Plan({ link, draft, comparison }: Parts) {
  const { content, now, other } = comparison;
  if (content === undefined) return null;
  const { level } = link.login;
  const plan = plannedChanges(content.values, now, {
    level,
    known: link.known.value,
    retained: draft.withOwn.value ? [] : ['name', 'network'],
  });
  const rows = plan.filter(({ act }) => act === 'write');
  const same = plan.filter(({ act }) => act === 'same').length;
  const skipped = plan.filter(({ act }) => act === 'skip');
  const isDone = draft.writing.state.value.kind === 'done';
  return (
    <>
      {other !== undefined && (
        <div class="notice warn" role="alert">
          <span>
            <strong>The backup is of another scanner:</strong> it is of {other.backup}. Here is {other.here}.
            {other.changed.length > 0 && ` ${other.changed.join(', ')} would change.`}
          </span>
        </div>
      )}
      <OlderRelease link={link} version={content.version} />
      {!isDone && (
        <>
          <Tick kind="choice" {...ticking(draft.withOwn)} disabled={draft.writing.isRunning}>
            <span>
              Restore name and network settings, too{' '}
              <span class="soft small">Only one scanner in a network may have an address.</span>
            </span>
          </Tick>
          {rows.length === 0 ? (
            <p class="empty">Nothing changes: the scanner has these values already.</p>
          ) : (
            <PlanTable draft={draft} rows={rows} disabled={draft.writing.isRunning} />
          )}
          <p class="soft small">
            {counted(same, 'parameter has', 'parameters have')} the same value already.
          </p>
          <LeftOut rows={skipped} />
          <Levels skipped={skipped} />
        </>
      )}
      <Act link={link} draft={draft} rows={rows} />
      <Results link={link} draft={draft} />
      {!isDone && <FileRestore link={link} draft={draft} comparison={comparison} />}
    </>
  );
}

function OlderRelease({ link, version }: { link: ScannerLink; version: string | undefined }) {
  const edition = link.edition.value;
  if (version === undefined || edition === undefined) return null;
  const from = releaseOf(version);
  if (from === edition.release) return null;
  return (
    <div class="notice">
      <span>
        The backup is of firmware {version}.{' '}
        {isFrom(edition.release, from)
          ? 'Some values may have another form now. If the scanner restores the whole file, it converts them.'
          : 'It is newer than this scanner. What this scanner does not have is left out.'}
      </span>
    </div>
  );
}

function Levels({ skipped }: { skipped: readonly PlannedParameter[] }) {
  const needed = highest(skipped.filter((row) => row.skipped === 'level'));
  return needed === undefined ? null : <NeedsLevel level={needed} />;
}

function Act({
  link,
  draft,
  rows,
}: {
  link: ScannerLink;
  draft: RestoreDraft;
  rows: readonly PlannedParameter[];
}) {
  const left = draft.left.value;
  const chosen = rows.filter(({ name }) => !left.has(name));
  if (draft.writing.isRunning) {
    return (
      <>
        <JobProgress job={draft.writing} failed="" />
        <div class="row">
          <button type="button" onClick={() => draft.stop()}>
            Stop
          </button>
        </div>
      </>
    );
  }
  if (rows.length === 0 || draft.writing.state.value.kind === 'done') return null;
  const level = highest(chosen) ?? 'Run';
  const restore = async () => {
    if (await mayNow(level)) await draft.write(link, chosen);
  };
  return (
    <div class="row">
      <button type="button" class="main" disabled={chosen.length === 0} onClick={restore}>
        Restore {counted(chosen.length, 'parameter')}
      </button>
      {chosen.length > 0 && <NeedsLevel level={level} />}
    </div>
  );
}

/** The lowest level that may write all of these; undefined for none. */
function highest(rows: readonly PlannedParameter[]): Level | undefined {
  const needed = rows.flatMap(({ variable }) => variable?.facts.write ?? []);
  return levelNames.toReversed().find((level) => needed.some((one) => reaches(one, level)));
}

const words = {
  written: 'written',
  refused: 'refused',
  unanswered: 'sent, but no answer came: it may be written or not',
  left: 'not written',
} as const;

/** Shows the parameters that a restore has written and those that it has not. Shows nothing before it has ended. */
function Results({ link, draft }: { link: ScannerLink; draft: RestoreDraft }) {
  const state = draft.writing.state.value;
  if (state.kind !== 'done') return null;
  const written = state.result.filter(({ outcome }) => outcome === 'written').length;
  const others = state.result.filter(({ outcome }) => outcome !== 'written');
  const all = others.length === 0;
  const isSaved = link.stored.unsaved.value?.length === 0;
  return (
    <>
      <div class={`notice ${all ? '' : 'warn'}`} role="status">
        <strong>
          {all
            ? written === 1
              ? 'The parameter is restored'
              : `All ${written} parameters are restored`
            : `${written} of ${counted(state.result.length, 'parameter')} ${written === 1 ? 'is' : 'are'} restored`}
        </strong>
        <span>
          {isSaved
            ? 'They count now, and are saved.'
            : 'They count now, and are lost at a reboot unless you save them.'}
        </span>
      </div>
      {others.length > 0 && <Others results={others} />}
      <div class="row">
        {written > 0 && !isSaved && <SaveButton link={link} />}
        {others.length > 0 && (
          <button type="button" onClick={() => draft.writing.clear()}>
            Back to the list
          </button>
        )}
      </div>
    </>
  );
}

function Others({ results }: { results: readonly WrittenParameter[] }) {
  return (
    <Table
      rows={results}
      keyOf={({ name }) => name}
      columns={[
        ['Parameter', ({ name }) => name],
        ['What became of it', ({ outcome }) => words[outcome]],
        ['Why', ({ reason }) => reason],
      ]}
    />
  );
}

const { RestoreParameterBackup } = backupRestore.members;
const level = levelToCall(RestoreParameterBackup);

/** Has the scanner restore a whole file: all of it or nothing, saved at once. The only way for an encrypted file. */
function FileRestore({ link, draft, comparison }: Parts) {
  const isOnly = comparison.content === undefined;
  return isOnly ? (
    <Form link={link} draft={draft} comparison={comparison} />
  ) : (
    <details class="collapsible">
      <summary>
        <span class="collapsible-title">Restore the whole file at once</span>{' '}
        <span class="soft small">
          by the scanner: all or nothing, saved at once, with name and network settings
        </span>
      </summary>
      <Form link={link} draft={draft} comparison={comparison} />
    </details>
  );
}

function Form({ link, draft, comparison }: Parts) {
  const passphrase = useSignal('');
  const { content, other, bytes, fileName } = comparison;
  const restore = async (event: Event) => {
    event.preventDefault();
    const question = {
      title: 'Restore the whole file?',
      text: `All parameters of ${fileName} replace those of the scanner, and are saved at once.${
        other === undefined
          ? ''
          : ' The backup is of another scanner: this one gets its name, and after a reboot its address.'
      }`,
      calls: RestoreParameterBackup,
      act: 'Restore',
      danger: true,
    };
    if (!(await mayNow(level)) || !(await confirmed(question))) return;
    await draft.restoreFile(link, bytes, passphrase.peek());
  };
  const state = draft.fileRestore.state.value;
  return (
    <form class="stack" onSubmit={restore}>
      <div class="row end">
        {content === undefined && (
          <Passphrase words="Passphrase of the file" autocomplete="off" text={passphrase} />
        )}
        <button
          type="submit"
          class="danger"
          disabled={draft.fileRestore.isRunning || draft.writing.isRunning}
        >
          Restore the whole file
        </button>
        <NeedsLevel level={level} />
      </div>
      <JobProgress job={draft.fileRestore} failed="Nothing was restored" />
      {state.kind === 'done' && <Outcome failed={state.result.failed} rebooted={state.result.rebooted} />}
    </form>
  );
}

function Outcome({ failed, rebooted }: { failed: readonly string[]; rebooted: boolean }) {
  return (
    <div class={`notice ${failed.length === 0 ? '' : 'warn'}`} role="status">
      <strong>The file is restored and saved</strong>
      {rebooted && <span>The scanner has rebooted.</span>}
      {failed.length > 0 && <span>These parameters stay as they were: {failed.join(', ')}</span>}
    </div>
  );
}

/** A passphrase of a file, which may be left empty. */
export function Passphrase({
  words,
  autocomplete,
  text,
}: {
  words: string;
  autocomplete: 'new-password' | 'off';
  text: Signal<string>;
}) {
  return (
    <SecretInput
      kind="stacked"
      label={<span class="small soft">{words}</span>}
      autocomplete={autocomplete}
      most={256}
      text={text.value}
      type={(typed) => {
        text.value = typed;
      }}
    />
  );
}
