import type { Pen } from '../../src/plan/floor-plan.js';
import { initialViewport, type Viewport } from '../../src/plan/plan.js';

/** Colours that are told apart by their names. */
export const colours = {
  ...{ view: 'view', grid: 'grid', 'grid-strong': 'grid-strong', ink: 'ink', soft: 'soft' },
  ...{ accent: 'accent', good: 'good', warn: 'warn', bad: 'bad', paper: 'paper', isDark: false },
} as const;

/** What was done with a canvas: calls with their arguments, and `name =` with what was set. Numbers are rounded to 0.01. */
export type Done = readonly [string, ...unknown[]];

/** A pen that notes what is drawn with it. A CSS pixel is 10 mm at first: see `initialViewport`. */
export function recordedPen(viewport: Viewport = { ...initialViewport(400, 200), scale: 100 }) {
  const done: Done[] = [];
  const set = new Map<string, unknown>();
  const rounded = (value: unknown) => (typeof value === 'number' ? Math.round(value * 100) / 100 + 0 : value);
  // It has no type of its own: it answers whatever a canvas is asked.
  const context = new Proxy(Object.create(null), {
    get: (_, name) => {
      if (name === 'measureText') return (text: string) => ({ width: 7 * text.length });
      if (set.has(String(name))) return set.get(String(name));
      return (...given: unknown[]) => void done.push([String(name), ...given.map(rounded)]);
    },
    set: (_, name, value) => {
      set.set(String(name), value);
      done.push([`${String(name)} =`, rounded(value)]);
      return true;
    },
  });
  const pen: Pen = { context, viewport, colours, pixelRatio: 1 };
  const of = (...names: readonly string[]) => done.filter(([name]) => names.includes(name));
  return { pen, done, of };
}
