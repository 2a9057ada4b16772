import { isLoginLevel, type LoginLevel, loginLevels, measurementDataOutput, reaches } from '@azimuth/model';
import { useSignal } from '@preact/signals';
import { type DataDestination, destinationOf, routeState } from '../data-route/data-destination.js';
import { type Sending, sendingWatch } from '../data-route/sending.js';
import { Modal } from '../parts/dialogs.js';
import { linkTo } from '../parts/route.js';
import { StateMark } from '../parts/states.js';
import { PasswordInput } from '../session/secret-form.js';
import type { LiveState } from './live-state.js';
import type { Arrival, ScanSource } from './scan-source.js';

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

const { write: needed = 'Service' } = measurementDataOutput.members.ScanDataEthSettings.facts;
const enough = loginLevels.filter((level) => reaches(level, needed));

/** Asks whether a scanner is to send its scan data to this computer, and for the login that this needs. */
export function AimDialog({ state: { aiming } }: { state: LiveState }) {
  const source = aiming.value;
  const close = () => {
    aiming.value = undefined;
  };
  return source === undefined ? null : <Question source={source} close={close} />;
}

function Question({ source: { link, arrival }, close }: { source: ScanSource; close: () => void }) {
  const level = useSignal<LoginLevel>(
    enough.find((name) => name === link.login.level) ?? enough.at(-1) ?? 'Service',
  );
  const password = useSignal('');
  const busy = useSignal(false);
  const failure = useSignal('');
  const destination = destinationOf(link);
  const aim = async (event: Event) => {
    event.preventDefault();
    busy.value = true;
    failure.value = '';
    try {
      await arrival?.aim({ user: level.value, password: password.value });
      close();
    } catch (error) {
      failure.value = error instanceof Error ? error.message : String(error);
    } finally {
      busy.value = false;
    }
  };
  return (
    <Modal label="Send the scan data to this computer?" close={close}>
      <form class="stack" onSubmit={aim}>
        <h2>Send the scan data to this computer?</h2>
        <p>
          A scanner sends its data to one destination. Whoever receives it there now gets nothing, until you
          restore the destination here, or until <code>azimuth gui</code> ends.
        </p>
        {destination !== undefined && <pre class="lines">{changesOf(destination).join('\n')}</pre>}
        <label>
          Level
          <select
            value={level.value}
            onChange={({ currentTarget: { value } }) => {
              if (isLoginLevel(value)) level.value = value;
            }}
          >
            {enough.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <PasswordInput password={password} wrong={failure.value !== ''} failure="aim-failure" />
        <p class="small soft">
          The password goes to <code>azimuth gui</code> on this computer, which needs it to restore the
          destination. It is kept in memory until then.
        </p>
        <p id="aim-failure" class="failure" role="alert">
          {failure.value}
        </p>
        <div class="row">
          <button type="submit" class="main" disabled={busy.value}>
            {busy.value ? 'Switching …' : 'Send it here'}
          </button>
          <button type="button" onClick={close}>
            Cancel
          </button>
        </div>
      </form>
    </Modal>
  );
}

/** What will change at the scanner, a line each. */
function changesOf({
  isOn,
  to,
  format,
}: {
  readonly isOn: boolean;
  readonly to: string;
  readonly format: string;
}): readonly string[] {
  return [
    `Destination: ${to} → this computer`,
    ...(isOn ? [] : ['Scan data: off → on']),
    ...(format === 'Compact' || format === 'MSGPACK' ? [] : [`Format: ${format} → Compact`]),
  ];
}
