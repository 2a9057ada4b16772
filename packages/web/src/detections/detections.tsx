import {
  counted,
  type Detection,
  detectionHistory,
  detectionsKept,
  EvaluationGroupType,
  extensions,
  FieldState,
} from '@azimuth/model';
import { useSignal } from '@preact/signals';
import { attempt, mayNow, NeedsLevel } from '../connection/acts.js';
import { scanner } from '../connection/current.js';
import { knownValue, levelToCall, levelToWrite, typed } from '../connection/declarations.js';
import { type ScannerLink, wireName } from '../connection/scanner-link.js';
import { confirmed } from '../parts/dialogs.js';
import { fileNameOf, saveFile } from '../parts/files.js';
import { linkTo } from '../parts/route.js';
import { csvOfDetections, fieldsIn, fieldText, isoTime, shownDetections } from './detection-table.js';
import '../style/detections.css';
import '../style/forms.css';
import '../style/maintain.css';
import { fieldResults } from '../plan/field-areas.js';

const { history } = extensions.members;
const { EnableDetectionHistory, ResetDetectionHistory } = detectionHistory.members;

/** Each time a field became infringed, as the scanner keeps it. */
export function Detections() {
  const reading = scanner().readings.of(wireName(history.name)).value;
  return (
    <div class="content">
      <header class="lead">
        <h1>Detections</h1>
        <p class="soft">
          Each time something entered a <a href={linkTo('fields')}>field</a>: when, which field, and where.
          The scanner keeps the newest {detectionsKept}, also over a reboot.
        </p>
      </header>
      <Recording />
      <LoggedFields />
      {reading.state === 'waiting' && <p class="empty">Reading the history …</p>}
      {(reading.state === 'missing' || reading.state === 'failed') && (
        <p class="notice">
          This scanner does not show its history in browsers. The tool of its maker can read it.
        </p>
      )}
      {reading.state === 'there' && <History detections={typed(history, reading.value) ?? []} />}
    </div>
  );
}

/** Says that nothing is recorded, with the button that mends it. */
function Recording() {
  const link = scanner();
  const busy = useSignal(false);
  if (link.value(EnableDetectionHistory.name) !== false) return null;
  const level = levelToWrite(EnableDetectionHistory);
  const start = () => attempt(busy, level, () => link.write(EnableDetectionHistory.name, true));
  return (
    <p class="notice warn">
      The history is switched off: nothing is added to it.
      <button type="button" class="main" disabled={busy.value} onClick={start}>
        Switch on
      </button>
      <NeedsLevel level={level} />
    </p>
  );
}

function History({ detections }: { detections: readonly Detection[] }) {
  const link = scanner();
  const words = useSignal('');
  const field = useSignal<number | undefined>(undefined);
  const shown = shownDetections(detections, { typed: words.value, field: field.value });
  const save = () =>
    saveFile(fileNameOf(link.title.peek(), 'detections', 'csv'), csvOfDetections(shown), 'text/csv');
  return (
    <>
      <div class="row">
        <input
          type="search"
          class="grow"
          aria-label="Filter by field"
          placeholder="Filter by number or name of the field"
          value={words.value}
          onInput={({ currentTarget }) => {
            words.value = currentTarget.value;
          }}
        />
        <select
          aria-label="Field"
          value={String(field.value ?? '')}
          onChange={({ currentTarget: { value } }) => {
            field.value = value === '' ? undefined : Number(value);
          }}
        >
          <option value="">All fields</option>
          {[...fieldsIn(detections)].map(([id, text]) => (
            <option key={id} value={String(id)}>
              {text}
            </option>
          ))}
        </select>
        <button type="button" disabled={shown.length === 0} onClick={save}>
          Save as CSV
        </button>
        <Reset count={detections.length} />
      </div>
      <Rows shown={shown} kept={detections.length} />
    </>
  );
}

function Reset({ count }: { count: number }) {
  const link = scanner();
  const busy = useSignal(false);
  const level = levelToCall(ResetDetectionHistory);
  const reset = async () => {
    const question = {
      title: 'Delete the history?',
      text: `The scanner deletes ${counted(count, 'detection')}.`,
      calls: ResetDetectionHistory,
      act: 'Delete',
      danger: true,
    };
    if (!(await mayNow(level)) || !(await confirmed(question))) return;
    await attempt(busy, level, () => link.call(ResetDetectionHistory.name));
  };
  return (
    <>
      <button type="button" class="danger" disabled={busy.value || count === 0} onClick={reset}>
        Delete all …
      </button>
      <NeedsLevel level={level} />
    </>
  );
}

function Rows({ shown, kept }: { shown: readonly Detection[]; kept: number }) {
  if (kept === 0) {
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
        {shown.length} of {counted(kept, 'detection')}, the newest first. Times by the clock of the scanner,
        in the time zone of this computer.
      </p>
      <div class="wide">
        <table class="log detections">
          <thead>
            <tr>
              <th scope="col">Time</th>
              <th scope="col">Field</th>
              <th scope="col" class="number">
                Ahead <span class="unit">x, mm</span>
              </th>
              <th scope="col" class="number">
                Left <span class="unit">y, mm</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((detection, index) => (
              <Row key={`${detection.Timestamp} ${detection.EvaluationId} ${index}`} detection={detection} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Row({ detection }: { detection: Detection }) {
  const { Timestamp, EvaluationId, Positions } = detection;
  const [position] = Positions;
  const [date, time] = localTime(Timestamp);
  return (
    <tr>
      <td class="time">
        <span class="date">{date}</span> {time}
      </td>
      <td>
        <a href={linkTo('fields', String(EvaluationId))}>{fieldText(detection)}</a>
      </td>
      <Millimetres value={position?.x} />
      <Millimetres value={position?.y} />
    </tr>
  );
}

function Millimetres({ value }: { value: number | undefined }) {
  if (value === undefined) return <td class="number soft">not known</td>;
  return <td class="number">{String(value).replace('-', '−')}</td>;
}

/** Date and time, `2026-03-01` and `14:03:07.120`, by the time zone of this computer. @param at ms since 1970 UTC */
function localTime(at: number): readonly string[] {
  const local = isoTime(at - new Date(at).getTimezoneOffset() * 60_000);
  return local.replace('Z', '').split('T');
}

const { fields } = extensions.members;
const { EvaluationsToLog } = detectionHistory.members;

/** Chooses the fields whose detections are added to the history. */
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
      <fieldset class="row">
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

/** The fields that a scanner has, by their numbers. */
function fieldsOf(link: ScannerLink): readonly { readonly id: number; readonly text: string }[] {
  const defined = knownValue(link, fields);
  if (defined !== undefined) {
    return defined.evaluations
      .filter(({ Type }) => Type === EvaluationGroupType.FIELD_EVALUATION)
      .map(({ Id, Name }) => ({ id: Id, text: fieldText({ EvaluationId: Id, Name }) }))
      .toSorted((one, other) => one.id - other.id);
  }
  // A scanner that does not show its definitions tells at least which fields it has.
  return [...fieldResults(link.value('FieldEvaluationResult'))]
    .filter(([, { state }]) => state !== FieldState.NOT_CONFIGURED)
    .map(([id]) => ({ id, text: String(id) }));
}
