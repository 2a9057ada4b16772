import type { SiteScanner } from '@azimuth/http/site';
import { Facts } from '../parts/panels.js';
import { linkToScanner } from '../parts/route.js';
import { columns, withoutScheme } from './columns.js';

/** Columns that stand in the head of a card. */
const inHead = new Set(['name', 'state', 'trouble']);

/** A few scanners, each as a card with everything that is known of it. */
export function ScannerCards({ rows }: { rows: readonly SiteScanner[] }) {
  const now = Date.now();
  const cellOf = (wanted: string, row: SiteScanner) =>
    columns.find(({ id }) => id === wanted)?.cell(row, now);
  return (
    <ul class="scanner-cards">
      {rows.map((row) => (
        <li key={row.path} class={`panel scanner-card ${row.severity}`}>
          <h2>
            <a href={linkToScanner(row.path, 'overview')}>{withoutScheme(row.name)}</a>
          </h2>
          {cellOf('state', row)}
          {cellOf('trouble', row)}
          <Facts
            kind="small"
            of={columns.filter(({ id }) => !inHead.has(id)).map(({ title, cell }) => [title, cell(row, now)])}
          />
        </li>
      ))}
    </ul>
  );
}
