import { number, object, string } from '@azimuth/test-support/json';
import { expect, it } from 'vitest';
import { dashboard, ofHistory, ofMetrics, panels, queries } from './dashboard.js';
import { at, list } from './documents.js';

const variables = new Map(
  list(at(dashboard, 'templating', 'list')).map((variable) => [string(variable.name), variable]),
);

it('the dashboard asks only sources that it lets choose, of their kinds', () => {
  expect([ofMetrics.length, ofHistory.length]).toEqual([11, 6]);
  expect(ofMetrics.length + ofHistory.length).toBe(queries.length);
  expect(
    [...variables].flatMap(([name, { type, query }]) => (type === 'datasource' ? [[name, query]] : [])),
  ).toEqual([
    ['metrics', 'prometheus'],
    ['history', 'grafana-postgresql-datasource'],
  ]);
  for (const panel of panels) {
    for (const { datasource } of list(panel.targets)) {
      expect(datasource, string(panel.title)).toEqual(panel.datasource);
      const name = string(object(datasource).uid).slice(2, -1);
      expect(object(datasource).type).toBe(variables.get(name)?.query);
    }
  }
});

it('the dashboard uses only variables that it has', () => {
  const used = queries.flatMap(({ text }) =>
    [...text.matchAll(/\$(?:\{(\w+)|(?!_)(\w+))/g)].map(([, braced, plain]) => braced ?? plain),
  );
  expect(new Set(used)).toEqual(new Set(['group', 'serial']));
  for (const name of used) expect([...variables.keys()]).toContain(name);
  // What somebody types becomes a text of SQL, and nothing else.
  for (const { text } of ofHistory) expect(text).not.toMatch(/\$serial|\$\{serial\}/);
});

it('no two panels of the dashboard have the same number, title or place', () => {
  for (const of of ['id', 'title'] as const) {
    expect(new Set(panels.map((panel) => panel[of])).size).toBe(panels.length);
  }
  const places = panels.map(({ title, gridPos }) => {
    const { x, y, w, h } = object(gridPos);
    return {
      title,
      left: number(x),
      top: number(y),
      right: number(x) + number(w),
      bottom: number(y) + number(h),
    };
  });
  for (const [index, one] of places.entries()) {
    expect(one.right).toBeLessThanOrEqual(24);
    const covered = places
      .slice(index + 1)
      .filter(
        (other) =>
          other.left < one.right &&
          one.left < other.right &&
          other.top < one.bottom &&
          one.top < other.bottom,
      );
    expect(covered, String(one.title)).toEqual([]);
  }
});
