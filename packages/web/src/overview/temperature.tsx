import { operatingData, status } from '@azimuth/model';
import { scanner } from '../connection/current.js';
import { knownValue } from '../connection/declarations.js';
import { Panel } from '../parts/panels.js';
import { linkTo } from '../parts/route.js';
import { StateMark } from '../parts/states.js';
import { useValueHistory } from '../site-history/value-history.js';
import { temperatureTrend } from './trend.js';
import { TrendChart } from './trend-chart.js';

const { CurrentTempDev } = operatingData.members;
const { temperatureAlarmConfiguration, temperatureAlarmStatus } = status.members;

/** ms that the curve begins before this page was opened, if the server knows what was then. */
const hour = 3_600_000;

/** °C beyond the limits that the scale shows. */
const beyond = 15;

export function Temperature() {
  const link = scanner();
  const celsius = knownValue(link, CurrentTempDev);
  const before = useValueHistory(link, 'temperature', hour);
  const limits = knownValue(link, temperatureAlarmConfiguration);
  const alarm = knownValue(link, temperatureAlarmStatus);
  if (celsius === undefined) return null;
  return (
    <Panel title="Temperature inside" label="Temperature inside" kind="temperature-panel">
      <p class="row">
        <span class="figure">
          {celsius.toFixed(1)}
          <span class="unit">°C</span>
        </span>
        {alarm !== undefined && (
          <StateMark severity={alarm ? 'bad' : 'good'}>{alarm ? 'Alarm: too hot' : 'No alarm'}</StateMark>
        )}
      </p>
      {limits !== undefined && (
        <>
          <Scale celsius={celsius} lower={limits.lowerThreshold} upper={limits.upperThreshold} />
          <p class="small soft">
            The alarm begins above {limits.upperThreshold} °C and ends below {limits.lowerThreshold} °C.{' '}
            <a href={linkTo('parameters', temperatureAlarmConfiguration.name)}>Change the limits</a>
          </p>
        </>
      )}
      <TrendChart trend={temperatureTrend(link)} before={before} label="Temperature" unit="°C" />
    </Panel>
  );
}

function Scale({ celsius, lower, upper }: { celsius: number; lower: number; upper: number }) {
  const from = Math.min(0, lower - beyond, celsius);
  const to = Math.max(upper + beyond, celsius);
  const at = (value: number) => (100 * (value - from)) / (to - from);
  return (
    <svg class="scale" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect class="track" width="100" height="6" />
      <rect class={`reached${celsius > upper ? ' over' : ''}`} width={at(celsius)} height="6" />
      <rect class="limit lower" x={at(lower)} width="0.5" height="6" />
      <rect class="limit" x={at(upper)} width="0.8" height="6" />
    </svg>
  );
}
