import { beginsWithLargest, type SiteScanner, siteOrders } from '@azimuth/http/site';
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { setting } from '../parts/inputs.js';
import { linkToScanner } from '../parts/route.js';
import { choice } from '../site-actions/choice.js';
import type { SiteColumn } from './columns.js';
import { shownColumns, siteView } from './site-view.js';

/** One line for each scanner. Arrows go from line to line, Enter opens a scanner. */
export function ScannerTable({
  rows,
  hold,
}: {
  rows: readonly SiteScanner[];
  /** Called with true while a person points at the rows: they must not jump away. */
  hold: (isHeld: boolean) => void;
}) {
  const shown = shownColumns.value;
  const body = useRef<HTMLTableSectionElement>(null);
  /** The line that Tab reaches. */
  const stop = useSignal<string | undefined>(undefined);
  const at = rows.some(({ path }) => path === stop.value) ? stop.value : rows[0]?.path;
  const now = Date.now();
  const release = () => hold(body.current?.contains(document.activeElement) === true);
  return (
    <div class="wide">
      <table class="scanners">
        <thead>
          <tr>
            <th scope="col" class="tick">
              <ChooseAll rows={rows} />
            </th>
            {shown.map((column) => (
              <Head key={column.id} column={column} />
            ))}
          </tr>
        </thead>
        <tbody
          ref={body}
          onPointerEnter={() => hold(true)}
          onPointerLeave={release}
          onFocusIn={() => hold(true)}
          onFocusOut={({ relatedTarget }) =>
            hold(relatedTarget instanceof Node && body.current?.contains(relatedTarget) === true)
          }
          onKeyDown={(event) => onKey(event, rows)}
        >
          {rows.map((row) => (
            <tr key={row.path} class={row.severity} onFocusIn={setting(stop, row.path)}>
              <td class="tick">
                <input
                  type="checkbox"
                  aria-label={`Choose ${row.name}`}
                  tabIndex={row.path === at ? 0 : -1}
                  checked={choice.has(row.path)}
                  disabled={choice.isFull && !choice.has(row.path)}
                  onChange={() => choice.toggle(row)}
                />
              </td>
              {shown.map((column) => (
                <Cell key={column.id} row={row} column={column} now={now} isStop={row.path === at} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Chooses all lines in sight, or drops them. */
function ChooseAll({ rows }: { rows: readonly SiteScanner[] }) {
  const areAll = rows.every(({ path }) => choice.has(path));
  return (
    <input
      type="checkbox"
      aria-label="Choose all in sight"
      checked={areAll}
      onChange={() => (areAll ? choice.drop(rows) : choice.add(rows))}
    />
  );
}

function Head({ column: { id, title, isNumber } }: { column: SiteColumn }) {
  const isSorted = siteView.sort.value === id;
  const isAscending = (siteView.order.value === 'asc') !== beginsWithLargest(id);
  return (
    <th
      scope="col"
      class={isNumber === true ? 'number' : undefined}
      aria-sort={isSorted ? (isAscending ? 'ascending' : 'descending') : undefined}
    >
      {siteOrders.includes(id) ? (
        <button type="button" class="plain" onClick={() => siteView.sortBy(id)}>
          {title}
          <span aria-hidden="true">{isSorted ? (isAscending ? '↑' : '↓') : ''}</span>
        </button>
      ) : (
        title
      )}
    </th>
  );
}

function Cell({
  row,
  column: { id, cell, isNumber },
  now,
  isStop,
}: {
  row: SiteScanner;
  column: SiteColumn;
  now: number;
  isStop: boolean;
}) {
  if (id === 'name') {
    return (
      <th scope="row" class="name-cell">
        <a href={linkToScanner(row.path, 'overview')} tabIndex={isStop ? 0 : -1} title={row.url}>
          {cell(row, now)}
        </a>
      </th>
    );
  }
  return <td class={`${id}-cell${isNumber === true ? ' number' : ''}`}>{cell(row, now)}</td>;
}

const steps: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowDown: (at, last) => Math.min(last, at + 1),
  ArrowUp: (at) => Math.max(0, at - 1),
  Home: () => 0,
  End: (_, last) => last,
};

/** Goes to another line; space chooses the line. */
function onKey(event: KeyboardEvent, rows: readonly SiteScanner[]): void {
  const step = steps[event.key];
  if (!(event.currentTarget instanceof HTMLElement)) return;
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('th a')];
  const at = links.findIndex((link) => link.closest('tr')?.contains(document.activeElement) === true);
  const row = rows[at];
  if (event.key === ' ' && row !== undefined && !(event.target instanceof HTMLInputElement)) {
    event.preventDefault();
    choice.toggle(row);
  }
  if (step === undefined) return;
  const next = links[step(at, links.length - 1)];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
