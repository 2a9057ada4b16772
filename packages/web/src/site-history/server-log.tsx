import type { SiteLogEntry, SiteLogSeverity } from '@azimuth/http/site';
import { counted } from '@azimuth/model';
import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { pathOf, scanner } from '../connection/current.js';
import { Choice, choosing, SearchInput, Tick, ticking } from '../parts/inputs.js';
import { Table } from '../parts/panels.js';
import { linkToScanner } from '../parts/route.js';
import { type Severity, StateMark } from '../parts/states.js';
import { localDateTime } from '../parts/texts.js';
import { pollInSight } from '../site/poll-in-sight.js';
import { SiteFault } from '../site/site-answer.js';
import { askLog, type LogQuery } from './ask-history.js';
import { keyOf, type LogPart, mostKept, withNewest, withOlder } from './log-answer.js';
import '../style/history.css';

/** ms between two questions for newer entries. */
const every = 5000;
/** ms after the last key until the server is asked. */
const typingPause = 300;

const marks: Readonly<Record<SiteLogSeverity, readonly [Severity, string]>> = {
  error: ['bad', 'Error'],
  warning: ['warn', 'Warning'],
  info: ['idle', 'Info'],
};

/** The log of the server, which begins before this page was opened. */
export function ServerLog() {
  const typed = useSignal('');
  const words = useSettled(typed);
  const severity = useSignal<SiteLogSeverity | 'any'>('any');
  const ofAll = useSignal(false);
  const path = pathOf(scanner());
  const query: LogQuery = {
    words: words.value,
    path: ofAll.value ? undefined : path,
    severity: severity.value === 'any' ? undefined : severity.value,
  };
  const { entries, more, searchedSince, why, older } = useEntries(query);
  return (
    <>
      <div class="row">
        <SearchInput kind="grow" label="Filter by words" typed={typed} />
        <Choice
          label="Severity"
          {...choosing(severity)}
          options={[
            ['any', 'All severities'],
            ['error', 'Errors'],
            ['warning', 'Warnings'],
            ['info', 'Infos'],
          ]}
        />
        <Tick {...ticking(ofAll)}>All scanners</Tick>
      </div>
      {why !== undefined && (
        <p class="notice warn" role="alert">
          The server of this page tells no newer entries: {why}. It is asked again.
        </p>
      )}
      {entries === undefined ? (
        why === undefined && <p class="empty">Loading …</p>
      ) : (
        <Entries entries={entries} ofAll={ofAll.value} />
      )}
      {searchedSince !== undefined && (
        <p class="soft small">
          Searched back to {localDateTime(new Date(searchedSince))}. Older entries may have these words, too.
        </p>
      )}
      {entries !== undefined && more && entries.length < mostKept && (
        <button type="button" onClick={older}>
          Older ones
        </button>
      )}
    </>
  );
}

/** A text that is typed, as soon as nobody types any more. */
function useSettled(typed: Signal<string>): Signal<string> {
  const settled = useSignal(typed.peek());
  const text = typed.value;
  useEffect(() => {
    const timer = setTimeout(() => {
      settled.value = text;
    }, typingPause);
    return () => clearTimeout(timer);
  }, [text, settled]);
  return settled;
}

function useEntries(query: LogQuery) {
  const log = useSignal<LogPart | undefined>(undefined);
  const why = useSignal<string | undefined>(undefined);
  /** Ends questions of this query. */
  const asking = useRef(new AbortController());
  const ask = async (
    before: number | undefined,
    aborted: AbortSignal,
    take: (known: LogPart | undefined, part: LogPart) => LogPart,
  ) => {
    try {
      const part = await askLog(query, before, aborted);
      if (aborted.aborted) return;
      log.value = take(log.peek(), part);
      why.value = undefined;
    } catch (error) {
      if (aborted.aborted) return;
      if (!(error instanceof SiteFault)) throw error;
      why.value = error.message;
    }
  };
  useEffect(() => {
    log.value = undefined;
    why.value = undefined;
    const own = new AbortController();
    asking.current = own;
    const end = pollInSight(every, (aborted) => ask(undefined, aborted, withNewest));
    return () => {
      own.abort();
      end();
    };
  }, [JSON.stringify(query)]);
  const { entries, more = false, searchedSince } = log.value ?? {};
  return {
    ...{ entries, more, searchedSince, why: why.value },
    older: () => {
      const last = entries?.at(-1);
      // Others of the same millisecond may not have been in the part.
      const before = searchedSince ?? (last && last.at + 1);
      if (before !== undefined) void ask(before, asking.current.signal, withOlder);
    },
  };
}

function Entries({ entries, ofAll }: { entries: readonly SiteLogEntry[]; ofAll: boolean }) {
  const nameOf = ({ path, name }: SiteLogEntry) =>
    path === '' ? name : <a href={linkToScanner(path, 'log')}>{name}</a>;
  if (entries.length === 0) return <p class="empty">The server has no entry like this.</p>;
  return (
    <>
      <p class="soft small" role="status">
        {counted(entries.length, 'entry', 'entries')}
      </p>
      <Table
        kind="log server-log"
        rows={entries}
        keyOf={keyOf}
        columns={[
          ['Time', ({ at }) => localDateTime(new Date(at)), 'time'],
          [
            'Severity',
            ({ severity }) => <StateMark severity={marks[severity][0]}>{marks[severity][1]}</StateMark>,
          ],
          ...(ofAll ? [['Scanner', nameOf] as const] : []),
          ['What', ({ text }) => text, 'value'],
          ['Who', ({ author = '' }) => author, 'who'],
        ]}
      />
    </>
  );
}
