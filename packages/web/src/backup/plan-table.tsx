import type { PlannedParameter } from '@azimuth/client';
import { counted } from '@azimuth/model';
import { differences } from '../forms/differences.js';
import { shortText } from '../forms/value-text.js';
import { Facts } from '../parts/panels.js';
import type { RestoreDraft } from './restore-draft.js';

/** Parts of one parameter that are told one by one. */
const mostParts = 5;

export function PlanTable({
  draft,
  rows,
  disabled,
}: {
  draft: RestoreDraft;
  rows: readonly PlannedParameter[];
  disabled: boolean;
}) {
  const left = draft.left.value;
  const names = rows.map(({ name }) => name);
  const chosen = names.filter((name) => !left.has(name)).length;
  return (
    <table class="restore-plan">
      <thead>
        <tr>
          <th scope="col">
            <input
              type="checkbox"
              aria-label="All parameters"
              disabled={disabled}
              checked={chosen === names.length}
              indeterminate={chosen > 0 && chosen < names.length}
              onChange={({ currentTarget }) => draft.leave(currentTarget.checked ? [] : names)}
            />
          </th>
          <th scope="col">Parameter</th>
          <th scope="col">Now</th>
          <th scope="col">Will be</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row
            key={row.name}
            row={row}
            wanted={!left.has(row.name)}
            disabled={disabled}
            choose={(wanted) => draft.choose(row.name, wanted)}
          />
        ))}
      </tbody>
    </table>
  );
}

function Row({
  row,
  wanted,
  disabled,
  choose,
}: {
  row: PlannedParameter;
  wanted: boolean;
  disabled: boolean;
  choose: (wanted: boolean) => void;
}) {
  const parts = partsOf(row);
  const more = parts.length - mostParts;
  const id = `plan-${row.name}`;
  return (
    <tr class={wanted ? undefined : 'unwanted'}>
      <td>
        <input
          type="checkbox"
          id={id}
          disabled={disabled}
          checked={wanted}
          onChange={({ currentTarget }) => choose(currentTarget.checked)}
        />
      </td>
      <th scope="row">
        <label htmlFor={id}>{row.name}</label>
      </th>
      <td class="now">{parts.slice(0, mostParts).map(({ at, from }) => partLine(at, from))}</td>
      <td class="then">
        {parts.slice(0, mostParts).map(({ at, to }) => partLine(at, to))}
        {more > 0 && <div class="soft">… and {more} more</div>}
      </td>
    </tr>
  );
}

function partLine(at: string, text: string) {
  return (
    <div key={at}>
      {at !== '' && <span class="soft">{at.replace(/^\./, '')} </span>}
      {text}
    </div>
  );
}

function partsOf({ name, variable, from, to }: PlannedParameter) {
  if (variable === undefined) return [{ at: '', from: shortText(name, from), to: shortText(name, to) }];
  return differences(variable.type.shape, from, to, (member) => variable.unitOf(member));
}

export function LeftOut({ rows }: { rows: readonly PlannedParameter[] }) {
  if (rows.length === 0) return null;
  return (
    <details class="collapsible">
      <summary>
        <span class="collapsible-title">
          {counted(rows.length, 'parameter is', 'parameters are')} left out
        </span>
      </summary>
      <Facts of={rows.map((row) => [row.name, skipWords(row)])} />
    </details>
  );
}

function skipWords({ skipped, detail }: Pick<PlannedParameter, 'skipped' | 'detail'>): string {
  switch (skipped) {
    case undefined:
      return '';
    case 'unknown':
      return 'nobody knows a parameter of this name';
    case 'missing':
      return 'this release or variant of the scanner does not have it';
    case 'read-only':
      return 'it cannot be written';
    case 'level':
      return `needs ${detail}`;
    case 'own':
      return 'name and network settings are kept';
    case 'not allowed':
      return detail;
  }
}
