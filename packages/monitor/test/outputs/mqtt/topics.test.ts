import { describe, expect, test } from 'vitest';
import { conditionKinds } from '../../../src/conditions/all-conditions.js';
import { scannerMetrics } from '../../../src/metrics/scanner-metrics.js';
import { discoveryOf } from '../../../src/outputs/mqtt/home-assistant.js';
import { retainedState } from '../../../src/outputs/mqtt/retained-state.js';
import { Topics, topicLevel } from '../../../src/outputs/mqtt/topics.js';
import { unseen } from '../../../src/state/scanner-snapshot.js';

const topics = new Topics('site/azimuth');

describe('a level of a topic', () => {
  test.each([
    ['gate-3_a.b', 'gate-3_a.b'],
    ['hall/gate3', 'hall%2Fgate3'],
    ['+', '%2B'],
    ['#', '%23'],
    ['$SYS', '%24SYS'],
    ['a%2Fb', 'a%252Fb'],
    ['ü', '%C3%BC'],
    ['\u0000', '%00'],
    ['\ud800', '%EF%BF%BD'],
  ])('of %j is %s', (name, level) => {
    expect(topicLevel(name)).toBe(level);
  });

  test('is another one for each name', () => {
    const names = ['a/b', 'a%2Fb', 'a b', 'a+b', 'a#b', 'ab'];
    expect(new Set(names.map(topicLevel)).size).toBe(names.length);
  });
});

test.each([
  ['desk/7', true],
  ['', false],
  ['a/+', false],
  ['a/#', false],
  ['$SYS/x', false],
  ['site/azimuth/status', false],
  ['site/azimuth2', true],
])('a response may go to %j: %s', (topic, isAllowed) => {
  expect(topics.isForResponses(topic)).toBe(isAllowed);
});

const snapshot = {
  ...unseen({ name: 'hall/gate3', url: 'http://192.168.0.3', expectedSerial: undefined }),
  ...{ serial: '23010001', reachable: true, firmware: '2.4.4.0R' },
  values: new Map<string, unknown>([
    ['DeviceStatus', 3],
    ['CurrentTempDev', 41.5],
    ['ContaminationData', [1, 2, 3]],
  ]),
  conditions: [
    { id: 'temperature', part: '', severity: 'warning', text: '61 °C', since: Date.UTC(2026, 5, 1) },
  ] as const,
};

describe('the retained topics of a scanner', () => {
  test('say how it is now', () => {
    const state = retainedState(snapshot, topics);
    expect(state.get('site/azimuth/hall%2Fgate3/availability')).toBe('online');
    expect(JSON.parse(state.get('site/azimuth/hall%2Fgate3/state') ?? '')).toMatchObject({
      ...{ scanner: 'hall/gate3', serial: '23010001', device_status: 3, temperature_celsius: 41.5 },
      contamination: { 1: 1, 2: 2, 3: 3 },
    });
    expect(JSON.parse(state.get('site/azimuth/hall%2Fgate3/condition/temperature') ?? '')).toEqual({
      ...{ active: true, severity: 'warning' },
      parts: [{ part: '', text: '61 °C', since: '2026-06-01T00:00:00.000Z' }],
    });
  });

  test('have one for each kind of condition', () => {
    const conditions = [...retainedState(snapshot, topics).keys()].filter((topic) =>
      topic.includes('/condition/'),
    );
    expect(conditions).toHaveLength(conditionKinds.length);
  });

  test('are not there before the first look', () => {
    expect(retainedState({ ...snapshot, reachable: undefined }, topics).size).toBe(0);
  });
});

describe('the entities for Home Assistant', () => {
  const entities = [...discoveryOf(snapshot, topics)].map(
    ([topic, payload]): readonly [string, Record<string, unknown>] => [topic, JSON.parse(payload)],
  );

  test('are one for each kind of condition, and one for each metric with one value', () => {
    const single = scannerMetrics.filter(
      ({ labels, name }) => labels.length === 0 && !name.includes('timestamp'),
    );
    expect(entities).toHaveLength(conditionKinds.length + single.length);
  });

  test('read topics that the monitor publishes', () => {
    const state = retainedState(snapshot, topics);
    for (const [, { state_topic }] of entities) expect(state.has(String(state_topic))).toBe(true);
  });

  test('have a unit and a class where the metric has a unit', () => {
    const [, temperature] = entities.find(([topic]) => topic.includes('temperature_celsius')) ?? [];
    expect(temperature).toMatchObject({
      ...{ name: 'Temperature', unit_of_measurement: '°C', device_class: 'temperature' },
      value_template: '{{ value_json.temperature_celsius | default(none) }}',
    });
  });

  test('of two scanners differ, also if their names look equal', () => {
    const ids = ['a/b', 'a-b', 'a b'].flatMap((name) =>
      [...discoveryOf({ ...snapshot, name }, topics).keys()].slice(0, 1),
    );
    expect(new Set(ids).size).toBe(3);
  });
});
