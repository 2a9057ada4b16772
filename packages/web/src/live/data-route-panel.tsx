import { useSignal } from '@preact/signals';
import { type DataDestination, destinationOf } from '../data-route/data-destination.js';
import { routeState } from '../data-route/route-state.js';
import { type Sending, sendingWatch } from '../data-route/sending.js';
import { StateMark } from '../parts/state-mark.js';
import { linkTo } from '../routing/route.js';
import type { Arrival } from './arrival.js';
import type { LiveState } from './live-state.js';
import type { ScanSource } from './scan-source.js';

/** Where the scan data of a scanner goes, whether it gets there, and what of it is seen here. */
export function DataRoutePanel({ source, state }: { source: ScanSource; state: LiveState }) {
  const { link, arrival } = source;
  const destination = destinationOf(link);
  const sending = sendingWatch(link).sending.value;
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
