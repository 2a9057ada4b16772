import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { siteFeed, siteRows } from '../connection/current.js';
import { setting, Tick } from '../parts/inputs.js';
import { Menu } from '../parts/menu.js';
import { Since } from '../parts/texts.js';
import { SiteFault } from '../site/site-answer.js';
import { listEvery, type SiteFeed } from '../site/site-feed.js';
import { ActionsPanel } from '../site-actions/actions-panel.js';
import { choice, mostChosen } from '../site-actions/choice.js';
import { columns } from './columns.js';
import { summaryOf } from './row-words.js';
import { ScannerCards } from './scanner-cards.js';
import { ScannerTable } from './scanner-table.js';
import { SiteFilters } from './site-filters.js';
import {
  mostCards,
  preferCards,
  prefersCards,
  rowsOfPage,
  showColumn,
  shownColumns,
  siteView,
} from './site-view.js';
import { type SteadyRows, steadyRows } from './steady-rows.js';
import '../style/scanners.css';

/** All scanners of the page, those with trouble first. */
export default function ScannersPage() {
  const feed = useMemo(() => siteFeed(siteView.query, listEvery), []);
  useEffect(() => feed.open(), [feed]);
  useEffect(() => feed.answered.subscribe((news) => choice.learn(news?.list.scanners ?? [])), [feed]);
  const list = feed.answered.value?.list;
  const mayBeCards = list !== undefined && list.total > 0 && list.total <= mostCards;
  const asCards = mayBeCards && prefersCards.value;
  return (
    <div class="content site">
      <header class="site-head">
        <div>
          <h1>Scanners</h1>
          <p class="lead" role="status">
            {list === undefined
              ? 'Asking which scanners there are …'
              : summaryOf(list.total, list.severities)}
          </p>
        </div>
        <div class="row">
          {mayBeCards && (
            <fieldset class="row" aria-label="How they are shown">
              {(['Table', 'Cards'] as const).map((kind) => (
                <button
                  key={kind}
                  type="button"
                  aria-pressed={asCards === (kind === 'Cards')}
                  onClick={() => preferCards(kind === 'Cards')}
                >
                  {kind}
                </button>
              ))}
            </fieldset>
          )}
          {!asCards && <ColumnMenu />}
        </div>
      </header>
      <Absence feed={feed} />
      {list !== undefined && (
        <div class="site-columns">
          <SiteFilters list={list} />
          <List feed={feed} asCards={asCards} />
          <ActionsPanel matching={list.matching} chooseAll={() => void chooseAll()} />
        </div>
      )}
    </div>
  );
}

/** Chooses what the filter leaves, as far as there is room. */
async function chooseAll(): Promise<void> {
  try {
    const wanted = { ...siteView.query.peek(), from: 0, limit: mostChosen };
    choice.add((await siteRows(wanted, new AbortController().signal)).scanners);
  } catch (error) {
    // The list itself says that the server does not answer.
    if (!(error instanceof SiteFault)) throw error;
  }
}

/** Says that the list is old, and since when. */
function Absence({ feed }: { feed: SiteFeed }) {
  const absence = feed.absence.value;
  if (absence === undefined) return null;
  return (
    <p class="notice warn" role="alert">
      <span>
        The server of this page gives no list: {absence.why}.{' '}
        {absence.since !== undefined && (
          <>
            What stands here is <Since start={absence.since} /> s old.{' '}
          </>
        )}
        This page asks again every {listEvery / 1000} s.
      </span>
    </p>
  );
}

function ColumnMenu() {
  const shown = shownColumns.value;
  return (
    <Menu label="Columns">
      {columns
        .filter(({ isFixed }) => isFixed !== true)
        .map((column) => (
          <Tick
            key={column.id}
            checked={shown.includes(column)}
            change={(checked) => showColumn(column.id, checked)}
          >
            {column.title}
          </Tick>
        ))}
    </Menu>
  );
}

function List({ feed, asCards }: { feed: SiteFeed; asCards: boolean }) {
  const isHeld = useSignal(false);
  const hold = (held: boolean) => {
    isHeld.value = held;
  };
  const { rows, isOld } = useSteadyRows(feed, isHeld.value);
  const { matching = 0, from = 0 } = feed.answered.value?.list ?? {};
  if (rows.length === 0) return <Nothing />;
  return (
    <div class={feed.isCurrent.value ? 'site-list' : 'site-list waiting'}>
      {asCards ? <ScannerCards rows={rows} /> : <ScannerTable rows={rows} hold={hold} />}
      <div class="row between pager">
        <span class="soft small" role="status">
          {rows.length === matching
            ? `All ${matching} shown`
            : `${from + 1} to ${from + rows.length} of ${matching}`}
          {isOld && ' · the order has changed '}
        </span>
        {isOld && (
          <button type="button" onClick={setting(isHeld, false)}>
            Sort again
          </button>
        )}
        {matching > rowsOfPage && <Pager from={from} matching={matching} />}
      </div>
    </div>
  );
}

/** The rows in sight. While they are held, they stay in their places. */
function useSteadyRows(feed: SiteFeed, isHeld: boolean): SteadyRows {
  const inSight = useRef<{ readonly query: string } & SteadyRows>({ query: '', rows: [], isOld: false });
  const answered = feed.answered.value;
  if (answered === undefined) return inSight.current;
  const { query, list } = answered;
  const before = query === inSight.current.query ? inSight.current.rows : [];
  inSight.current = { query, ...steadyRows(before, list.scanners, isHeld) };
  return inSight.current;
}

function Pager({ from, matching }: { from: number; matching: number }) {
  const to = (first: number) => () => {
    siteView.from.value = first;
    document.getElementById('page')?.scrollTo({ top: 0 });
  };
  return (
    <nav class="row" aria-label="Parts of the list">
      <button type="button" disabled={from === 0} onClick={to(Math.max(0, from - rowsOfPage))}>
        ‹ Previous
      </button>
      <button type="button" disabled={from + rowsOfPage >= matching} onClick={to(from + rowsOfPage)}>
        Next ›
      </button>
    </nav>
  );
}

/** In place of an empty list. */
function Nothing() {
  return (
    <div class="empty">
      {siteView.isFiltered || siteView.from.value > 0 ? (
        <>
          <p>No scanner is like this.</p>
          <button type="button" onClick={() => siteView.showAll()}>
            Show all
          </button>
        </>
      ) : (
        <p>There are no scanners.</p>
      )}
    </div>
  );
}
