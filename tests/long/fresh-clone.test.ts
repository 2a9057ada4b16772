import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ActionRunner, actionSteps } from '@azimuth/test-support/action-runner';
import { number, object, parse } from '@azimuth/test-support/json';
import { plainEnvironment, root, run, temporaryFolder } from '@azimuth/test-support/recipe-program';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

/** The files of this clone as git has them, and nothing that was installed or built. */
function cloned(into: string): void {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
  });
  for (const file of listed.toString().split('\0')) {
    if (file === '' || !existsSync(join(root, file))) continue;
    mkdirSync(dirname(join(into, file)), { recursive: true });
    cpSync(join(root, file), join(into, file));
  }
  execFileSync('git', ['init', '-q'], { cwd: into });
}

/** A project of somebody else, whose folder nothing but what is asked for may change. */
function someProject(): string {
  const folder = temporaryFolder();
  writeFileSync(
    join(folder, 'package.json'),
    '{"name":"theirs","private":true,"dependencies":{"none":"1.0.0"}}',
  );
  writeFileSync(join(folder, 'package-lock.json'), '{"lockfileVersion":3,"packages":{}}');
  writeFileSync(join(folder, 'tsconfig.json'), '{"files":["missing.ts"]}');
  return folder;
}

const contentOf = (folder: string) =>
  readdirSync(folder)
    .sort()
    .map((name) => `${name} ${name.includes('.') ? readFileSync(join(folder, name), 'utf8') : ''}`);

describe('from a clone that nothing has prepared', () => {
  let clone: string;
  beforeAll(() => {
    clone = mkdtempSync(join(tmpdir(), 'azimuth-clone-'));
    cloned(clone);
  });
  afterAll(() => rmSync(clone, { recursive: true, force: true }));

  test('the action starts a scanner for a project, and leaves its folder alone', async () => {
    expect(readdirSync(clone)).not.toContain('node_modules');
    const runner = new ActionRunner({ options: '--serial 24100009' }, clone, true);
    cpSync(someProject(), runner.project, { recursive: true });
    const before = contentOf(runner.project);
    for (const step of actionSteps) await runner.step(step);
    const { pid } = object(parse(runner.outputs.get('steps.start.outputs.ready') ?? ''));
    onTestFinished(() => {
      process.kill(number(pid));
    });
    expect(await runner.later('azimuth get SerialNumber')).toContain('24100009');
    expect(contentOf(runner.project)).toEqual(before);
  }, 600_000);

  /** Runs a script of the clone from a project, by npm and by Node. */
  const byNpm = (name: string, ...words: string[]) => ['npm', '--prefix', clone, 'run', name, '--', ...words];

  test.each<[string, () => readonly string[]]>([
    [
      'pack into a folder of the project',
      () => [process.execPath, join(clone, 'scripts', 'pack.mjs'), 'out'],
    ],
    ['pack by npm', () => byNpm('pack', 'out', '--command-only')],
    ['docs', () => byNpm('docs', 'out')],
    ['build', () => byNpm('build')],
    ['test', () => byNpm('test', 'tests/gui-size.test.ts')],
    ['bench', () => byNpm('bench', '--help')],
    ['campaign', () => byNpm('campaign', '--help')],
  ])('%s works from the folder of a project', async (_, words) => {
    const project = someProject();
    const before = contentOf(project);
    const { code, output } = await run(words(), project, plainEnvironment);
    expect(code, output).toBe(0);
    const made = readdirSync(project).includes('out') ? ['out '] : [];
    expect(contentOf(project)).toEqual([...before, ...made].sort());
    if (made.length > 0) expect(readdirSync(join(project, 'out')).length).toBeGreaterThan(0);
  });

  test('release sets the version everywhere, and makes the file that users install, with a tag', async () => {
    const git = (...words: string[]) =>
      execFileSync('git', ['-c', 'user.name=Somebody', '-c', 'user.email=somebody@example.com', ...words], {
        cwd: clone,
        encoding: 'utf8',
      }).trim();
    const released = (...words: string[]) =>
      run(byNpm('release', ...words), project, {
        ...plainEnvironment,
        GIT_AUTHOR_NAME: 'Somebody',
        GIT_AUTHOR_EMAIL: 'somebody@example.com',
        GIT_COMMITTER_NAME: 'Somebody',
        GIT_COMMITTER_EMAIL: 'somebody@example.com',
      });
    const project = someProject();
    expect(await released('minor')).toMatchObject({
      code: 1,
      output: expect.stringContaining('changes that are not committed'),
    });
    git('add', '--all');
    git('commit', '--quiet', '--message', 'Begin');
    expect(await released('next')).toMatchObject({
      code: 1,
      output: expect.stringContaining('expected a version'),
    });
    const { code, output } = await released('7.8.9', 'out');
    expect(code, output).toBe(0);
    expect(git('tag', '--list', '--points-at', 'HEAD')).toBe('v7.8.9');
    expect(git('status', '--porcelain')).toBe('');
    const manifests = git(
      'ls-files',
      ':(glob)package.json',
      ':(glob)packages/*/package.json',
      ':(glob)tests/support/package.json',
    );
    for (const file of manifests.split('\n')) {
      const { version, dependencies = {} } = object(parse(readFileSync(join(clone, file), 'utf8')));
      const ours = Object.entries(object(dependencies)).filter(([name]) => name.startsWith('@azimuth/'));
      expect([version, ...ours.map(([, pinned]) => pinned)], file).toEqual(
        Array(ours.length + 1).fill('7.8.9'),
      );
    }
    expect(readFileSync(join(clone, 'package-lock.json'), 'utf8')).not.toMatch(
      /"@azimuth\/\w+": "(?!7\.8\.9)/,
    );
    const changelog = readFileSync(join(clone, 'CHANGELOG.md'), 'utf8');
    expect(changelog).toMatch(/\n## Unreleased\n\n## 7\.8\.9 \(\d{4}-\d\d-\d\d\)\n/);
    const out = join(project, 'out');
    expect(readdirSync(out).sort()).toEqual(['SHA256SUMS', 'azimuth-scanner-7.8.9.tgz']);
    execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: out });
    execFileSync(
      'npm',
      ['install', '--offline', './out/azimuth-scanner-7.8.9.tgz', '--prefix', join(out, 'p')],
      {
        cwd: project,
      },
    );
    const installed = join(out, 'p', 'node_modules', '.bin', 'azimuth');
    expect((await run([installed, '--version'], project, plainEnvironment)).output.trim()).toBe('7.8.9');
    expect(await released('7.8.9')).toMatchObject({
      code: 1,
      output: expect.stringContaining('v7.8.9 is there'),
    });
  }, 120_000);
});
