import { useSignal } from '@preact/signals';
import type { Severity } from '../parts/severity.js';
import { StateMark } from '../parts/state-mark.js';
import { linkTo } from '../routing/route.js';
import type { Arrival } from './arrival.js';
import { type DataDestination, destinationOf } from './data-destination.js';
import type { LiveState } from './live-state.js';
import type { ScanSource } from './scan-source.js';
import type { Sending } from './sending.js';

/** Where the scan data of a scanner goes, whether it gets there, and what of it is seen here. */
export function DataRoutePanel({ source, state }: { source: ScanSource; state: LiveState }) {
  const { link, watch, arrival } = source;
  const destination = destinationOf(link);
  const sending = watch.sending.value;
  return (
    <section class="panel" aria-label="Where the data goes">
      <h2>Where the data goes</h2>
      {state.sources.length > 1 && <p class="soft">{link.title.value}</p>}
      {destination !== undefined && (
        <>
          <RouteState destination={destination} sending={sending} />
          <dl class="facts">
            <dt>Destination</dt>
            <dd>{destination.to}</dd>
            <dt>Format</dt>
            <dd>{destination.format}</dd>
            {destination.isOn && <Sent sending={sending} />}
          </dl>
        </>
      )}
      <SeenHere source={source} state={state} />
      {arrival !== undefined && <ArrivalPart source={source} arrival={arrival} state={state} />}
      <a href={linkTo('parameters', 'ScanDataEthSettings')}>Change the destination for good</a>
    </section>
  );
}

function RouteState({ destination, sending }: { destination: DataDestination; sending: Sending }) {
  const [severity, word, text] = routeState(destination, sending);
  return (
    <div>
      <StateMark severity={severity}>{word}</StateMark>
      {text !== '' && <p class="small soft">{text}</p>}
    </div>
  );
}

/** Why a stream that is on sends nothing, in words. */
const downWords: Readonly<Record<string, string>> = {
  port_closed: 'The scanner cannot open its TCP port. Usually, another program has it.',
  no_port: 'The port of the destination is 0.',
  no_address: 'The scanner has no address of its own.',
  format: 'This format is not sent as a data stream.',
  unreachable: 'There is no network route to the destination. The scanner tries again every second.',
};

function routeState({ isOn, to }: DataDestination, sending: Sending): [Severity, string, string] {
  if (!isOn) return ['idle', 'Off', 'The scanner sends its scan data nowhere.'];
  if (sending.kind !== 'told') return ['good', 'On', ''];
  const { down } = sending.sent;
  if (down !== undefined) {
    return ['bad', 'Cannot send', downWords[down] ?? 'The network fails. The log of the scanner says more.'];
  }
  if (sending.isRefused) return ['warn', 'Refused', `Nobody listens at ${to}.`];
  if (sending.isLosing)
    return ['warn', 'Losing telegrams', 'The network takes fewer than the scanner sends.'];
  return sending.rate === 0
    ? ['idle', 'Nobody reads', 'The stream is on, but nothing is sent at the moment.']
    : ['good', 'Sending', ''];
}

function Sent({ sending }: { sending: Sending }) {
  if (sending.kind === 'unknown') return null;
  if (sending.kind === 'untold') {
    return (
      <>
        <dt>Sent</dt>
        <dd class="soft">this scanner does not tell how much</dd>
      </>
    );
  }
  const { rate, sent } = sending;
  return (
    <>
      <dt>Sent</dt>
      <dd>
        {rate === undefined ? '–' : Math.round(rate)}
        <span class="unit">datagrams a second</span>
      </dd>
      <dt>Refused</dt>
      <dd>
        {sent.refused}
        <span class="unit">since its start</span>
      </dd>
      <dt>Lost there</dt>
      <dd>
        {sent.lost}
        <span class="unit">since its start</span>
      </dd>
    </>
  );
}

/** What came of the scans into this browser. */
function SeenHere({ source: { feed }, state }: { source: ScanSource; state: LiveState }) {
  void state.seconds.value;
  const { telegrams, late } = feed.losses;
  return (
    <>
      <h3>Seen in this browser</h3>
      <dl class="facts">
        <dt>Scans</dt>
        <dd>
          {feed.rate(performance.now()).toFixed(1)}
          <span class="unit">a second</span>
        </dd>
        <dt>Lost</dt>
        <dd>
          {telegrams}
          <span class="unit">telegrams</span>
        </dd>
        {late > 0 && (
          <>
            <dt>Left out</dt>
            <dd>
              {late}
              <span class="unit">scans, as this computer was busy</span>
            </dd>
          </>
        )}
      </dl>
    </>
  );
}

/** With `azimuth gui`: whether the data arrives at this computer, and what changes that. */
function ArrivalPart({
  source,
  arrival,
  state: { aiming },
}: {
  source: ScanSource;
  arrival: Arrival;
  state: LiveState;
}) {
  const busy = useSignal(false);
  const failure = useSignal('');
  const data = arrival.state.value;
  if (data === undefined || data.state === 'live') return null;
  const restore = async () => {
    busy.value = true;
    failure.value = '';
    try {
      await arrival.restore();
    } catch (error) {
      failure.value = error instanceof Error ? error.message : String(error);
    } finally {
      busy.value = false;
    }
  };
  const isAimed = data.state === 'receiving' && data.aimed;
  return (
    <>
      {isAimed && (
        <div class="notice warn" role="status">
          <span>The scanner sends its data to this computer, until you restore its destination.</span>
          <button type="button" disabled={busy.value} onClick={restore}>
            Restore the destination
          </button>
        </div>
      )}
      {data.state === 'receiving' && !isAimed && (
        <p class="small soft">The data arrives at this computer, at {data.at}.</p>
      )}
      {data.state === 'elsewhere' && (
        <button
          type="button"
          onClick={() => {
            aiming.value = source;
          }}
        >
          Show it here …
        </button>
      )}
      {failure.value !== '' && (
        <p class="failure" role="alert">
          {failure.value}
        </p>
      )}
    </>
  );
}
