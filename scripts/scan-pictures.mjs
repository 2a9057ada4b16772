// npm run pictures: draws the pictures of scans for the docs (docs/pictures), and the film. The same code draws the same files.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { filmOfDrive } from './film.mjs';
import { measureFrames } from './measured-frames.mjs';
import { root } from './prepare.mjs';

/** Time in the pictures. */
const time = new Date(Date.UTC(2026, 0, 1, 12));

/** Scenes with the second at which the picture is taken, and how far it reaches (m); by default, to the farthest echo. */
const pictures = {
  'warehouse-aisle': { scene: 'warehouse-aisle', seconds: 3 },
  dock: { scene: exampleIn('scenes.md'), seconds: 6 },
  gate: { scene: 'gate', seconds: 4 },
};

/** The first example of a page, which is a scene. */
function exampleIn(page) {
  const [, json = ''] = /```json\n(.*?)```/s.exec(readFileSync(join(root, 'docs', page), 'utf8')) ?? [];
  return JSON.parse(json);
}

const { pictureRange } = await import('../packages/cli/dist/picture/echoes.js');
const { polarPicture } = await import('../packages/cli/dist/picture/polar-picture.js');
const { encodeSvg } = await import('../packages/cli/dist/picture/svg.js');

const [target = join(root, 'docs', 'pictures')] = process.argv.slice(2);
const folder = resolve(target);
mkdirSync(folder, { recursive: true });
for (const [name, { scene, seconds }] of Object.entries(pictures)) {
  let last;
  await measureFrames({ scene, profile: 2, seconds }, (frame) => {
    last = frame;
  });
  const facts = { title: name, time, range: pictureRange(last) };
  writeFileSync(join(folder, `${name}.svg`), encodeSvg(polarPicture(last, facts)));
}
writeFileSync(join(folder, 'driving.gif'), await filmOfDrive());
