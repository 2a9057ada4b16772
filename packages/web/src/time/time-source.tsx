import { dateAndSystemTime, extensions, TimeRole, type TimeState } from '@azimuth/model';
import { Fragment } from 'preact';
import { scanner } from '../connection/current.js';
import { knownValue, typed } from '../connection/known-value.js';
import { wireName } from '../connection/scanner-link.js';
import { valueText } from '../forms/value-text.js';
import { StateMark } from '../parts/state-mark.js';

const { TSCRole } = dateAndSystemTime.members;
const { time } = extensions.members;

const sources: Readonly<Record<number, string>> = {
  [TimeRole.TX_NONE]: 'Nothing: the clock runs by itself',
  [TimeRole.TX_CLIENT]: 'A time server (NTP)',
  [TimeRole.TX_PTP_SLAVE]: 'A PTP master',
};

/** Whom the device clock follows, and how well, if the scanner tells. */
export function TimeSource() {
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
