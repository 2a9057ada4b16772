import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { allMethods } from '@azimuth/model';
import { expect, test } from 'vitest';

const source = fileURLToPath(new URL('../../src', import.meta.url));

/** The page of the whole set calls the one that was chosen. */
const byChoice = /call\(method\.name\)/;

/** How the pages call what they do not call by its name. */
const ways: Readonly<Record<string, RegExp>> = {
  removeCertificateBundle: /\.removeCertificates\(/,
  RestoreParameterBackup: /\.restoreFile\(link/,
  RunFirmwareUpdate: /\.install\(link\)/,
  LoadFactoryDefaults: byChoice,
  LoadApplicationDefaults: byChoice,
};

/** The pages and panels of the GUI with their texts. */
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.tsx'))
  .map((path) => ({ path, text: readFileSync(join(source, path), 'utf8') }));

test.each(allMethods.filter(({ loss }) => loss !== undefined))(
  'wherever the GUI calls $name, the question before it says what is lost',
  ({ name }) => {
    const call = ways[name] ?? new RegExp(`call\\(\\s*(${name}\\.name|'${name}')`);
    const callers = files.filter(({ text }) => call.test(text) && text.includes(name));
    const asking = new RegExp(`calls: [^,\n]*${ways[name] === byChoice ? 'method' : name}\\b`);
    expect(callers.filter(({ text }) => !asking.test(text)).map(({ path }) => path)).toEqual([]);
    if (name !== 'mResetEncoderIncrement') expect(callers).not.toEqual([]);
  },
);
