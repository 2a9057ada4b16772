import { type LoginLevel, loginLevels, measurementDataOutput, reaches } from '@azimuth/model';
import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { pathOf } from '../connection/current.js';
import type { Gateway } from '../connection/gateway.js';
import { type DataDestination, destinationOf, routeState } from '../data-route/data-destination.js';
import { metricsWatch, type Sending } from '../data-route/sending.js';
import { setting } from '../parts/inputs.js';
import { Job } from '../parts/jobs.js';
import { type Fact, Facts, Panel, Quantity } from '../parts/panels.js';
import { linkToScanner } from '../parts/route.js';
import { StateMark } from '../parts/states.js';
import { SecretForm } from '../session/secret-form.js';
import type { LiveState } from './live-state.js';
import type { ScanSource } from './scan-source.js';

export function DataRoutePanel({ source, state }: { source: ScanSource; state: LiveState }) {
  const { link } = source;
  const destination = destinationOf(link);
  const sending = metricsWatch(link).sending.value;
  return (
    <Panel title="Where the data goes" label="Where the data goes">
      {state.sources.length > 1 && <p class="soft">{link.title.value}</p>}
      {destination !== undefined && (
        <>
          <RouteState destination={destination} sending={sending} />
          <Facts
            of={[
              ['Destination', destination.to],
              ['Format', destination.format],
              ...(destination.isOn ? sentFacts(sending) : []),
            ]}
          />
        </>
      )}
      <SeenHere source={source} state={state} />
      {link.gateway !== undefined && <ArrivalPart source={source} gateway={link.gateway} state={state} />}
      <a href={linkToScanner(pathOf(link), 'data-output')}>Change the destination for good</a>
    </Panel>
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

function sentFacts(sending: Sending): readonly Fact[] {
  if (sending.kind === 'unknown') return [];
  if (sending.kind === 'unavailable') {
    return [['Sent', <span class="soft">this scanner does not tell how much</span>]];
  }
  const { rate, sent } = sending;
  return [
    ['Sent', <Quantity value={rate === undefined ? '–' : Math.round(rate)} unit="datagrams a second" />],
    ['Refused', <Quantity value={sent.refused} unit="since its start" />],
    ['Lost there', <Quantity value={sent.lost} unit="since its start" />],
  ];
}

function SeenHere({ source: { feed }, state }: { source: ScanSource; state: LiveState }) {
  void state.seconds.value;
  const { telegrams, late } = feed.losses;
  return (
    <>
      <h3>Seen in this browser</h3>
      <Facts
        of={[
          ['Scans', <Quantity value={feed.rate(performance.now()).toFixed(1)} unit="a second" />],
          ['Lost', <Quantity value={telegrams} unit="telegrams" />],
          ['Left out', late > 0 && <Quantity value={late} unit="scans, as this computer was busy" />],
        ]}
      />
    </>
  );
}

/** With `azimuth gui`: shows whether the data arrives at this computer, and offers to change that. */
function ArrivalPart({
  source,
  gateway,
  state: { aiming },
}: {
  source: ScanSource;
  gateway: Gateway;
  state: LiveState;
}) {
  const restoring = useMemo(() => new Job<void>(), []);
  const restore = () => restoring.run('Restoring', () => gateway.restore(), failureText);
  const failure = restoring.state.value;
  const data = gateway.state.value;
  if (data === undefined || data.state === 'live') return null;
  const isAimed = data.state === 'receiving' && data.aimed;
  return (
    <>
      {isAimed && (
        <div class="notice warn" role="status">
          <span>The scanner sends its data to this computer, until you restore its destination.</span>
          <button type="button" disabled={restoring.isRunning} onClick={restore}>
            Restore the destination
          </button>
        </div>
      )}
      {data.state === 'receiving' && !isAimed && (
        <p class="small soft">The data arrives at this computer, at {data.at}.</p>
      )}
      {data.state === 'elsewhere' && (
        <button type="button" onClick={setting(aiming, source)}>
          Show it here …
        </button>
      )}
      {failure.kind === 'failed' && (
        <p class="failure" role="alert">
          {failure.reason}
        </p>
      )}
    </>
  );
}

const { write: needed = 'Service' } = measurementDataOutput.members.ScanDataEthSettings.facts;
const enough = loginLevels.filter((level) => reaches(level, needed));

export function AimDialog({ state: { aiming } }: { state: LiveState }) {
  const source = aiming.value;
  const close = setting(aiming, undefined);
  return source === undefined ? null : <Question source={source} close={close} />;
}

function Question({ source: { link }, close }: { source: ScanSource; close: () => void }) {
  const level = useSignal<LoginLevel>(
    enough.find((name) => name === link.login.level) ?? enough.at(-1) ?? 'Service',
  );
  const destination = destinationOf(link);
  return (
    <SecretForm
      title="Send the scan data to this computer?"
      close={close}
      lead={
        <>
          <p>
            A scanner sends its data to one destination. Whoever receives it there now gets nothing, until you
            restore the destination here, or until <code>azimuth gui</code> ends.
          </p>
          {destination !== undefined && <pre class="lines">{changesOf(destination).join('\n')}</pre>}
        </>
      }
      level={level}
      levels={{ of: enough }}
      secrets={[['password', 'Password', 'current-password']]}
      below={() => (
        <p class="small soft">
          The password goes to <code>azimuth gui</code> on this computer, which needs it to restore the
          destination. It is kept in memory until then.
        </p>
      )}
      act="Send it here"
      acting="Switching …"
      send={async (typed) => {
        await link.gateway?.aim({ user: level.value, password: typed('password') });
        close();
        return 'The scan data comes here.';
      }}
      failureText={failureText}
    />
  );
}

function failureText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns the changes that the scanner will get, a line each. */
function changesOf({ isOn, to, format }: DataDestination): readonly string[] {
  return [
    `Destination: ${to} → this computer`,
    ...(isOn ? [] : ['Scan data: off → on']),
    ...(format === 'Compact' || format === 'MSGPACK' ? [] : [`Format: ${format} → Compact`]),
  ];
}
