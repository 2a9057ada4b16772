import type { SiteScanner } from '@azimuth/http/site';
import { counted, type LoginLevel, loginLevels } from '@azimuth/model';
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { urlAt } from '../connection/current.js';
import { firmwareEndings } from '../firmware/firmware-update.js';
import { FileChoice } from '../parts/files.js';
import { Choice, choosing, setting, Tick, ticking } from '../parts/inputs.js';
import { Table } from '../parts/panels.js';
import { type Severity, StateMark } from '../parts/states.js';
import { LevelSelect, SecretInput } from '../session/secret-form.js';
import { choice, mostChosen } from './choice.js';
import { levelsFor, type PlanEntry, SiteActions, type Stage } from './site-actions.js';
import {
  backupAct,
  clockAct,
  discardAct,
  findAct,
  firmwareAct,
  type Planned,
  rebootAct,
  type SiteAct,
  saveAct,
} from './site-acts.js';
import type { ItemState, SiteRun } from './site-run.js';
import { WriteForm } from './write-form.js';
import '../style/site-actions.css';

const actions = new SiteActions(urlAt);

/** Titles of the acts, and the act if nothing more has to be asked. */
const offered: readonly (readonly [title: string, act: SiteAct | 'write' | 'firmware'])[] = [
  ['Save what is unsaved', saveAct],
  ['Discard what is unsaved', discardAct],
  ['Write a variable', 'write'],
  ['Set the clock to this computer', clockAct],
  ['Find: let the lamps blink', findAct],
  ['Download backups', backupAct],
  ['Install firmware', 'firmware'],
  ['Reboot', rebootAct],
];

/** Acts at the chosen scanners. Nothing while none is chosen, and nothing is done. */
export function ActionsPanel({ matching, chooseAll }: { matching: number; chooseAll: () => void }) {
  const stage = actions.stage.value;
  const rows = [...choice.chosen.value.values()];
  if (rows.length === 0 && stage.kind === 'idle') return null;
  return (
    <aside class="panel site-actions" aria-label="Actions">
      {stage.kind === 'idle' ? (
        <Chosen rows={rows} matching={matching} chooseAll={chooseAll} />
      ) : stage.kind === 'plan' ? (
        <Plan stage={stage} />
      ) : (
        <Running act={stage.act} run={stage.run} />
      )}
    </aside>
  );
}

interface ChosenProperties {
  readonly rows: readonly SiteScanner[];
  /** Number of scanners that the filter leaves. */
  readonly matching: number;
  readonly chooseAll: () => void;
}

function Chosen({ rows, matching, chooseAll }: ChosenProperties) {
  const wanted = useSignal<(typeof offered)[number] | undefined>(undefined);
  if (wanted.value !== undefined) {
    const [title, act] = wanted.value;
    return <Prepare title={title} act={act} rows={rows} back={setting(wanted, undefined)} />;
  }
  return (
    <>
      <div class="row between">
        <h2>{counted(rows.length, 'scanner')} chosen</h2>
        <button type="button" onClick={() => choice.clear()}>
          Clear
        </button>
      </div>
      {matching > rows.length && rows.length < mostChosen && (
        <button type="button" class="plain" onClick={chooseAll}>
          Choose {matching > mostChosen ? `the first ${mostChosen}` : `all ${matching}`} of the list
        </button>
      )}
      <ul class="acts">
        {offered.map((one) => (
          <li key={one[0]}>
            <button type="button" class="plain" onClick={setting(wanted, one)}>
              {one[0]} …
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Asks for what an act needs, and for a login. */
function Prepare({
  title,
  act: wanted,
  rows,
  back,
}: {
  title: string;
  act: (typeof offered)[number][1];
  rows: readonly SiteScanner[];
  back: () => void;
}) {
  const prepared = useSignal<SiteAct | undefined>(typeof wanted === 'string' ? undefined : wanted);
  const file = useSignal<File | undefined>(undefined);
  const password = useSignal('');
  const level = useSignal<LoginLevel>('Service');
  const act = prepared.value;
  const [first] = rows;
  const check = (event: Event) => {
    event.preventDefault();
    if (act !== undefined) void actions.check(act, rows, { user: level.peek(), password: password.peek() });
  };
  return (
    <form class="stack" aria-label={title} onSubmit={check}>
      <h2>
        {title}: {counted(rows.length, 'scanner')}
      </h2>
      {wanted === 'write' && first !== undefined && (
        <WriteForm
          first={first}
          prepare={(made) => {
            prepared.value = made;
          }}
        />
      )}
      {wanted === 'firmware' && (
        <div class="row">
          <FileChoice
            label="Choose a file …"
            accept={firmwareEndings}
            onFile={(chosen) => {
              file.value = chosen;
              prepared.value = firmwareAct(chosen);
            }}
          />
          <span class="file-name">{file.value?.name}</span>
        </div>
      )}
      {act !== undefined && (
        <LevelSelect
          words="Level"
          {...choosing(level)}
          of={loginLevels}
          disabled={loginLevels.filter((one) => !levelsFor(act, loginLevels).includes(one))}
        />
      )}
      <SecretInput
        label="Password"
        autocomplete="current-password"
        text={password.value}
        type={(text) => {
          password.value = text;
        }}
      />
      <p class="soft small">It is tried at each of them. Nothing is changed yet.</p>
      <div class="row">
        <button type="submit" class="main" disabled={act === undefined}>
          Show what will change
        </button>
        <button type="button" onClick={back}>
          Back
        </button>
      </div>
    </form>
  );
}

/** Lists the changes at each scanner, before they are made. */
function Plan({ stage: { act, entries, isChecked } }: { stage: Extract<Stage, { kind: 'plan' }> }) {
  const atOnce = useSignal(1);
  const stops = useSignal(true);
  const changed = entries.filter(({ planned }) => planned.value?.kind === 'changes').length;
  const known = entries.filter(({ planned }) => planned.value !== undefined).length;
  return (
    <>
      <h2>{act.verb}: what will change</h2>
      {act.warning !== undefined && <p class="notice warn">{act.warning}</p>}
      <Rows entries={entries} cell={({ planned }) => <PlannedText planned={planned.value} />} />
      {changed > 1 && (
        <div class="row">
          <Choice
            label="How many at once"
            {...choosing(atOnce)}
            options={[
              [1, 'One after the other'],
              [4, '4 at once'],
              [16, '16 at once'],
            ]}
          />
          <Tick {...ticking(stops)}>Stop at the first failure</Tick>
        </div>
      )}
      <div class="row">
        <button
          type="button"
          class="main"
          disabled={!isChecked.value || changed === 0}
          onClick={() => void actions.run({ atOnce: atOnce.peek(), stopsAtFailure: stops.peek() })}
        >
          {isChecked.value
            ? `${act.verb} at ${counted(changed, 'scanner')}`
            : `Asking: ${known} of ${entries.length}`}
        </button>
        <button type="button" onClick={() => actions.close()}>
          Cancel
        </button>
      </div>
    </>
  );
}

function PlannedText({ planned }: { planned: Planned | undefined }) {
  switch (planned?.kind) {
    case undefined:
      return <span class="soft">Asking it</span>;
    case 'changes':
      return (
        <ul class="changes">
          {planned.lines.slice(0, mostLines).map((line) => (
            <li key={line}>{line}</li>
          ))}
          {planned.lines.length > mostLines && (
            <li class="soft">and {planned.lines.length - mostLines} more</li>
          )}
        </ul>
      );
    case 'stays':
      return <span class="soft">Stays: {planned.why}</span>;
    case 'cannot':
      return <Mark severity="bad" word="Cannot" text={planned.why} />;
  }
}

/** Lines of changes of a scanner that are listed. */
const mostLines = 8;

/** The run, scanner by scanner. */
function Running({ act, run }: { act: SiteAct; run: SiteRun<PlanEntry> }) {
  const isRunning = run.isRunning.value;
  const [done, failed] = [run.count('done'), run.count('failed')];
  const left = run.left.length;
  return (
    <>
      <h2>{act.verb}</h2>
      <p role="status">
        {done} of {run.items.length} done
        {failed > 0 && `, ${failed} failed`}
        {!isRunning && left > failed && `, ${left - failed} not begun`}
        {isRunning && '. Keep this page open.'}
      </p>
      <Rows
        entries={run.items.map(({ of, state }) => ({ ...of, state }))}
        cell={({ state }) => <StateText state={state.value} />}
      />
      <div class="row">
        {isRunning ? (
          <button type="button" onClick={() => actions.stop()}>
            Stop: begin nothing new
          </button>
        ) : (
          <>
            {left > 0 && (
              <button type="button" class="main" onClick={() => void actions.runLeft()}>
                Try the {left} again that {left === 1 ? 'is' : 'are'} left
              </button>
            )}
            <button type="button" onClick={() => actions.close()}>
              Close
            </button>
          </>
        )}
      </div>
    </>
  );
}

function StateText({ state }: { state: ItemState }) {
  switch (state.kind) {
    case 'waiting':
      return <span class="soft">Waiting</span>;
    case 'doing':
      return <Mark severity="idle" word="Doing" text={state.stage} />;
    case 'done':
      return <Mark severity="good" word="Done" text={state.text} />;
    case 'failed':
      return <Mark severity="bad" word="Failed" text={state.reason} />;
    case 'stopped':
      return <span class="soft">Not begun</span>;
  }
}

function Mark({ severity, word, text }: { severity: Severity; word: string; text: string }) {
  return (
    <>
      <StateMark severity={severity}>{word}</StateMark> <span>{text}</span>
    </>
  );
}

/** A line for each scanner. */
function Rows<E extends PlanEntry>({
  entries,
  cell,
}: {
  entries: readonly E[];
  cell: (entry: E) => ComponentChildren;
}) {
  return (
    <Table
      containerClass="wide entries"
      columns={[
        ['Scanner', ({ row }) => row.name, 'head'],
        ['What', cell],
      ]}
      rows={entries}
      keyOf={({ row }) => row.path}
    />
  );
}
