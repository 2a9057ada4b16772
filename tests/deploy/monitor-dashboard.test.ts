import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { number, object, parse, string } from '@azimuth/test-support/json';
import { expect, it } from 'vitest';
import { deploy, list } from './documents.js';

const dashboard = object(parse(readFileSync(join(deploy, 'grafana', 'azimuth-monitor.json'), 'utf8')));
const panels = list(dashboard.panels);

it('no two panels of the dashboard of a monitor have the same number, title or place', () => {
  for (const of of ['id', 'title'] as const)
    expect(new Set(panels.map((panel) => panel[of])).size).toBe(panels.length);
  const places = panels.map(({ gridPos }) => {
    const { x, y, w } = object(gridPos);
    expect(number(x) + number(w)).toBeLessThanOrEqual(24);
    return `${number(x)} ${number(y)}`;
  });
  expect(new Set(places).size).toBe(panels.length);
});

it('the dashboard of a monitor uses only the variables that it has', () => {
  const has = list(object(dashboard.templating).list).map(({ name }) => string(name));
  const used = [...JSON.stringify(panels).matchAll(/\$(\w+)/g)].map(([, name]) => name);
  expect(new Set(used)).toEqual(new Set(has));
});
