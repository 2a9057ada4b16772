import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { virtualOf } from '@azimuth/fleet';
import { temporaryFolder } from '@azimuth/test-support/files';
import { expect, test } from 'vitest';
import { packedFleet, scannersOfApplied } from '../../src/fleet/applied-fleet.js';

const scene = readFileSync(new URL('../../../simulation/scenes/gate.json', import.meta.url), 'utf8');

/** Returns a fleet file in its form for the database. */
async function packed(text: string, more: Readonly<Record<string, string>>) {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries({ ...more, 'fleet.yaml': text })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return packedFleet(join(folder, 'fleet.yaml'));
}

test('what a fleet file names goes along, whatever it is called, and is the same where it is read', async () => {
  const fleet = await packed(
    `
groups:
  hall: {count: 1, scene: &here sub/my gate.scene, faults: plan}
  gates: {count: 2, scene: *here, serial: "007#"}
  yard: {count: 1, scene: gate}
`,
    { 'sub/my gate.scene': scene, plan: '{"faults": []}' },
  );
  expect([...fleet.files.values()].map((content) => content.toString()).toSorted()).toEqual(
    [scene, '{"faults": []}'].toSorted(),
  );
  expect(fleet.yaml).not.toContain('my gate');
  expect(await scannersOfApplied(fleet)).toEqual(fleet.scanners);
  expect(fleet.scanners.map(({ serial }) => serial)).toEqual(['00000001', '0071', '0072', '00000004']);
});

test('a map goes along as the walls of its scene, because its description names another file', async () => {
  const fleet = await packed(
    `
groups:
  hall: {count: 1, scene: maps/hall.yaml}
  yard: {count: 1, scene: yard.json}
`,
    {
      'maps/hall.yaml': 'image: hall.pgm\nresolution: 0.05\norigin: [0, 0, 0]',
      'maps/hall.pgm': 'P2 2 1 255 0 255',
      'yard.json': '{"map": "maps/hall.yaml", "actors": []}',
    },
  );
  expect([...fleet.files.keys()].map(extname)).toEqual(['.json', '.json']);
  expect(await scannersOfApplied(fleet)).toEqual(fleet.scanners);
  for (const { scene } of virtualOf(fleet.scanners))
    expect(scene.map).toMatchObject({ name: 'hall.yaml', outlines: 'M0 0h1v1h-1z' });
});

test('a scene that is neither ready nor a path is a mistake with its place, wherever the command runs', async () => {
  await expect(packed('groups: {hall: {count: 1, scene: README}}', {})).rejects.toThrow(
    /fleet\.yaml:1:34: scene: .*the ready scenes are/,
  );
});
