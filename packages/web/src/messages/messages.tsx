import { counted, operatingData, status } from '@azimuth/model';
import { effect, useSignal } from '@preact/signals';
import { scanner } from '../connection/current.js';
import { type KnownValues, knownValue } from '../connection/declarations.js';
import { ofEachScanner, type ScannerLink, wireName } from '../connection/scanner-link.js';
import { operationFacts } from '../overview/words.js';
import { fileNameOf, saveFile } from '../parts/files.js';
import { Choice, SearchInput } from '../parts/inputs.js';
import { type Column, Facts, PageContent, Panel, Table } from '../parts/panels.js';
import { linkTo } from '../parts/route.js';
import { StateMark } from '../parts/states.js';
import { localDateTime } from '../parts/texts.js';
import { categoryOf, type Message, MessageLog, watched } from './message-log.js';
import { csvOfMessages, type SeverityWord, severityWords, shownMessages } from './message-table.js';
import '../style/messages.css';

/** The messages of a scanner. They begin with the log of its changes, and go on while the page is open. */
const messageLogOf = ofEachScanner((link: ScannerLink) => {
  const log = new MessageLog();
  replay(link, log);
  effect(() => {
    const values = new Map(watched.map((name) => [name, link.value(name)]));
    // What one variable reports depends on others.
    if (watched.some((name) => link.isPending(name))) return;
    log.take(Date.now(), { value: (name) => values.get(name) ?? link.value(name) });
  });
  return log;
});

/** Takes what was logged before anybody looked at the messages. */
function replay({ log: { first, changes } }: ScannerLink, log: MessageLog): void {
  const values = new Map(first);
  const known: KnownValues = {
    value(name) {
      const json = values.get(wireName(name));
      return json === undefined ? undefined : JSON.parse(json);
    },
  };
  const names = new Set(watched.map(wireName));
  for (const { at, name, json } of changes.peek()) {
    if (!names.has(name)) continue;
    // What was there before the first change was there before the scanner was watched.
    log.take(at, known);
    values.set(name, json);
    log.take(at, known);
  }
}

const severities: readonly (readonly [SeverityWord | '', string])[] = [
  ['', 'All severities'],
  ['Error', 'Errors'],
  ['Warning', 'Warnings'],
  ['Information', 'Information'],
];

export default function Messages() {
  const link = scanner();
  const { messages } = messageLogOf(link);
  const typed = useSignal('');
  const severity = useSignal<SeverityWord | ''>('');
  const all = messages.value;
  const shown = shownMessages(all, {
    typed: typed.value,
    severity: severity.value === '' ? undefined : severity.value,
  });
  const save = () =>
    saveFile(fileNameOf(link.title.peek(), 'messages', 'csv'), csvOfMessages(shown), 'text/csv');
  return (
    <PageContent title="Messages">
      <p class="lead">
        What the scanner reports about itself, and what to do then. A scanner keeps no list of old messages:
        this one begins when you open these pages, by the clock of this computer.
      </p>
      <div class="messages-and-data">
        <section class="spaced" aria-label="Messages">
          <div class="row">
            <SearchInput kind="grow" label="Filter by words" typed={typed} />
            <Choice
              label="Severity"
              value={severity.value}
              options={severities}
              choose={(chosen) => {
                severity.value = chosen;
              }}
            />
            <button type="button" disabled={shown.length === 0} onClick={save}>
              Save as CSV
            </button>
          </div>
          <Rows shown={shown} count={all.length} />
        </section>
        <OperatingData />
      </div>
    </PageContent>
  );
}

function Rows({ shown, count }: { shown: readonly Message[]; count: number }) {
  if (count === 0) {
    return (
      <p class="notice">
        <StateMark severity="good">No messages</StateMark>
        <span>The scanner reports nothing.</span>
      </p>
    );
  }
  if (shown.length === 0) return <p class="empty">No message is of this kind.</p>;
  return (
    <>
      <p class="soft small" role="status">
        {shown.length} of {counted(count, 'message')}, those that last first.
      </p>
      <Table
        kind="messages"
        containerClass="panel"
        rows={shown}
        keyOf={({ key }) => key}
        columns={columns}
        rowOf={({ ended }) => (ended === undefined ? {} : { class: 'ended' })}
      />
    </>
  );
}

const columns: readonly Column<Message>[] = [
  [
    'Severity',
    ({ severity }) => <StateMark severity={severity}>{severityWords[severity]}</StateMark>,
    'severity',
  ],
  ['Message', (message) => <Text message={message} />, 'text'],
  [
    'Source',
    (message) => (
      <>
        {categoryOf(message)}
        <br />
        <span class="small soft">
          {message.source} {message.number}
        </span>
      </>
    ),
    'source',
  ],
  ['Time', (message) => <Time message={message} />, 'time'],
  [
    'Count',
    ({ count }) => (
      <>
        {count}
        <span class="unit">×</span>
      </>
    ),
    'number count',
  ],
];

function Text({ message: { text, advice, remedy } }: { message: Message }) {
  return (
    <>
      <strong>{text}</strong>
      <br />
      <span class="soft">{advice}</span>
      {remedy?.kind === 'page' && (
        <>
          {' '}
          <a href={linkTo(remedy.page, encodeURIComponent(remedy.rest))}>{remedy.words}</a>
        </>
      )}
    </>
  );
}

function Time({ message: { began, ended } }: { message: Message }) {
  return (
    <>
      {began === undefined ? 'Before this visit' : localDateTime(new Date(began))}
      <br />
      <span class="small soft">
        {ended === undefined ? 'lasts' : `ended ${localDateTime(new Date(ended))}`}
      </span>
    </>
  );
}

const { CurrentTempDev } = operatingData.members;
const { temperatureAlarmStatus } = status.members;

function OperatingData() {
  const link = scanner();
  const celsius = knownValue(link, CurrentTempDev);
  const alarm = knownValue(link, temperatureAlarmStatus);
  return (
    <Panel title="Operating data" label="Operating data">
      <Facts
        of={[
          ...operationFacts(link),
          ['Temperature', celsius === undefined ? undefined : `${celsius.toFixed(1)} °C`],
          ['Temperature alarm', alarm === undefined ? undefined : alarm ? 'raised' : 'none'],
        ]}
      />
      <p class="small">
        <a href={linkTo('diagnosis')}>Diagnosis</a>, <a href={linkTo('log')}>Event log</a>
      </p>
    </Panel>
  );
}
