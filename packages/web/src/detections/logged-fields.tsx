import { detectionHistory, EvaluationGroupType, extensions, FieldState } from '@azimuth/model';
import { useSignal } from '@preact/signals';
import { attempt } from '../connection/attempt.js';
import { scanner } from '../connection/current.js';
import { knownValue } from '../connection/known-value.js';
import { levelToWrite } from '../connection/needed-level.js';
import type { ScannerLink } from '../connection/scanner-link.js';
import { fieldResults } from '../fields/field-results.js';
import { NeedsLevel } from '../forms/needs-level.js';
import { fieldText } from './detection-table.js';

const { fields } = extensions.members;
const { EvaluationsToLog } = detectionHistory.members;

/** Chooses the fields whose detections are added to the history. */
export function LoggedFields() {
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
