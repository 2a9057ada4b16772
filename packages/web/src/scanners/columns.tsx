import type { SiteScanner } from '@azimuth/http/site';
import type { ComponentChildren } from 'preact';
import { Quantity } from '../parts/panels.js';
import { StateMark } from '../parts/states.js';
import { ageText, certificateText, clockText, dataText, troubleText } from './row-words.js';

/** A column of the list of scanners. */
export interface SiteColumn {
  /** The server sorts by most of them. */
  readonly id: string;
  readonly title: string;
  /** Nothing for what is not known. */
  readonly cell: (row: SiteScanner, now: number) => ComponentChildren;
  readonly isNumber?: boolean;
  /** Cannot be left out. */
  readonly isFixed?: boolean;
  /** Left out until somebody chooses it. */
  readonly isSpare?: boolean;
}

/** An address as people say it. A scanner without a name has its address as its name. */
export const withoutScheme = (text: string) => text.replace(/^https?:\/\//, '');

const number = (value: number | undefined) => (value === undefined ? '' : String(value));

export const columns: readonly SiteColumn[] = [
  {
    ...{ id: 'state', title: 'State', isFixed: true },
    cell: ({ severity, state }) => <StateMark severity={severity}>{state}</StateMark>,
  },
  { id: 'name', title: 'Name', isFixed: true, cell: ({ name }) => withoutScheme(name) },
  { id: 'group', title: 'Group', cell: ({ group }) => group },
  { id: 'location', title: 'Location', isSpare: true, cell: ({ location = '' }) => location },
  { id: 'trouble', title: 'Trouble', cell: (row, now) => <Trouble row={row} now={now} /> },
  { id: 'unsaved', title: 'Unsaved', isNumber: true, cell: ({ unsaved }) => number(unsaved) },
  { id: 'drift', title: 'Drift', isNumber: true, cell: ({ drift }) => number(drift) },
  { id: 'clock', title: 'Clock', isNumber: true, cell: ({ clockOffset }) => clockText(clockOffset) },
  {
    ...{ id: 'certificate', title: 'Certificate', isNumber: true },
    cell: ({ certificateUntil }, now) => certificateText(certificateUntil, now),
  },
  { id: 'firmware', title: 'Firmware', cell: ({ firmware = '' }) => firmware },
  { id: 'data', title: 'Data', isNumber: true, cell: ({ scans }) => dataText(scans) },
  {
    ...{ id: 'temperature', title: 'Temperature', isNumber: true },
    cell: ({ temperature }) =>
      temperature === undefined ? '' : <Quantity value={temperature.toFixed(1)} unit="°C" />,
  },
  {
    id: 'serialNumber',
    title: 'Serial number',
    isSpare: true,
    cell: ({ serialNumber = '' }) => serialNumber,
  },
  {
    ...{ id: 'address', title: 'Address', isSpare: true },
    cell: ({ url }) => withoutScheme(url),
  },
];

/** The worst trouble, the number of others, and since when there is any. */
function Trouble({ row, now }: { row: SiteScanner; now: number }) {
  const [first, ...others] = row.trouble;
  if (first === undefined) return null;
  return (
    <span class="trouble" title={row.trouble.join('\n')}>
      <span class="what">{troubleText(first)}</span>
      {others.length > 0 && <span class="soft"> +{others.length} more</span>}
      {row.troubleSince !== undefined && <span class="soft age"> {ageText(now - row.troubleSince)}</span>}
    </span>
  );
}
