import { sameJson, type Variable } from '@azimuth/model';
import { isLeaf } from './control.js';
import { differences } from './differences.js';
import { spokenPlace } from './spoken-name.js';
import { valueText } from './value-text.js';

/** The stored or the factory value, beside the working one. */
export function Compared({
  title,
  variable,
  working,
  value,
  absent,
  act,
  hint,
  perform,
}: {
  title: string;
  variable: Variable<unknown>;
  working: unknown;
  value: unknown;
  /** What stands there if the value is not known. */
  absent: string;
  act: string;
  hint: string;
  perform: ((value: unknown) => void) | undefined;
}) {
  const differs = value !== undefined && working !== undefined && !sameJson(working, value);
  return (
    <div class={`parameter-compared${differs ? ' differs' : ''}`}>
      <span class="parameter-column small soft">{title}</span>
      <span class="value">
        {differs && <DiffersMark />}
        {value === undefined ? absent : comparedText(variable, working, value)}
      </span>
      {differs && perform !== undefined && (
        <button type="button" class="small" title={hint} onClick={() => perform(value)}>
          {act}
          <span class="hidden-text"> {variable.name}</span>
        </button>
      )}
    </div>
  );
}

/** Parts of a value that are told one by one. */
const mostParts = 3;

/** A value in words. Of one with parts, those that are not as in the working value. */
function comparedText(variable: Variable<unknown>, working: unknown, value: unknown): string {
  const { shape } = variable.type;
  const unitOf = (member: string) => variable.unitOf(member);
  if (isLeaf(shape)) return valueText(shape, value, unitOf);
  const parts = differences(shape, working, value, unitOf);
  if (parts.length === 0) return 'the same';
  const told = parts.slice(0, mostParts).map(({ at, to }) => (at === '' ? to : `${spokenPlace(at)} ${to}`));
  return [...told, ...(parts.length > mostParts ? [`${parts.length - mostParts} more`] : [])].join(', ');
}

/** A mark, with words for those who do not see it. */
function DiffersMark() {
  return (
    <svg class="differs-mark" viewBox="0 0 8 8" role="img" aria-label="differs from the working value:">
      <path d="M4 0 8 4 4 8 0 4Z" fill="currentColor" />
    </svg>
  );
}
