import { counted } from '@azimuth/model';
import { useComputed, useSignal } from '@preact/signals';
import { scanner, site } from '../connection/current.js';
import { csvOfChanges, jsonOf, type LoggedChange, matching } from '../connection/history.js';
import { shortText } from '../forms/value-text.js';
import { fileNameOf, saveFile } from '../parts/files.js';
import { SearchInput, setting } from '../parts/inputs.js';
import { PageContent, Table } from '../parts/panels.js';
import { localMillisecond } from '../parts/texts.js';
import { ServerLog } from '../site-history/server-log.js';

/** Rows on the page. More are in the exported file. */
const mostRows = 300;

const sources = ['Log of the server', 'This visit'] as const;

type Source = (typeof sources)[number];

/** Two logs: that of the server of the page if it has one, and that of this visit. */
export default function Log() {
  const knowsMore = site.value?.log === true;
  const source = useSignal<Source>(knowsMore ? 'Log of the server' : 'This visit');
  const isOfServer = knowsMore && source.value === 'Log of the server';
  return (
    <PageContent title="Event log">
      <p class="lead">
        {isOfServer
          ? 'What the server of this page has written down, also while no page was open, by its clock.'
          : 'Every value that has changed since this page was opened, by the clock of this computer. The log is in this browser alone: it is gone when the page is closed.'}
      </p>
      {knowsMore && (
        <fieldset class="row" aria-label="Whose log">
          {sources.map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={source.value === one}
              onClick={setting(source, one)}
            >
              {one}
            </button>
          ))}
        </fieldset>
      )}
      {isOfServer ? <ServerLog /> : <VisitLog />}
    </PageContent>
  );
}

/** Every change since this page was opened, the newest first. */
function VisitLog() {
  const link = scanner();
  const typed = useSignal('');
  const frozen = useSignal<readonly LoggedChange[] | undefined>(undefined);
  const shown = useComputed(() =>
    matching(frozen.value ?? link.log.changes.value, typed.value, ({ name, json }) =>
      shortText(name, JSON.parse(json), scanner().known.value, 300),
    ),
  );
  const changes = shown.value;
  const save = (ending: 'csv' | 'json') =>
    saveFile(
      fileNameOf(link.title.peek(), 'changes', ending),
      ending === 'csv' ? csvOfChanges(changes) : jsonOf(changes),
      ending === 'csv' ? 'text/csv' : 'application/json',
    );
  return (
    <>
      {link.state.value.kind === 'polling' && (
        <p class="notice">
          This scanner does not announce its changes. The log has only what other pages have read, every 3 s.
        </p>
      )}
      <div class="row">
        <SearchInput kind="grow" label="Filter by name or value" typed={typed} />
        <button
          type="button"
          aria-pressed={frozen.value !== undefined}
          onClick={() => {
            frozen.value = frozen.value === undefined ? link.log.changes.peek() : undefined;
          }}
        >
          {frozen.value === undefined ? 'Pause' : 'Go on'}
        </button>
        <button type="button" disabled={changes.length === 0} onClick={() => save('csv')}>
          Save as CSV
        </button>
        <button type="button" disabled={changes.length === 0} onClick={() => save('json')}>
          Save as JSON
        </button>
        <button
          type="button"
          disabled={link.log.changes.value.length === 0}
          onClick={() => {
            link.log.clear();
            frozen.value = undefined;
          }}
        >
          Clear
        </button>
      </div>
      <Rows changes={changes} filtered={typed.value !== ''} />
    </>
  );
}

function Rows({ changes, filtered }: { changes: readonly LoggedChange[]; filtered: boolean }) {
  if (changes.length === 0) {
    return (
      <p class="empty">
        {filtered
          ? 'No change has this in its name or its value.'
          : 'Nothing has changed yet. Wait, or change something.'}
      </p>
    );
  }
  const rows = changes.slice(-mostRows).toReversed();
  return (
    <>
      <p class="soft small" role="status">
        {counted(changes.length, 'change')}
        {changes.length > mostRows && `, the newest ${mostRows} are shown`}
      </p>
      <Table
        kind="log"
        rows={rows}
        keyOf={({ number }) => number}
        columns={[
          ['Time', ({ at }) => localMillisecond(new Date(at)), 'time'],
          ['Name', ({ name }) => name],
          [
            'Value',
            ({ name, json }) => shortText(name, JSON.parse(json), scanner().known.value, 240),
            'value',
          ],
        ]}
      />
    </>
  );
}
