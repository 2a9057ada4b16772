import {
  counted,
  type Detection,
  detectionHistory,
  EvaluationGroupType,
  extensions,
  FieldState,
  historyLength,
} from '@azimuth/model';
import { effect, type Signal, signal, useSignal } from '@preact/signals';
import { Act, attempt, NeedsLevel, SwitchOn } from '../connection/acts.js';
import { scanner } from '../connection/current.js';
import { knownValue, levelToCall, levelToWrite, typed } from '../connection/declarations.js';
import { ofEachScanner, type ScannerLink, wireName } from '../connection/scanner-link.js';
import { fileNameOf, saveFile } from '../parts/files.js';
import { Choice, SearchInput } from '../parts/inputs.js';
import { type Column, PageContent, Quantity, Table } from '../parts/panels.js';
import { linkTo } from '../parts/route.js';
import { fieldResults, fieldText } from '../plan/field-areas.js';
import { DetectionCharts } from './detection-charts.js';
import { csvOfDetections, fieldsIn, isoTime, shownDetections } from './detection-table.js';
import { type Infringement, Infringements } from './infringements.js';
import '../style/detections.css';
import '../style/forms.css';

const { fields, history } = extensions.members;
const { EnableDetectionHistory, EvaluationsToLog, ResetDetectionHistory } = detectionHistory.members;

/** The infringements of this visit, also of the time before this page was shown. */
const infringementsOf = ofEachScanner((link: ScannerLink) => {
  const infringements = new Infringements();
  const all: Signal<readonly Infringement[]> = signal([]);
  effect(() => {
    if (infringements.take(link.log.changes.value)) all.value = infringements.all;
  });
  return all;
});

export default function Detections() {
  const reading = scanner().readings.of(wireName(history.name)).value;
  return (
    <PageContent title="Detections">
      <p class="lead">
        Each time something entered a <a href={linkTo('fields')}>field</a>: when, which field, and where. The
        scanner keeps the newest {historyLength}, also over a reboot.
      </p>
      <SwitchOn variable={EnableDetectionHistory}>
        The history is switched off: nothing is added to it.
      </SwitchOn>
      <LoggedFields />
      {reading.state === 'waiting' && <p class="empty">Reading the history …</p>}
      {(reading.state === 'missing' || reading.state === 'failed') && (
        <p class="notice">
          This scanner does not show its history in browsers. The tool of its maker can read it.
        </p>
      )}
      {reading.state === 'known' && <History detections={typed(history, reading.value) ?? []} />}
    </PageContent>
  );
}

function History({ detections }: { detections: readonly Detection[] }) {
  const link = scanner();
  const words = useSignal('');
  const field = useSignal<number | undefined>(undefined);
  const group = useSignal(0);
  const groups = knownValue(link, fields)?.groups ?? [];
  const shown = shownDetections(detections, {
    typed: words.value,
    field: field.value,
    group: groups.find(({ Id }) => Id === group.value)?.Evaluations,
  });
  const save = () =>
    saveFile(fileNameOf(link.title.peek(), 'detections', 'csv'), csvOfDetections(shown), 'text/csv');
  return (
    <>
      <div class="row">
        <SearchInput kind="grow" label="Filter by field" placeholder="Number or name" typed={words} />
        <Choice
          label="Field"
          value={field.value ?? 0}
          options={[[0, 'All fields'], ...fieldsIn(detections)]}
          choose={(id) => {
            field.value = id === 0 ? undefined : id;
          }}
        />
        {groups.length > 1 && (
          <Choice
            label="Group"
            value={group.value}
            options={[
              [0, 'All groups'],
              ...groups.map(({ Id, Name }) => [Id, `Group ${fieldText(Id, Name)}`] as const),
            ]}
            choose={(id) => {
              group.value = id;
            }}
          />
        )}
        <button type="button" disabled={shown.length === 0} onClick={save}>
          Save as CSV
        </button>
        <Reset count={detections.length} />
      </div>
      {shown.length > 0 && <DetectionCharts detections={shown} seen={infringementsOf(link).value} />}
      <Rows shown={shown} stored={detections.length} />
    </>
  );
}

function Reset({ count }: { count: number }) {
  const link = scanner();
  const level = levelToCall(ResetDetectionHistory);
  const question = () => ({
    title: 'Delete the history?',
    text: `The scanner deletes ${counted(count, 'detection')}.`,
    calls: ResetDetectionHistory,
    act: 'Delete',
    danger: true,
  });
  return (
    <>
      <Act
        kind="danger"
        level={level}
        question={question}
        disabled={count === 0}
        act={() => link.call(ResetDetectionHistory.name)}
      >
        Delete all …
      </Act>
      <NeedsLevel level={level} />
    </>
  );
}

function Rows({ shown, stored }: { shown: readonly Detection[]; stored: number }) {
  if (stored === 0) {
    return (
      <p class="empty">
        Nothing has been detected yet. When something enters a field, it appears here.{' '}
        <a href={linkTo('fields')}>Look at the fields</a>
      </p>
    );
  }
  if (shown.length === 0) return <p class="empty">No detection is of such a field.</p>;
  return (
    <>
      <p class="soft small" role="status">
        {shown.length} of {counted(stored, 'detection')}, the newest first. Times by the clock of the scanner,
        in the time zone of this computer.
      </p>
      <Table
        kind="log detections"
        rows={shown}
        keyOf={({ Timestamp, EvaluationId }, index) => `${Timestamp} ${EvaluationId} ${index}`}
        columns={columns}
      />
    </>
  );
}

const columns: readonly Column<Detection>[] = [
  [
    'Time',
    ({ Timestamp }) => {
      const [date, time] = localTime(Timestamp);
      return (
        <>
          <span class="date">{date}</span> {time}
        </>
      );
    },
    'time',
  ],
  [
    'Field',
    (detection) => (
      <a href={linkTo('fields', String(detection.EvaluationId))}>
        {fieldText(detection.EvaluationId, detection.Name)}
      </a>
    ),
  ],
  [<Quantity value="Ahead " unit="x, mm" />, ({ Positions: [at] }) => millimetres(at?.x), 'number'],
  [<Quantity value="Left " unit="y, mm" />, ({ Positions: [at] }) => millimetres(at?.y), 'number'],
];

function millimetres(value: number | undefined) {
  return value === undefined ? <span class="soft">not known</span> : String(value).replace('-', '−');
}

/** Date and time, `2026-03-01` and `14:03:07.120`, by the time zone of this computer. @param at ms since 1970 UTC */
function localTime(at: number): readonly string[] {
  const local = isoTime(at - new Date(at).getTimezoneOffset() * 60_000);
  return local.replace('Z', '').split('T');
}

function LoggedFields() {
  const link = scanner();
  const busy = useSignal(false);
  const logged = knownValue(link, EvaluationsToLog);
  const known = fieldsOf(link);
  if (logged === undefined || known.length === 0) return null;
  const level = levelToWrite(EvaluationsToLog);
  const isLogged = (id: number) => logged[id - 1] ?? false;
  const count = known.filter(({ id }) => isLogged(id)).length;
  const change = (id: number, value: boolean) =>
    attempt(busy, level, () => {
      const now = knownValue(link, EvaluationsToLog) ?? logged;
      return link.write(EvaluationsToLog.name, now.toSpliced(id - 1, 1, value));
    });
  return (
    <details class="panel logged-fields" open={count < known.length}>
      <summary>
        <strong>Recorded fields</strong>{' '}
        <span class="soft">{count === known.length ? 'all' : `${count} of ${known.length}`}</span>
      </summary>
      <fieldset class="row framed">
        <legend class="hidden-text">Fields that are recorded</legend>
        {known.map(({ id, text }) => (
          <label key={id} class="row">
            <input
              type="checkbox"
              checked={isLogged(id)}
              onChange={async ({ currentTarget }) => {
                const { checked } = currentTarget;
                if (!(await change(id, checked))) currentTarget.checked = !checked;
              }}
            />
            {text}
          </label>
        ))}
        <NeedsLevel level={level} />
      </fieldset>
    </details>
  );
}

function fieldsOf(link: ScannerLink): readonly { readonly id: number; readonly text: string }[] {
  const defined = knownValue(link, fields);
  if (defined !== undefined) {
    return defined.evaluations
      .filter(({ Type }) => Type === EvaluationGroupType.FIELD_EVALUATION)
      .map(({ Id, Name }) => ({ id: Id, text: fieldText(Id, Name) }))
      .toSorted((one, other) => one.id - other.id);
  }
  // A scanner that does not show its definitions shows at least which fields it has.
  return [...fieldResults(link.value('FieldEvaluationResult'))]
    .filter(([, { state }]) => state !== FieldState.NOT_CONFIGURED)
    .map(([id]) => ({ id, text: String(id) }));
}
