import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { allEndpoints, allFiles, groups } from '@azimuth/model';
import { referencePages } from '@azimuth/model/reference';
import { describe, expect, onTestFinished, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const pages = referencePages();
const written = Object.keys(pages);

/** Where a page can be linked to: its headings, in lower case, without signs, with hyphens for blanks. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
}

describe('the generated pages', () => {
  test.each(written)(
    'docs/%s is generated from the model (otherwise: npm run build && npm run docs)',
    (name) => {
      expect(readFileSync(join(root, 'docs', name), 'utf8')).toBe(pages[name]);
    },
  );

  test('are written by the script from the build', () => {
    const folder = mkdtempSync(join(tmpdir(), 'azimuth-docs-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    execFileSync(process.execPath, [join(root, 'scripts', 'generate-docs.mjs'), folder]);
    const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const made = entries.filter((name) => name.endsWith('.md'));
    expect(made).toEqual(expect.arrayContaining(written));
    for (const name of made) {
      const inDocs = readFileSync(join(root, 'docs', name), 'utf8');
      expect(readFileSync(join(folder, name), 'utf8'), name).toBe(inDocs);
    }
  });

  test('have a section for every group and every endpoint', () => {
    const anchors = anchorsOf(pages['interface.md'] ?? '');
    const expected = [...groups, ...allEndpoints, ...allFiles].map(({ name }) =>
      name
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    );
    expect(anchors).toEqual(expect.arrayContaining(expected));
    expect(anchors).toHaveLength(expected.length + 1);
  });

  test.each(['interface.md', 'releases.md'])('%s has no heading twice and no broken links', (name) => {
    const text = pages[name] ?? '';
    const anchors = anchorsOf(text);
    expect(anchors.filter((anchor, index) => anchors.indexOf(anchor) !== index)).toEqual([]);
    const links = [...text.matchAll(/\]\(([^)#]*)#([^)]+)\)/g)];
    expect(links.length).toBeGreaterThan(100);
    const dead = links.filter(
      ([, page, anchor = '']) => !anchorsOf(pages[page || name] ?? '').includes(anchor),
    );
    expect(dead.map(([link]) => link)).toEqual([]);
  });

  test('contain defaults, levels, lifetimes and differing defaults', () => {
    const about = (name: string) => pages['interface.md']?.split(`\n### ${name}\n`)[1]?.split('\n#')[0];
    expect(about('EtherAuxIPPort')).toMatch(/writable by AuthorizedClient; from 2\.3\.1 on/);
    expect(about('EtherAuxIPPort')).toMatch(/uint16 1024\.\.65535\n- Default: `2111`/);
    expect(about('EnableColaScan')).toMatch(/before 2\.1\.0 only/);
    expect(about('ContaminationData')).toMatch(/variant full only; event from 2\.3\.1 on/);
    expect(about('EtherDHCPFallback')).toMatch(/releases\.md#defaults-that-differ/);
    expect(pages['releases.md']).toMatch(/`EtherDHCPFallback` \| was delivered with 1\.4\.0, 1\.5\.0 \| `1`/);
  });
});
