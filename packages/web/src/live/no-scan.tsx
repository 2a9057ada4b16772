import { basicSettings, DeviceStatus, status } from '@azimuth/model';
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { attempt } from '../connection/acts.js';
import { openScanner, pathOf } from '../connection/current.js';
import type { ScannerLink } from '../connection/scanner-link.js';
import { destinationOf } from '../data-route/data-destination.js';
import { setting } from '../parts/inputs.js';
import { linkToScanner } from '../parts/route.js';
import { deviceState, type Severity, StateMark } from '../parts/states.js';
import { Since, sentence } from '../parts/texts.js';
import type { LiveState } from './live-state.js';
import type { ScanSource } from './scan-source.js';
import '../style/live.css';

const { mStartMeasure } = basicSettings.members;

/** Number of scanners that the line names. */
const mostNamed = 6;

/** The scanners of a view that send no scan now. */
function silentOf(state: LiveState): readonly ScanSource[] {
  void state.seconds.value;
  return state.sources.filter(({ feed }) => feed.rate(performance.now()) === 0);
}

/**
 * Shows the reason why the only scanner sends no scan, and a button that helps. Of several scanners, it only shows that
 * none of them sends a scan.
 */
export function NoScan({ state }: { state: LiveState }) {
  const silent = silentOf(state);
  const isEmpty = state.sources.every(({ history }) => history.newest === undefined);
  const [source] = silent;
  if (source === undefined) return null;
  if (state.sources.length > 1) {
    if (!isEmpty || silent.length < state.sources.length) return null;
    return (
      <div class="no-scan all">
        <StateLine severity="idle" word="No scan yet" seen={false}>
          None of them sends a scan. The line below says why.
        </StateLine>
      </div>
    );
  }
  return (
    <div class={isEmpty ? 'no-scan all' : 'no-scan'}>
      <Reason source={source} state={state} />
    </div>
  );
}

/** Shows in one line which of several scanners send nothing. It opens to the reasons, with buttons that help. */
export function SilentLine({ state }: { state: LiveState }) {
  const silent = silentOf(state);
  if (state.sources.length < 2 || silent.length === 0) return null;
  const names = silent.slice(0, mostNamed).map(({ link }) => link.title.value);
  const more = silent.length - names.length;
  return (
    <details class="silent-scanners">
      <summary>
        <strong>
          {silent.length} of {state.sources.length}
        </strong>{' '}
        <span role="status">
          {silent.length === 1 ? 'sends' : 'send'} no scans: {names.join(', ')}
          {more > 0 && ` and ${more} more`}
        </span>
      </summary>
      <ul>
        {silent.map((source) => (
          <li key={source.link.url}>
            <strong>{source.link.title.value}</strong>
            <Reason source={source} state={state} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function Reason({ source, state: { aiming } }: { source: ScanSource; state: LiveState }) {
  const { link, feed, history } = source;
  const connection = link.state.value;
  const state = feed.state.value;
  const of = { seen: history.newest !== undefined };
  const failure = connection.kind === 'unreachable' ? connection : state.kind === 'lost' ? state : undefined;
  if (failure !== undefined) {
    return (
      <StateLine {...of} severity="bad" word="The scanner is gone">
        It has not answered for <Since start={failure.since} /> s. This page tries again every 3 s.
      </StateLine>
    );
  }
  if (state.kind === 'absent') {
    return (
      <StateLine {...of} severity="idle" word="No live view">
        This scanner does not send its scans to browsers. {whereItGoes(link)}
      </StateLine>
    );
  }
  const deviceStatus = link.value(status.members.DeviceStatus.name);
  if (deviceStatus === DeviceStatus.DS_SuspendedOperation) {
    return (
      <StateLine {...of} severity="idle" word="Not measuring" act={<Start link={link} />}>
        Measuring is switched off.
      </StateLine>
    );
  }
  const { severity, word, advice } = deviceState(deviceStatus);
  if (deviceStatus !== undefined && severity !== 'good') {
    return (
      <StateLine {...of} severity={severity} word={word}>
        {advice}
      </StateLine>
    );
  }
  const data = link.gateway?.state.value;
  if (data?.state === 'elsewhere') {
    const show = setting(aiming, source);
    return (
      <StateLine
        {...of}
        severity="idle"
        word={destinationOf(link)?.isOn === false ? 'Scan data is off' : 'Scan data goes elsewhere'}
        act={
          <button type="button" class="main" onClick={show}>
            Show it here …
          </button>
        }
      >
        {sentence(data.reason)} It can send its data to this computer instead.
      </StateLine>
    );
  }
  return (
    <StateLine {...of} severity="idle" word="Waiting for a scan …">
      {data?.state === 'receiving'
        ? `Listening at ${data.at}. If nothing comes, a firewall may keep it out.`
        : 'The scanner measures. Its next scan comes any moment.'}
    </StateLine>
  );
}

interface StateLineProperties {
  readonly severity: Severity;
  readonly word: string;
  /** True if the last scan is in sight. */
  readonly seen: boolean;
  /** Button that helps. */
  readonly act?: ComponentChildren;
  readonly children: ComponentChildren;
}

function StateLine({ severity, word, seen, act, children }: StateLineProperties) {
  return (
    <section class={`told ${severity}`} role="status">
      <h2>
        <StateMark severity={severity}>{word}</StateMark>
      </h2>
      <p>{children}</p>
      {seen && <p class="small soft">The view shows what it saw last.</p>}
      {act}
    </section>
  );
}

function Start({ link }: { link: ScannerLink }) {
  const busy = useSignal(false);
  if (link !== openScanner.value) {
    return (
      <a class="button" href={linkToScanner(pathOf(link), 'live')}>
        Open this scanner, to start it
      </a>
    );
  }
  const start = () => attempt(busy, 'AuthorizedClient', () => link.call(mStartMeasure.name));
  return (
    <button type="button" class="main" disabled={busy.value} onClick={start}>
      Start measuring
    </button>
  );
}

function whereItGoes(link: ScannerLink): string {
  const destination = destinationOf(link);
  if (destination === undefined) return '';
  const { isOn, to, format } = destination;
  if (!isOn) return 'Its scan data is switched off.';
  return `Its scan data goes to ${to} as ${format}: watch it there, or open the scanner with azimuth gui.`;
}
