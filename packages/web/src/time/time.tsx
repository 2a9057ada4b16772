import {
  asUtc,
  type ClockComparison,
  clockTolerance,
  compareClock,
  type DateTime,
  dateAndSystemTime,
  extensions,
  localTime,
  TimeRole,
  type TimeState,
} from '@azimuth/model';
import { useMemo } from 'preact/hooks';
import { Act, NeedsLevel } from '../connection/acts.js';
import { scanner } from '../connection/current.js';
import { knownValue, levelToCall, typed } from '../connection/declarations.js';
import { wireName } from '../connection/scanner-link.js';
import { type Labelled, ParameterGroup } from '../forms/parameter-form.js';
import { valueText } from '../forms/value-text.js';
import { type Fact, Facts, PageContent, Panel } from '../parts/panels.js';
import { StateMark } from '../parts/states.js';

const { TSCRole, TSCTCSrvAddr, TSCTCtimezone, TSCTCupdatetime } = dateAndSystemTime.members;

const settings: Labelled = [
  [TSCRole, 'Source of the time'],
  [TSCTCSrvAddr, 'Time server (NTP)'],
  [TSCTCupdatetime, 'Ask the server every'],
  [TSCTCtimezone, 'Time zone'],
];

export default function Time() {
  return (
    <PageContent title="Time">
      <p class="lead">
        The clock of the scanner, and where it gets the time from. While it follows a server or a PTP master,
        telegrams have times of day; otherwise they have the time since the boot.
      </p>
      <div class="panels broad">
        <DeviceClock />
        <TimeSource />
      </div>
      <ParameterGroup title="Settings" variables={settings} edition={scanner().edition.value} />
    </PageContent>
  );
}

const { LSPdatetime, LSPsetdatetime } = dateAndSystemTime.members;
const level = levelToCall(LSPsetdatetime);

function DeviceClock() {
  const link = scanner();
  const reading = link.readings.of(wireName(LSPdatetime.name)).value;
  const json = reading.state === 'known' ? reading.value : undefined;
  const arrived = useMemo(() => new Date(), [json]);
  const device = typed(LSPdatetime, json);
  const synchronised = knownValue(link, extensions.members.time)?.Synchronised;
  const isSynchronised = synchronised === true;
  const zone = knownValue(link, TSCTCtimezone);
  const role = knownValue(link, TSCRole);
  const judged =
    device === undefined ? undefined : compareClock({ device, now: arrived, role, zone, synchronised });
  const set = async () => {
    await link.call(LSPsetdatetime.name, { DateTime: localTime(new Date()) });
    link.readings.readShown();
  };
  return (
    <Panel title="Now">
      <Facts
        of={[
          [
            'Scanner',
            <>
              <strong>{device === undefined ? '…' : clockText(device)}</strong>
              {judged?.zone !== undefined && <span class="soft"> {judged.zone.replaceAll('_', ' ')}</span>}
            </>,
          ],
          ['This computer', clockText(localTime(arrived))],
          ['The scanner is', judged === undefined ? '…' : differenceText(judged)],
        ]}
      />
      <p class="small soft">
        {isSynchronised
          ? 'The clock follows its source, so it cannot be set by hand.'
          : 'A time that is set by hand is lost at the next boot. While the clock follows a server or a master, the scanner refuses it.'}
      </p>
      <div class="row">
        <Act level={level} disabled={isSynchronised} act={set}>
          Set to the time of this computer
        </Act>
        <NeedsLevel level={level} />
      </div>
    </Panel>
  );
}

/** Describes a device clock for a person: `65 s ahead`, `3.0 h behind: probably another time zone`. */
export function differenceText({ aheadMs, verdict }: ClockComparison): string {
  if (verdict === 'right') return `right: it agrees within ${clockTolerance / 1000} s`;
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

function TimeSource() {
  const link = scanner();
  const role = knownValue(link, TSCRole);
  const reading = link.readings.of(wireName(time.name)).value;
  const state = reading.state === 'known' ? typed(time, reading.value) : undefined;
  return (
    <Panel title="Source">
      <p>{role === undefined ? '…' : (sources[role] ?? String(role))}</p>
      {reading.state === 'missing' && (
        <p class="soft">This scanner does not tell whether its clock is synchronised.</p>
      )}
      {state?.System && (
        <StateMark severity="good">{`Synchronised by the ${state.System} of the device itself`}</StateMark>
      )}
      {state !== undefined && state.Role !== TimeRole.TX_NONE && !state.System && <Followed state={state} />}
    </Panel>
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
      <Facts
        of={[
          ...(isPtp
            ? factsOf(['MasterAddress', 'Grandmaster', 'PathDelay', 'Drift'], state.Ptp)
            : factsOf(['Server', 'Stratum', 'RoundTrip', 'NextExchange', 'Missed'], state)),
          ...factsOf(['Offset'], state),
        ]}
      />
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

function factsOf(names: readonly string[], state: Readonly<Record<string, unknown>>): readonly Fact[] {
  const { shape } = time.type;
  const members = shape.kind === 'struct' ? shape.members : {};
  const ptp = members.Ptp?.shape;
  const inner = ptp?.kind === 'struct' ? ptp.members : {};
  return names.flatMap((name): readonly Fact[] => {
    const member = (members[name] ?? inner[name])?.shape;
    if (member === undefined) return [];
    return [[labels[name] ?? name, valueText(member, state[name], (part) => time.unitOf(part), name)]];
  });
}
