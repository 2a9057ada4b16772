import { basicSettings, DeviceStatus, status } from '@azimuth/model';
import { useSignal } from '@preact/signals';
import { attempt } from '../connection/attempt.js';
import { scanner } from '../connection/current.js';
import type { ScannerLink } from '../connection/scanner-link.js';
import { deviceState } from '../parts/device-state.js';
import { Since } from '../parts/since.js';
import { StateMark } from '../parts/state-mark.js';
import { routeOf } from './data-destination.js';
import type { LiveState } from './live-state.js';
import type { ScanSource } from './scan-source.js';

const { mStartMeasure } = basicSettings.members;

/** Why no scan comes, and what mends it. Nothing while scans come. */
export function NoScan({ state }: { state: LiveState }) {
  void state.seconds.value;
  const silent = state.sources.filter(({ feed }) => feed.rate(performance.now()) === 0);
  if (silent.length === 0) return null;
  return (
    <div class="no-scan">
      {silent.map((source) => (
        <Reason key={source.link.url} source={source} />
      ))}
    </div>
  );
}

function Reason({ source: { link, feed, history } }: { source: ScanSource }) {
  const connection = link.state.value;
  const state = feed.state.value;
  const seen = history.newest === undefined ? '' : ' The view shows what it saw last.';
  if (state.kind === 'absent') return <Absent link={link} />;
  const gone = connection.kind === 'gone' ? connection : state.kind === 'lost' ? state : undefined;
  if (gone !== undefined) {
    return (
      <div class="notice bad" role="status">
        <StateMark severity="bad">Scanner gone</StateMark>
        <span>
          It has not answered for <Since start={gone.since} /> s. Trying again.{seen}
        </span>
      </div>
    );
  }
  const deviceStatus = link.value(status.members.DeviceStatus.name);
  if (deviceStatus === DeviceStatus.DS_SuspendedOperation) return <NotMeasuring link={link} seen={seen} />;
  const { severity, word, advice } = deviceState(deviceStatus);
  if (severity !== 'good') {
    return (
      <div class={`notice ${severity}`} role="status">
        <StateMark severity={severity}>{word}</StateMark>
        <span>{advice}</span>
      </div>
    );
  }
  return (
    <div class="notice" role="status">
      <StateMark severity="idle">Waiting for a scan …</StateMark>
      <span>The scanner measures. Its next scan comes any moment.{seen}</span>
    </div>
  );
}

function NotMeasuring({ link, seen }: { link: ScannerLink; seen: string }) {
  const busy = useSignal(false);
  const isShown = link === scanner();
  const start = () => attempt(busy, 'AuthorizedClient', () => link.call(mStartMeasure.name));
  return (
    <div class="notice warn" role="status">
      <StateMark severity="idle">Not measuring</StateMark>
      <span>Measuring is switched off.{seen}</span>
      {isShown && (
        <button type="button" class="main" disabled={busy.value} onClick={start}>
          Start measuring
        </button>
      )}
    </div>
  );
}

/** A scanner that has no live scans for browsers still sends its data somewhere. */
function Absent({ link }: { link: ScannerLink }) {
  const route = routeOf(link);
  return (
    <div class="notice" role="status">
      <StateMark severity="idle">No live view</StateMark>
      <span>
        This scanner does not send its scans to browsers.{' '}
        {route === undefined
          ? 'Its scan data is not known.'
          : route.isOn
            ? `Its scan data goes to ${route.destination} as ${route.format}: watch it there.`
            : 'Its scan data is switched off: switch it on to watch it with a receiver.'}
      </span>
    </div>
  );
}
