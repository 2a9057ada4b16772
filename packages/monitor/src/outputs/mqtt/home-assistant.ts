import { createHash } from 'node:crypto';
import { isObject } from '@azimuth/model';
import { conditionKinds } from '../../conditions/all-conditions.js';
import { scannerMetrics } from '../../metrics/scanner-metrics.js';
import type { ScannerSnapshot } from '../../state/scanner-snapshot.js';
import { type Retained, stateMember } from './retained-state.js';
import type { Topics } from './topics.js';

/** The prefix that Home Assistant uses, unless it is configured. */
export const discoveryPrefix = 'homeassistant';

/** Units by the end of the name of a metric, and what Home Assistant calls such a value. */
const units: readonly (readonly [ending: string, unit: string, deviceClass: string])[] = [
  ['_celsius', '°C', 'temperature'],
  ['_hertz', 'Hz', 'frequency'],
  ['_seconds', 's', 'duration'],
];

/** Conditions that are about whether the scanner answers: they are known without its answers. */
const known: readonly string[] = ['unreachable', 'wrong-serial'];

/**
 * Returns the entities of a scanner for Home Assistant: one for each kind of condition, and one for each metric with a
 * single value.
 */
export function discoveryOf(snapshot: ScannerSnapshot, topics: Topics): Retained {
  const { name, serial } = snapshot;
  if (serial === undefined) return new Map();
  const node = nodeId(name);
  const status = { topic: topics.status };
  const device = deviceOf(snapshot);
  const entity = (component: string, id: string, content: object): [string, string] => [
    `${discoveryPrefix}/${component}/${node}/${id.replaceAll(/[^\w-]/g, '_')}/config`,
    JSON.stringify({ unique_id: `${node}_${id}`, device, ...content }),
  ];
  const conditions = conditionKinds.map(({ id, title }) =>
    entity('binary_sensor', id, {
      name: title,
      device_class: 'problem',
      state_topic: topics.condition(name, id),
      value_template: "{{ 'ON' if value_json.active else 'OFF' }}",
      json_attributes_topic: topics.condition(name, id),
      availability: known.includes(id) ? [status] : [status, { topic: topics.availability(name) }],
      availability_mode: 'all',
    }),
  );
  const sensors = scannerMetrics
    .filter(({ labels, name: metric }) => labels.length === 0 && !metric.includes('timestamp'))
    .map(({ name: metric, type }) => {
      const member = stateMember(metric);
      const [, unit, deviceClass] = units.find(([ending]) => metric.endsWith(ending)) ?? [];
      return entity('sensor', member, {
        name: inWords(member),
        state_topic: topics.state(name),
        value_template: `{{ value_json.${member} | default(none) }}`,
        unit_of_measurement: unit,
        device_class: deviceClass,
        state_class: type === 'counter' ? 'total_increasing' : 'measurement',
        availability: [status, { topic: topics.availability(name) }],
        availability_mode: 'all',
      });
    });
  return new Map([...conditions, ...sensors]);
}

function deviceOf({ name, serial, values, firmware, url }: ScannerSnapshot) {
  const ident = values.get('DeviceIdent');
  const model = isObject(ident) && typeof ident.Name === 'string' ? ident.Name : undefined;
  const page = /^https?:/.test(url) ? url : undefined;
  return { identifiers: [`azimuth_${serial}`], name, model, sw_version: firmware, configuration_url: page };
}

/** `temperature_celsius` becomes `Temperature`: the unit is stated apart. */
function inWords(member: string): string {
  const words = member.replace(/_(celsius|hertz|seconds|total)$/, '').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Home Assistant allows letters, digits, `_` and `-` alone. The digest keeps names apart that look equal then. */
function nodeId(name: string): string {
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `azimuth_${name.replaceAll(/[^A-Za-z0-9]+/g, '_').slice(0, 40)}_${digest}`;
}
