import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { array, object, parse, string } from '@azimuth/test-support/json';
import { expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { scripts } from '../scripts/test-projects.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const text = (path: string) => readFileSync(join(root, path), 'utf8');
const filesIn = (folder: string) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`);

const forms = filesIn('.github/ISSUE_TEMPLATE').filter((path) => !path.endsWith('/config.yml'));
const documents = [
  ...filesIn('.github/workflows'),
  ...filesIn('.github/ISSUE_TEMPLATE'),
  ...['action.yml', '.github/actions/check/action.yml'],
];

/** @throws YAMLParseError, also for a key that is there twice */
function yaml(path: string): Record<string, unknown> {
  const document = parseDocument(text(path));
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined) throw problem;
  return object(document.toJS());
}

const jobs = Object.values(object(yaml('.github/workflows/ci.yml').jobs)).map(object);

/** The npm scripts that a text of shell calls. */
function scriptsIn(shell: string): readonly string[] {
  return Array.from(shell.matchAll(/^\s*npm (?:run )?([\w:]+)/gm), ([, name = '']) => name);
}

const scriptsOf = (job: Record<string, unknown>) =>
  array(job.steps).flatMap((step) => scriptsIn(String(object(step).run ?? '')));

/** The releases of Node for which a job runs. */
function releasesOf(job: Record<string, unknown>): readonly unknown[] {
  if (job.strategy !== undefined) return array(object(object(job.strategy).matrix).node);
  const files = array(job.steps).flatMap(
    (step) => object(object(step).with ?? {})['node-version-file'] ?? [],
  );
  return files.map((file) => Number(text(string(file))));
}

test('CI runs each part of .ci/run, and no other', () => {
  const parts = scriptsIn(text('.ci/run'));
  expect(parts.length).toBeGreaterThan(3);
  expect(jobs.flatMap(scriptsOf).sort()).toEqual([...parts].sort());
  const known = Object.keys(object(object(parse(text('package.json'))).scripts));
  expect(parts.filter((part) => !known.includes(part))).toEqual([]);
});

test('each project of the tests is one of a script, and of one alone', () => {
  const projects = Array.from(text('vitest.config.ts').matchAll(/ name: '([\w-]+)'/g), ([, name]) => name);
  expect(projects).toContain('unit');
  expect(Object.values(scripts).flat().sort()).toEqual(projects.sort());
});

test('CI runs on Node 20, 22 and 24, and the part that fetches other releases itself on the first', () => {
  const releases = jobs.map((job) => ({ parts: scriptsOf(job), on: releasesOf(job) }));
  expect(releases).toEqual([
    { parts: ['test', 'lint', 'typecheck'], on: [20, 22, 24] },
    { parts: ['test:long'], on: [20, 22, 24] },
    { parts: ['test:peers'], on: [20] },
  ]);
});

test('each step of CI uses an action, or runs something', () => {
  const steps = jobs.flatMap((job) => array(job.steps).map(object));
  expect(steps.filter(({ uses, run }) => (uses === undefined) === (run === undefined))).toEqual([]);
});

test.each(forms)('%s is a form that GitHub shows', (path) => {
  const form = yaml(path);
  expect([form.name, form.description].map((given) => typeof given)).toEqual(['string', 'string']);
  const fields = array(form.body).map(object);
  const ids = fields.map(({ id }) => string(id));
  expect(new Set(ids).size).toBe(ids.length);
  for (const { type, attributes } of fields) {
    expect(['textarea', 'input', 'dropdown', 'checkboxes']).toContain(type);
    expect(string(object(attributes).label)).not.toBe('');
  }
});

test.each([...documents, '.github/pull_request_template.md'])('what %s names is there', (path) => {
  if (!path.endsWith('.md')) yaml(path);
  const named =
    text(path).match(/(?<![\w/$.])(?:[\w.-]+\/)*(?:[\w-]+\.(?:md|mjs|ts)|\.nvmrc|\.ci\/run)\b/g) ?? [];
  expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  const scripts = Object.keys(object(object(parse(text('package.json'))).scripts));
  const called = Array.from(text(path).matchAll(/npm run ([\w:]+)/g), ([, name = '']) => name);
  expect(called.filter((name) => !scripts.includes(name))).toEqual([]);
});
