import { dataOf } from '@azimuth/test-support/client';
import { expectData, expectDone } from '@azimuth/test-support/envelope';
import { array } from '@azimuth/test-support/json';
import { endOf, epoch, rectangle, SceneScanner, source } from '@azimuth/test-support/scene-scanner';
import { expect, it } from 'vitest';

/**
 * A plate, 0.4 m wide, goes from right to left at x = 2 m with 1 m/s: t seconds after `begin`, its middle is at y = t - 2 m.
 * The beam number i from straight ahead on, i/3 degrees to the left, meets it at y = 2 tan(i/3 degrees) m, 25.6 ms + i *
 * 0.0617 ms after the begin of its revolution.
 * @param begin ms of the world
 */
function crossing(begin = 0): object {
  const waypoints = [
    { t: begin / 1000, x: 2, y: -2, heading: 0 },
    { t: begin / 1000 + 4, x: 2, y: 2, heading: 0 },
  ];
  return {
    noise: { enabled: false },
    actors: [{ name: 'plate', walls: [{ from: [0, -0.2], to: [0, 0.2] }], path: { waypoints } }],
  };
}

const scene = crossing();

/**
 * The field reaches from y = -0.5 to 0.5 m: to the beams from -42 to 42. An object of 100 mm is seen
 * - not in revolution 20 (1333.3 ms, plate up to -0.443 m): beams -42 to -38, 49.2 mm, and 12.0 mm for the width of a beam
 * - in revolution 21 (1400 ms, up to -0.376 m): beams -42 to -32, 122.0 + 11.9 mm
 * - for the last time in revolution 38 (2533.3 ms, from 0.361 m on): beams 31 to 42
 * - not in revolution 39 (2600 ms, from 0.428 m on): beams 37 to 42, 61.4 + 12.0 mm.
 */
const door = {
  Id: 1,
  Name: 'door',
  Points: rectangle({ x: 1000, y: -500 }, { x: 3000, y: 500 }),
  MinimumObjectSize: 100,
  TimeForInfringedState: 100,
  TimeForFreeState: 200,
};

/** How far what is in the same area is to the left of the line straight ahead. */
const aside = {
  Id: 2,
  Type: 1,
  Points: door.Points,
  ReferenceLine: [
    { x: 0, y: 0 },
    { x: 1000, y: 0 },
  ],
};

const lamp = { PortType: 1, OutputSettings: { Sources: [source('FE01')] } };

async function install(scanner: SceneScanner): Promise<void> {
  await scanner.define(
    [door, aside],
    [
      { Id: 1, Evaluations: [1] },
      { Id: 2, Evaluations: [2] },
    ],
  );
  await scanner.configure({ 2: lamp });
}

/** ms of the crossing, since the scanner came up. */
const detecting = endOf(21);
const infringed = detecting + 100;
const leaving = endOf(39);
const free = leaving + 200;

/** Follows the plate through the field. @param up ms at which the scanner came up @param before infringements so far */
async function watchCrossing(scanner: SceneScanner, up: number, before: number): Promise<void> {
  const utc = (time: number) => epoch + Math.floor(up + time);
  const at = async (time: number) => {
    scanner.goTo(up + time);
    const { timestamp, evaluations } = await scanner.result();
    expect(evaluations[1]).toEqual({ State: 0, Positions: [] });
    const { output, outputCount, port, portCount } = await scanner.portStates(2);
    return {
      state: evaluations[0]?.State,
      positions: evaluations[0]?.Positions,
      timestamp,
      lamp: [output, outputCount, port, portCount],
      seen: (await scanner.portView(2)).active,
      detections: (await scanner.history()).length - before,
    };
  };
  const dark = { lamp: [0, 0, 0, 0], seen: false, detections: 0, timestamp: 0, positions: [] };
  const lit = { lamp: [1, 1, 1, 1], seen: true, detections: 1 };
  const shortly = 0.05;

  expect(await at(detecting - shortly)).toEqual({ ...dark, state: 2 });
  expect(await at(detecting + shortly)).toEqual({ ...dark, state: 3 });
  expect(await at(infringed - shortly)).toEqual({ ...dark, state: 3 });
  // Turn 22: the plate reaches to -0.309 m, beam -27 is the nearest.
  const nearest = [{ x: 2000, y: -317 }];
  expect(await at(infringed + shortly)).toEqual({
    ...lit,
    state: 4,
    timestamp: utc(infringed),
    positions: nearest,
  });
  // Turn 30: right ahead.
  expect(await at(endOf(30) + shortly)).toEqual({
    ...lit,
    state: 4,
    timestamp: utc(endOf(30)),
    positions: [{ x: 2000, y: 0 }],
  });
  // Turn 38: from 0.361 m on, beam 31 is the nearest.
  const last = { timestamp: utc(endOf(38)), positions: [{ x: 2000, y: 365 }] };
  expect(await at(leaving - shortly)).toEqual({ ...lit, ...last, state: 4 });
  expect(await at(leaving + shortly)).toEqual({ ...lit, ...last, state: 5 });
  expect(await at(free - shortly)).toEqual({ ...lit, ...last, state: 5 });
  const over = { ...last, positions: [], lamp: [0, 1, 0, 1], seen: false, detections: 1 };
  expect(await at(free + shortly)).toEqual({ ...over, state: 2 });

  expect((await scanner.history()).at(-1)).toEqual({
    Timestamp: utc(infringed),
    EvaluationId: 1,
    Name: 'door',
    Positions: nearest,
  });
}

it('a plate that crosses a field changes the result, the output and the history, each at its time', async () => {
  const scanner = await SceneScanner.start({ scene });
  await install(scanner);
  await watchCrossing(scanner, 0, 0);
});

it('port states have the time of the change in microseconds', async () => {
  const scanner = await SceneScanner.start({ scene });
  await install(scanner);
  scanner.goTo(2000);
  for (const state of ['OutputState', 'PortState']) {
    const { udiSystCount, aTimeBlock } = await scanner.data(state);
    expect(udiSystCount).toBe(1_551_111);
    expect(aTimeBlock).toEqual([
      { uiYear: 2026, usiMonth: 1, usiDay: 15, usiHour: 12, usiMinute: 0, usiSec: 1, udiUSec: 551_111 },
    ]);
  }
});

it('the perpendicular distance follows the plate in each revolution', async () => {
  const scanner = await SceneScanner.start({ scene });
  await install(scanner);
  const place = (y: number) => ({ x: 2000, y, z: 0 });
  for (const [number, least, greatest] of [
    // Up to -0.443 m; the area cuts it at -0.5 m.
    [20, -499, -449],
    // From -0.443 m, as beam -37 meets it, to -0.041 m, as beam -4 does.
    [26, -437, -47],
    // From -0.175 m, beam -15, to 0.227 m, beam 19.
    [30, -175, 222],
    // From 0.227 m, beam 20, cut at 0.5 m, beam 42.
    [36, 234, 499],
  ] as const) {
    scanner.goTo(endOf(number) + 1);
    expect(await scanner.data('perpendicularDistanceResult')).toMatchObject({
      timestamp: epoch + Math.floor(endOf(number)),
      evaluations: [
        {
          evaluationId: 2,
          minimumDistance: least,
          maximumDistance: greatest,
          minimumDistancePosition: place(least),
          maximumDistancePosition: place(greatest),
        },
      ],
    });
  }
  // Turn 41: from 0.562 m on, outside. What was seen last stays, with its time.
  scanner.goTo(endOf(40) + 1);
  const last = await scanner.data('perpendicularDistanceResult');
  expect(last).toMatchObject({ timestamp: epoch + Math.floor(endOf(40)) });
  scanner.goTo(endOf(41) + 1);
  expect(await scanner.data('perpendicularDistanceResult')).toEqual(last);
});

it.each([
  [
    'a power cut',
    async (scanner: SceneScanner) => {
      expectData(await scanner.client.call('WriteEeprom'), { Success: true });
      return scanner.powerCycle();
    },
  ],
  ['RebootDevice, which stores', (scanner: SceneScanner) => scanner.reboot()],
])('after %s, the stored settings are in force and everything works as before', async (_, boot) => {
  const scanner = await SceneScanner.start({ scene });
  await install(scanner);
  scanner.goTo(1700);
  expect(await scanner.states(1)).toEqual([4]);
  const up = await boot(scanner);
  await scanner.control('/scene', crossing(up));
  expect((await scanner.portStates(2)).outputCount).toBe(0);
  await watchCrossing(scanner, up, 1);
});

it('a power cut loses everything that was not stored', async () => {
  const scanner = await SceneScanner.start({ scene });
  await install(scanner);
  const up = await scanner.powerCycle();
  scanner.goTo(up + 2000);
  expect(await scanner.states(2)).toEqual([0, 0]);
  expect(await scanner.history()).toEqual([]);
});

it('a backup transfers fields and ports to another scanner', async () => {
  const scanner = await SceneScanner.start({ scene });
  await install(scanner);
  expectData(await scanner.client.call('CreateParameterBackup', { Passphrase: 'a gate' }), { Result: true });
  const fetchToken = async ({ client }: SceneScanner) => ({
    'X-Session-Token': String(dataOf(await client.call('CreateSessionToken')).token),
  });
  const response = await fetch(`http://127.0.0.1:${scanner.testScanner.httpPort}/api/parameterbackup`, {
    headers: await fetchToken(scanner),
  });
  const file = Buffer.from(await response.arrayBuffer());

  const other = await SceneScanner.start();
  const upload = {
    method: 'PUT',
    path: '/api/parameterbackup',
    headers: await fetchToken(other),
    body: file,
  };
  expectDone(await other.client.send(upload));
  expect(await other.callDone('RestoreParameterBackup', { Passphrase: 'a gate' })).toMatchObject({
    Result: true,
    RestoreResult: 0,
  });
  expect(await other.extension('fields')).toEqual(await scanner.extension('fields'));
  // In force at once, and stored.
  expect(await other.states(2)).toEqual([2, 0]);
  const up = await other.powerCycle();
  await other.control('/scene', crossing(up));
  await watchCrossing(other, up, 0);
});

it('LoadApplicationDefaults removes the fields and keeps ports and history', async () => {
  const scanner = await SceneScanner.start({ scene });
  await install(scanner);
  await scanner.callDone('WriteEeprom');
  scanner.goTo(1700);
  expect((await scanner.portStates(2)).output).toBe(1);
  await scanner.act('LoadApplicationDefaults');
  expect(await scanner.extension('fields')).toEqual({ evaluations: [], groups: [] });
  const { evaluations } = await scanner.result();
  expect(evaluations).toEqual(Array(48).fill({ State: 0, Positions: [] }));
  expect((await scanner.data('perpendicularDistanceResult')).evaluations).toEqual([]);
  expect(array(await scanner.client.value('FieldEvaluationGroupState'))).toEqual(Array(48).fill(0));
  expect(await scanner.portStates(2)).toMatchObject({ output: 0, port: 0, outputCount: 1 });
  expect(await scanner.history()).toHaveLength(1);
  // Stored: there is nothing to come back.
  await scanner.powerCycle();
  expect(await scanner.extension('fields')).toEqual({ evaluations: [], groups: [] });
});
