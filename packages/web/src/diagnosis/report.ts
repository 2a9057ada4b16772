import {
  basicSettings,
  contaminationIndication,
  counted,
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
import { reasonsOf } from '../overview/next-steps.js';
import { identityFacts, operationFacts, screenText, type WordedFact } from '../overview/words.js';
import { deviceState } from '../parts/states.js';

const { DeviceStatus, SCdevicestate, temperatureAlarmConfiguration, temperatureAlarmStatus } = status.members;
const { CurrentTempDev } = operatingData.members;
const { ContaminationConfig, ContaminationData, ContaminationResult } = contaminationIndication.members;
const { PerformanceProfileNumber } = basicSettings.members;

/** Facts that belong together, each with its name. */
interface Section {
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
 * State of a scanner as lines of names and values. Unknown values are left out. No value is secret.
 * @param metrics the text of its page `/metrics`; undefined if it has none
 */
export function reportOf(known: KnownValues, metrics: string | undefined): readonly Section[] {
  return [
    { title: 'State', facts: present(stateOf(known)) },
    { title: 'Temperature', facts: present(temperatureOf(known)) },
    { title: 'Front screen', facts: present(frontScreenOf(known)) },
    { title: 'Operation', facts: present([...operationFacts(known), profileOf(known)]) },
    { title: 'Data', facts: present([...destinationFacts(known), ...trafficOf(metrics)]) },
    { title: 'Identity', facts: present(identityFacts(known)) },
  ].filter(({ facts }) => facts.length > 0);
}

/** The report for a mail: a line for each fact. */
export function reportText(title: string, time: Date, sections: readonly Section[]): string {
  const parts = sections.map((section) =>
    [section.title, ...section.facts.map(([name, text]) => `  ${name}: ${text}`)].join('\n'),
  );
  return [`Diagnosis of ${title}, ${time.toISOString()}`, ...parts, ''].join('\n\n');
}

function present(facts: readonly WordedFact[]): Section['facts'] {
  return facts.flatMap(([name, text]) => (text === undefined || text === '' ? [] : [[name, text] as const]));
}

function stateOf(known: KnownValues): readonly WordedFact[] {
  const value = knownValue(known, DeviceStatus);
  const { word, advice } = deviceState(value);
  const ready = knownValue(known, SCdevicestate);
  return [
    ['Device', value === undefined ? undefined : `${word} (DeviceStatus ${value})`],
    ['Meaning', value === undefined ? undefined : advice],
    ['Reasons', reasonsOf(known, value).join('; ')],
    [
      'Ready',
      ready === undefined ? undefined : ready === ReadyState.Ready ? 'yes' : wordOf(SCdevicestate, ready),
    ],
  ];
}

function temperatureOf(known: KnownValues): readonly WordedFact[] {
  const celsius = knownValue(known, CurrentTempDev);
  const alarm = knownValue(known, temperatureAlarmStatus);
  const limits = knownValue(known, temperatureAlarmConfiguration);
  return [
    ['Inside', celsius === undefined ? undefined : `${celsius.toFixed(1)} °C`],
    ['Alarm', alarm === undefined ? undefined : alarm ? 'too hot' : 'no'],
    ['Alarm begins above', limits === undefined ? undefined : `${limits.upperThreshold} °C`],
  ];
}

function frontScreenOf(known: KnownValues): readonly WordedFact[] {
  const sectors = knownValue(known, ContaminationData);
  const result = knownValue(known, ContaminationResult);
  const config = knownValue(known, ContaminationConfig);
  const problem = result?.bErrorActive ? 'error' : result?.bWarningActive ? 'warning' : 'none';
  return [
    ['Contamination', sectors === undefined ? undefined : screenText(sectorStates(sectors, config))],
    ['Message', result === undefined ? undefined : problem],
    ['Response time', config === undefined ? undefined : `${config.usiResponseTime} s`],
  ];
}

function profileOf(known: KnownValues): WordedFact {
  const { name } = PerformanceProfileNumber;
  const { type } = known.declared?.(name) ?? PerformanceProfileNumber;
  const value = known.value(name);
  return ['Profile', value === undefined ? undefined : valueText(type.shape, value)];
}

function destinationFacts(known: KnownValues): readonly WordedFact[] {
  const destination = destinationOf(known);
  if (destination === undefined) return [];
  const { isOn, to, format } = destination;
  return [
    ['Scan data', isOn ? `to ${to}` : 'off'],
    ['Format', format],
  ];
}

function trafficOf(metrics: string | undefined): readonly WordedFact[] {
  if (metrics === undefined) return [];
  return streams.flatMap(([label, name]): readonly WordedFact[] => {
    const sent = sentTelegramsIn(metrics, label);
    if (sent === undefined || sent.telegrams + sent.refused + sent.lost === 0) return [];
    const { telegrams, refused, lost, down } = sent;
    const why = down === undefined ? '' : `; cannot send: ${down}`;
    return [[`${name} sent`, `${counted(telegrams, 'telegram')}, ${refused} refused, ${lost} lost${why}`]];
  });
}

function wordOf<T>(variable: Variable<T>, value: T | undefined): string | undefined {
  return value === undefined ? undefined : valueText(variable.type.shape, value);
}
