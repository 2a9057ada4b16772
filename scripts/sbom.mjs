// npm run sbom [-- FILE]: writes the bill of materials of the packed file, in the format CycloneDX 1.6, to FILE or to stdout.
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { callersFolder, prepare } from './prepare.mjs';

const [file] = process.argv.slice(2);
prepare('bundled', 'page');
// What these import is installed now.
const { bundledPackages } = await import('./bundled-packages.mjs');
const { billOfMaterials } = await import('./bill-of-materials.mjs');
const { librariesOfPack } = await import('./packed-file.mjs');
const libraries = await librariesOfPack();
const text = `${JSON.stringify(billOfMaterials(await bundledPackages(libraries)), null, 2)}\n`;
await libraries.close();
if (file === undefined) process.stdout.write(text);
else writeFileSync(resolve(callersFolder(), file), text);
