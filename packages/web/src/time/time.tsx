import {
  asUtc,
  type ClockJudgement,
  type DateTime,
  dateAndSystemTime,
  extensions,
  judgedClock,
  localTime,
  rightWithin,
  TimeRole,
  type TimeState,
} from '@azimuth/model';
import { scanner } from '../connection/current.js';
import { type Labelled, ParameterGroup } from '../forms/parameter-form.js';
import '../style/maintain.css';
import { useSignal } from '@preact/signals';
import { Fragment } from 'preact';
import { useMemo } from 'preact/hooks';
import { attempt, NeedsLevel } from '../connection/acts.js';
import { knownValue, levelToCall, typed } from '../connection/declarations.js';
import { wireName } from '../connection/scanner-link.js';
import { valueText } from '../forms/value-text.js';
import { StateMark } from '../parts/states.js';

const { TSCRole, TSCTCSrvAddr, TSCTCtimezone, TSCTCupdatetime } = dateAndSystemTime.members;

const settings: Labelled = [
  [TSCRole, 'Source of the time'],
  [TSCTCSrvAddr, 'Time server (NTP)'],
  [TSCTCupdatetime, 'Ask the server every'],
  [TSCTCtimezone, 'Time zone'],
];

/** The device clock, and whom it follows. */
export function Time() {
  return (
    <div class="content">
      <header class="lead">
        <h1>Time</h1>
        <p class="soft">
          The clock of the scanner, and where it gets the time from. While it follows a server or a PTP
          master, telegrams have times of day; otherwise they have the time since the boot.
        </p>
      </header>
      <div class="panels broad">
        <DeviceClock />
        <TimeSource />
      </div>
      <ParameterGroup title="Settings" variables={settings} edition={scanner().edition.value} />
    </div>
  );
}

const { LSPdatetime, LSPsetdatetime } = dateAndSystemTime.members;
const level = levelToCall(LSPsetdatetime);

/** The device clock beside the one of this computer. */
function DeviceClock() {
  const link = scanner();
  const busy = useSignal(false);
  const reading = link.readings.of(wireName(LSPdatetime.name)).value;
  const json = reading.state === 'there' ? reading.value : undefined;
  const arrived = useMemo(() => new Date(), [json]);
  const device = typed(LSPdatetime, json);
  const synchronised = knownValue(link, extensions.members.time)?.Synchronised;
  const isSynchronised = synchronised === true;
  const zone = knownValue(link, TSCTCtimezone);
  const role = knownValue(link, TSCRole);
  const judged =
    device === undefined ? undefined : judgedClock({ device, now: arrived, role, zone, synchronised });
  const set = () =>
    attempt(busy, level, async () => {
      await link.call(LSPsetdatetime.name, { DateTime: localTime(new Date()) });
      link.readings.readShown();
    });
  return (
    <section class="panel">
      <h2>Now</h2>
      <dl class="facts">
        <dt>Scanner</dt>
        <dd>
          <strong>{device === undefined ? '…' : clockText(device)}</strong>
          {judged?.zone !== undefined && <span class="soft"> {judged.zone.replaceAll('_', ' ')}</span>}
        </dd>
        <dt>This computer</dt>
        <dd>{clockText(localTime(arrived))}</dd>
        <dt>The scanner is</dt>
        <dd>{judged === undefined ? '…' : differenceText(judged)}</dd>
      </dl>
      <p class="small soft">
        {isSynchronised
          ? 'The clock follows its source, so it cannot be set by hand.'
          : 'A time that is set by hand is lost at the next boot. While the clock follows a server or a master, the scanner refuses it.'}
      </p>
      <div class="row">
        <button type="button" disabled={busy.value || isSynchronised} onClick={set}>
          Set to the time of this computer
        </button>
        <NeedsLevel level={level} />
      </div>
    </section>
  );
}

/** What is to be thought of a device clock, for a person: `65 s ahead`, `3.0 h behind: probably another time zone`. */
export function differenceText({ aheadMs, verdict }: ClockJudgement): string {
  if (verdict === 'right') return `right: it agrees within ${rightWithin / 1000} s`;
  const span = `${spanText(Math.abs(aheadMs) / 1000)} ${aheadMs > 0 ? 'ahead' : 'behind'}`;
  return verdict === 'other zone' ? `${span}: probably another time zone` : span;
}

function spanText(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7200) return `${(seconds / 60).toFixed(1)} min`;
  if (seconds < 172_800) return `${(seconds / 3600).toFixed(1)} h`;
  return `${(seconds / 86_400).toFixed(1)} days`;
}

/** `2027-01-31 12:00:05`. */
export function clockText(time: DateTime): string {
  return new Date(asUtc(time)).toISOString().slice(0, 19).replace('T', ' ');
}

const { time } = extensions.members;

const sources: Readonly<Record<number, string>> = {
  [TimeRole.TX_NONE]: 'Nothing: the clock runs by itself',
  [TimeRole.TX_CLIENT]: 'A time server (NTP)',
  [TimeRole.TX_PTP_SLAVE]: 'A PTP master',
};

/** Whom the device clock follows, and how well, if the scanner tells. */
function TimeSource() {
  const link = scanner();
  const role = knownValue(link, TSCRole);
  const reading = link.readings.of(wireName(time.name)).value;
  const state = reading.state === 'there' ? typed(time, reading.value) : undefined;
  return (
    <section class="panel">
      <h2>Source</h2>
      <p>{role === undefined ? '…' : (sources[role] ?? String(role))}</p>
      {reading.state === 'missing' && (
        <p class="soft">This scanner does not tell whether its clock is synchronised.</p>
      )}
      {state !== undefined && state.Role !== TimeRole.TX_NONE && <Followed state={state} />}
    </section>
  );
}

function Followed({ state }: { state: TimeState }) {
  const isPtp = state.Role === TimeRole.TX_PTP_SLAVE;
  return (
    <>
      <StateMark severity={state.Synchronised ? 'good' : 'warn'}>
        {state.Synchronised ? 'Synchronised' : 'Not synchronised'}
      </StateMark>
      {state.Fault !== '' && <p class="notice warn">{state.Fault}</p>}
      <dl class="facts">
        {isPtp ? (
          <Facts of={['MasterAddress', 'Grandmaster', 'PathDelay', 'Drift']} state={state.Ptp} />
        ) : (
          <Facts of={['Server', 'Stratum', 'RoundTrip', 'NextExchange', 'Missed']} state={state} />
        )}
        <Facts of={['Offset']} state={state} />
      </dl>
    </>
  );
}

const labels: Readonly<Record<string, string>> = {
  Server: 'Server',
  Stratum: 'Stratum',
  Offset: 'It was ahead by',
  RoundTrip: 'Round trip',
  NextExchange: 'Next request in',
  Missed: 'Requests without an answer',
  MasterAddress: 'Master',
  Grandmaster: 'Grandmaster',
  PathDelay: 'Path delay',
  Drift: 'Clock made faster by',
};

function Facts({ of, state }: { of: readonly string[]; state: Readonly<Record<string, unknown>> }) {
  const { shape } = time.type;
  const members = shape.kind === 'struct' ? shape.members : {};
  const ptp = members.Ptp?.shape;
  const inner = ptp?.kind === 'struct' ? ptp.members : {};
  return (
    <>
      {of.map((name) => {
        const member = (members[name] ?? inner[name])?.shape;
        if (member === undefined) return null;
        return (
          <Fragment key={name}>
            <dt>{labels[name]}</dt>
            <dd>{valueText(member, state[name], (part) => time.unitOf(part), name)}</dd>
          </Fragment>
        );
      })}
    </>
  );
}
