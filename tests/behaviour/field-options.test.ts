import { detailOf, expectDone, expectStatus } from '@azimuth/test-support/envelope';
import { object } from '@azimuth/test-support/json';
import { type Point, rectangle, SceneScanner } from '@azimuth/test-support/scene-scanner';
import { describe, expect, it } from 'vitest';

const FREE = 2;
const INFRINGED = 4;

const area = rectangle({ x: 1000, y: -1500 }, { x: 3500, y: 1500 });

/** A scanner without noise, with these definitions of field 1. */
async function watching(scene: object, given: object = {}): Promise<SceneScanner> {
  const scanner = await SceneScanner.start({ scene });
  await scanner.define(
    [{ Id: 1, Points: area, MinimumObjectSize: 300, ...given }],
    [{ Id: 1, Evaluations: [1] }],
  );
  scanner.pass(1000);
  return scanner;
}

async function stateOf(scanner: SceneScanner): Promise<unknown> {
  return (await scanner.states(1))[0];
}

/** POSTs an extension. */
async function writeExtension(scanner: SceneScanner, name: string, value: unknown) {
  const header = await scanner.client.header(`x/${name}`);
  const body = JSON.stringify({ header, data: { [name]: value } });
  return scanner.client.send({ method: 'POST', path: `/x/${name}`, body });
}

describe('a field that only reflectors infringe', () => {
  const scene = (material: string) => ({ walls: [{ from: [2, -0.3], to: [2, 0.3], material }] });

  it.each([
    { material: 'white', state: FREE },
    { material: 'reflector', state: INFRINGED },
  ])('is $state with $material in it', async ({ material, state }) => {
    expect(await stateOf(await watching(scene(material)))).toBe(INFRINGED);
    expect(await stateOf(await watching(scene(material), { ReflectorsOnly: true }))).toBe(state);
  });
});

describe('a field whose contour is a reference', () => {
  const scene = {
    walls: [{ from: [3, -2], to: [3, 2] }],
    actors: [
      {
        name: 'gate',
        walls: [{ from: [0, -0.4], to: [0, 0.4] }],
        path: { waypoints: [{ t: 0, x: 10, y: 0 }] },
      },
    ],
  };

  it('is taught with the distances before and behind, and infringed while something hides what it watches', async () => {
    const scanner = await SceneScanner.start({ scene });
    expect(await scanner.extension('teachIn')).toEqual({
      DistanceInFront: 50,
      DistanceBehind: 50,
      MinimumTime: 0,
    });
    expectDone(
      await writeExtension(scanner, 'teachIn', {
        DistanceInFront: 200,
        DistanceBehind: 100,
        MinimumTime: 500,
      }),
    );
    await scanner.define([{ Id: 1, ContourAsReference: true }], [{ Id: 1, Evaluations: [1] }]);
    await scanner.act('StartTeachIn');
    scanner.pass(400);
    const tooShort = await scanner.client.call('StopTeachIn');
    expectStatus(tooShort, 2);
    expect(detailOf(tooShort)).toContain('MinimumTime');
    await scanner.act('StartTeachIn');
    scanner.pass(1000);
    await scanner.act('StopTeachIn');
    const { Contour } = await scanner.callDone('GetFieldEvaluationContour', { EvaluationId: 1 });
    // A corner is as far as the furthest beam of both sectors beside it.
    const { least, most } = xOf(Contour);
    expect(least).toBeGreaterThan(2750);
    expect(least).toBeLessThanOrEqual(2800);
    expect(most).toBeGreaterThanOrEqual(3100);
    expect(most).toBeLessThan(3150);
    scanner.pass(1000);
    expect(await stateOf(scanner)).toBe(FREE);
    await scanner.move('gate', 1.5, 0);
    scanner.pass(1000);
    expect(await stateOf(scanner)).toBe(INFRINGED);
    await scanner.move('gate', 10, 0);
    scanner.pass(1000);
    expect(await stateOf(scanner)).toBe(FREE);
  });
});

/** The least and the greatest x of a contour near the line straight ahead. */
function xOf(contour: unknown): { readonly least: number; readonly most: number } {
  const points: readonly Point[] = JSON.parse(JSON.stringify(object(Object(contour)[0]).Points));
  const ahead = points.filter(({ y }) => Math.abs(y) < 400).map(({ x }) => x);
  return { least: Math.min(...ahead), most: Math.max(...ahead) };
}

it('settings of teach-in are saved, and factory defaults of the application reset them', async () => {
  const scanner = await SceneScanner.start();
  expectDone(await writeExtension(scanner, 'teachIn', { DistanceInFront: 300 }));
  await scanner.callDone('WriteEeprom');
  await scanner.powerCycle();
  expect(await scanner.extension('teachIn')).toMatchObject({ DistanceInFront: 300 });
  await scanner.act('LoadApplicationDefaults');
  expect(await scanner.extension('teachIn')).toMatchObject({ DistanceInFront: 50 });
});
