import type { PlannedParameter } from '@azimuth/client';
import { counted } from '@azimuth/model';
import { scanner } from '../connection/current.js';
import { differences } from '../forms/differences.js';
import { shortText } from '../forms/value-text.js';
import { Facts, Table } from '../parts/panels.js';
import type { RestoreDraft } from './restore-draft.js';

/** Number of parts of one parameter that are listed. */
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
  const all = (
    <input
      type="checkbox"
      aria-label="All parameters"
      disabled={disabled}
      checked={chosen === names.length}
      indeterminate={chosen > 0 && chosen < names.length}
      onChange={({ currentTarget }) => draft.leave(currentTarget.checked ? [] : names)}
    />
  );
  return (
    <Table
      kind="restore-plan"
      rows={rows.map((row) => ({ name: row.name, parts: partsOf(row) }))}
      keyOf={({ name }) => name}
      rowOf={({ name }) => ({ class: left.has(name) ? 'unwanted' : undefined })}
      columns={[
        [
          all,
          ({ name }) => (
            <input
              type="checkbox"
              id={`plan-${name}`}
              disabled={disabled}
              checked={!left.has(name)}
              onChange={({ currentTarget }) => draft.choose(name, currentTarget.checked)}
            />
          ),
        ],
        ['Parameter', ({ name }) => <label htmlFor={`plan-${name}`}>{name}</label>, 'head'],
        ['Now', ({ parts }) => parts.slice(0, mostParts).map(({ at, from }) => partLine(at, from)), 'now'],
        [
          'Will be',
          ({ parts }) => (
            <>
              {parts.slice(0, mostParts).map(({ at, to }) => partLine(at, to))}
              {parts.length > mostParts && <div class="soft">… and {parts.length - mostParts} more</div>}
            </>
          ),
          'then',
        ],
      ]}
    />
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
  if (variable === undefined) {
    const known = scanner().known.value;
    return [{ at: '', from: shortText(name, from, known), to: shortText(name, to, known) }];
  }
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
