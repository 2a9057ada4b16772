import {
  basicSettings,
  contaminationIndication,
  counted,
  device,
  lifeHours,
  operatingData,
  SCdevicestate as ReadyState,
  sectorStates,
  status,
  type Variable,
} from '@azimuth/model';
import { type KnownValues, knownValue } from '../connection/declarations.js';
import { destinationOf } from '../data-route/data-destination.js';
import { sentTelegramsIn } from '../data-route/sending.js';
import { valueText } from '../forms/value-text.js';
import { dayAndHours, screenText } from '../overview/words.js';
import { deviceState } from '../parts/states.js';
import { spokenByScanner } from '../parts/times.js';

const { DeviceIdent, LocationName, OrderNumber, SerialNumber } = device.members;
const { DeviceStatus, SCdevicestate, temperatureAlarmConfiguration, temperatureAlarmStatus } = status.members;
const { CurrentTempDev, DailyOpHours, LastParaDate, LastParaTime, OpHours, PowerOnCnt } =
  operatingData.members;
const { ContaminationConfig, ContaminationData, ContaminationResult } = contaminationIndication.members;
const { PerformanceProfileNumber } = basicSettings.members;

/** Facts that belong together, each with its name. */
export interface Section {
  readonly title: string;
  readonly facts: readonly (readonly [name: string, text: string])[];
}

/** The streams whose telegrams a scanner counts, by their label in `/metrics`. */
const streams = [
  ['scan', 'Scan data'],
  ['imu', 'IMU data'],
  ['encoder', 'Encoder data'],
  ['ros2', 'ROS 2'],
] as const;

/**
 * How a scanner is, as far as it tells. What is not known is left out. Nothing of it is secret.
 * @param metrics the text of its page `/metrics`; undefined if it has none
 */
export function reportOf(known: KnownValues, metrics: string | undefined): readonly Section[] {
  return [
    { title: 'State', facts: present(stateOf(known)) },
    { title: 'Temperature', facts: present(temperatureOf(known)) },
    { title: 'Front screen', facts: present(frontScreenOf(known)) },
    { title: 'Operation', facts: present(operationOf(known)) },
    { title: 'Data', facts: present([...destinationFacts(known), ...trafficOf(metrics)]) },
    { title: 'Identity', facts: present(identityOf(known)) },
  ].filter(({ facts }) => facts.length > 0);
}

/** The report for a mail: a line for each fact. */
export function reportText(title: string, time: Date, sections: readonly Section[]): string {
  const parts = sections.map((section) =>
    [section.title, ...section.facts.map(([name, text]) => `  ${name}: ${text}`)].join('\n'),
  );
  return [`Diagnosis of ${title}, ${time.toISOString()}`, ...parts, ''].join('\n\n');
}

type Fact = readonly [name: string, text: string | undefined];

function present(facts: readonly Fact[]): Section['facts'] {
  return facts.flatMap(([name, text]) => (text === undefined || text === '' ? [] : [[name, text] as const]));
}

function stateOf(known: KnownValues): readonly Fact[] {
  const value = knownValue(known, DeviceStatus);
  const { word, advice } = deviceState(value);
  const ready = knownValue(known, SCdevicestate);
  return [
    ['Device', value === undefined ? undefined : `${word} (DeviceStatus ${value})`],
    ['Meaning', value === undefined ? undefined : advice],
    [
      'Ready',
      ready === undefined ? undefined : ready === ReadyState.Ready ? 'yes' : wordOf(SCdevicestate, ready),
    ],
  ];
}

function temperatureOf(known: KnownValues): readonly Fact[] {
  const celsius = knownValue(known, CurrentTempDev);
  const alarm = knownValue(known, temperatureAlarmStatus);
  const limits = knownValue(known, temperatureAlarmConfiguration);
  return [
    ['Inside', celsius === undefined ? undefined : `${celsius.toFixed(1)} °C`],
    ['Alarm', alarm === undefined ? undefined : alarm ? 'too hot' : 'no'],
    ['Alarm begins above', limits === undefined ? undefined : `${limits.upperThreshold} °C`],
  ];
}

function frontScreenOf(known: KnownValues): readonly Fact[] {
  const sectors = knownValue(known, ContaminationData);
  const result = knownValue(known, ContaminationResult);
  const config = knownValue(known, ContaminationConfig);
  const found = result?.bErrorActive ? 'error' : result?.bWarningActive ? 'warning' : 'none';
  return [
    ['Contamination', sectors === undefined ? undefined : screenText(sectorStates(sectors, config))],
    ['Message', result === undefined ? undefined : found],
    ['Response time', config === undefined ? undefined : `${config.usiResponseTime} s`],
  ];
}

function operationOf(known: KnownValues): readonly Fact[] {
  const today = knownValue(known, DailyOpHours);
  const life = knownValue(known, OpHours);
  const powerOns = knownValue(known, PowerOnCnt);
  const date = knownValue(known, LastParaDate);
  const saved = date === undefined ? undefined : spokenByScanner(date, knownValue(known, LastParaTime) ?? '');
  return [
    ['Power on for', today === undefined ? undefined : dayAndHours(today)],
    ['In its life', life === undefined ? undefined : dayAndHours(lifeHours(life, today))],
    ['Power-ons', powerOns === undefined ? undefined : String(powerOns)],
    ['Saved last', saved !== undefined && !/\d/.test(saved) ? 'never' : saved],
    ['Profile', wordOf(PerformanceProfileNumber, knownValue(known, PerformanceProfileNumber))],
  ];
}

function destinationFacts(known: KnownValues): readonly Fact[] {
  const destination = destinationOf(known);
  if (destination === undefined) return [];
  const { isOn, to, format } = destination;
  return [
    ['Scan data', isOn ? `to ${to}` : 'off'],
    ['Format', format],
  ];
}

function trafficOf(metrics: string | undefined): readonly Fact[] {
  if (metrics === undefined) return [];
  return streams.flatMap(([label, name]): readonly Fact[] => {
    const sent = sentTelegramsIn(metrics, label);
    if (sent === undefined || sent.telegrams + sent.refused + sent.lost === 0) return [];
    const { telegrams, refused, lost, down } = sent;
    const why = down === undefined ? '' : `; cannot send: ${down}`;
    return [[`${name} sent`, `${counted(telegrams, 'telegram')}, ${refused} refused, ${lost} lost${why}`]];
  });
}

function identityOf(known: KnownValues): readonly Fact[] {
  const ident = knownValue(known, DeviceIdent);
  return [
    ['Name', knownValue(known, LocationName)],
    ['Device', ident?.Name],
    ['Firmware', ident?.Version],
    ['Serial number', textOf(knownValue(known, SerialNumber))],
    ['Order number', textOf(knownValue(known, OrderNumber))],
  ];
}

function textOf(value: string | number | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}

function wordOf<T>(variable: Variable<T>, value: T | undefined): string | undefined {
  return value === undefined ? undefined : valueText(variable.type.shape, value);
}
