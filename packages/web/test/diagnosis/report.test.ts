import { defineProduct, describedInterface } from '@azimuth/model';
import { openApi } from '@azimuth/model/openapi';
import { expect, test } from 'vitest';
import { learnProfiles } from '../../src/connection/profiles.js';
import { reportOf, reportText } from '../../src/diagnosis/report.js';

const values: Readonly<Record<string, unknown>> = {
  DeviceStatus: 3,
  CurrentTempDev: 31.25,
  temperatureAlarmStatus: false,
  OpHours: 1234,
  PowerOnCnt: 7,
  LocationName: 'Gate 3',
};
const known = { value: (name: string) => values[name] };
const factsOf = (title: string, metrics?: string) =>
  reportOf(known, metrics).find((section) => section.title === title)?.facts;

test('what the scanner tells is in the report, in words and with units', () => {
  expect(factsOf('State')?.[0]).toEqual(['Device', 'Measuring (DeviceStatus 3)']);
  expect(factsOf('Temperature')).toEqual([
    ['Inside', '31.3 °C'],
    ['Alarm', 'no'],
  ]);
  expect(factsOf('Operation')).toEqual([
    ['In its life', '5 days 3 h'],
    ['Power-ons', '7'],
  ]);
});

test('what is not known is left out', () => {
  expect(factsOf('Front screen')).toBeUndefined();
  expect(reportOf({ value: () => undefined }, undefined)).toEqual([]);
});

test('streams that have sent something are in the report', () => {
  const metrics = `azimuth_telegrams_total{stream="scan"} 1200
azimuth_telegram_errors_total{stream="scan",reason="refused"} 4
azimuth_telegrams_total{stream="imu"} 0
`;
  expect(factsOf('Data', metrics)).toEqual([['Scan data sent', '1200 telegrams, 4 refused, 0 lost']]);
});

test('the text for a mail has a line for each fact', () => {
  const text = reportText('Gate 3', new Date(0), [{ title: 'State', facts: [['Device', 'Measuring']] }]);
  expect(text).toBe('Diagnosis of Gate 3, 1970-01-01T00:00:00.000Z\n\nState\n  Device: Measuring\n\n');
});

test('power is never on for longer than the life of the scanner', () => {
  const young: Readonly<Record<string, unknown>> = { OpHours: 3, DailyOpHours: 0.35 };
  const operation = reportOf({ value: (name: string) => young[name] }, undefined)[0]?.facts;
  expect(operation).toEqual([
    ['Power on for', '21 min'],
    ['In its life', '21 min'],
  ]);
});

test.each([
  [false, false, 'none'],
  [true, false, 'warning'],
  [true, true, 'error'],
  [false, true, 'error'],
])(
  'the message about dirt, with a warning %s and an error %s, is %s',
  (bWarningActive, bErrorActive, word) => {
    const values: Readonly<Record<string, unknown>> = {
      ContaminationResult: { bWarningActive, bErrorActive },
    };
    const report = reportOf({ value: (name) => values[name] }, undefined);
    expect(report.find(({ title }) => title === 'Front screen')?.facts).toEqual([['Message', word]]);
  },
);

test('reasons and the profile of a product of its own are in the report', () => {
  const definition = {
    ...{
      name: 'acme',
      deviceType: 'acme',
      orderNumber: '1',
      realm: 'acme',
      releases: { '5.0.0': '2.4.4' as const },
    },
    profiles: { 21: { frequency: 1000, resolution: 3333 } },
  } as const;
  const document = openApi({
    release: '2.4.4',
    variant: 'full',
    version: '5.0.0',
    product: defineProduct(definition),
  });
  const own = describedInterface(JSON.parse(JSON.stringify(document)));
  if (own === undefined) throw new TypeError('the product describes nothing');
  learnProfiles(own);
  const values: Readonly<Record<string, unknown>> = {
    DeviceStatus: 7,
    conditions: [{ Status: 7, Reason: 'hardware: too hot' }],
    PerformanceProfileNumber: 21,
  };
  const sections = reportOf(
    { value: (name) => values[name], declared: (name) => own.variable(name) },
    undefined,
  );
  const facts = sections.flatMap((section) => section.facts);
  expect(facts).toContainEqual(['Reasons', 'hardware: too hot']);
  expect(facts).toContainEqual(['Profile', '21: 10 Hz, 1/3°']);
});
