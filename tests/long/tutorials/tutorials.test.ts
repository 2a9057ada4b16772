import { runTutorial, tutorials } from '@azimuth/test-support/tutorials/run-tutorial';
import { isAsExpected, tutorialIn } from '@azimuth/test-support/tutorials/tutorial';
import { expect, it } from 'vitest';

it('have 40 scenarios or more', () => {
  const scenarios = tutorials.all.flatMap((each) => each.scenarios);
  expect(scenarios.length).toBeGreaterThanOrEqual(40);
  for (const { title, steps } of scenarios) expect(steps.length, title).toBeGreaterThan(0);
});

it('notice another output', () => {
  expect(isAsExpected('a 12 b\n', 'a … b\n')).toBe(true);
  expect(isAsExpected('a\nb\nc\n', 'a\n…\nc\n')).toBe(true);
  expect(isAsExpected('a 12 c\n', 'a … b\n')).toBe(false);
  expect(isAsExpected('a\nb\n', 'a\n')).toBe(false);
});

it('are read as commands, programs in terminals of their own, and files', () => {
  const page = '### 1. A\n\n```js a.mjs\nb();\n```\n\n```console x\n$ c\nd\n```\n\n```console\n$ e\n```\n';
  const [scenario] = tutorialIn(page).scenarios;
  expect(scenario?.steps).toMatchObject([
    { kind: 'file', name: 'a.mjs', content: 'b();\n' },
    { kind: 'program', terminal: 'x', command: 'c', output: 'd\n' },
    { kind: 'command', command: 'e', output: '' },
  ]);
});

it('name each file that is saved in the text before it', () => {
  for (const { name, scenarios } of tutorials.all) {
    const files = scenarios.flatMap(({ steps }) => steps.filter((step) => step.kind === 'file'));
    for (const file of files) expect(tutorials.text(name), name).toContain(`\`${file.name}\``);
  }
});

for (const name of tutorials.withNode) runTutorial(name);
