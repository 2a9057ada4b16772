import type { Measurement, Row, Target } from './measurement.js';
import type { Spread } from './statistics.js';

/** A measurement as text: figures as median (min–max), ratios, and targets. */
export function measurementText({ title, rows, ratios, targets, notes }: Measurement): string {
  return [
    '',
    title,
    ...tablesOf(rows),
    ...ratios.map(({ name, spread }) => `  ${name}: ${shown(spread)}`),
    ...notes.map((note) => `  note: ${note}`),
    ...targets.map((target) => `  ${verdict(target)}`),
    '',
  ].join('\n');
}

/** All targets of a run. */
export function summaryOf(targets: readonly Target[]): string {
  const reached = targets.filter((target) => target.reached).length;
  const lines = targets.map((target) => `  ${verdict(target)}`);
  return ['', 'Targets', ...lines, `${reached} of ${targets.length} targets reached`, ''].join('\n');
}

function verdict({ name, unit, atLeast, atMost, found, reached }: Target): string {
  const limit = atLeast === undefined ? `at most ${atMost}` : `at least ${atLeast}`;
  return `${reached ? 'reached' : 'MISSED '}  ${name}: ${digits(found)}, wanted ${limit} ${unit}`.trimEnd();
}

/** Rows with the same figures stand in one table. */
function tablesOf(rows: readonly Row[]): string[] {
  const tables = new Map<string, Row[]>();
  for (const row of rows) {
    const columns = Object.keys(row.figures).join();
    tables.set(columns, [...(tables.get(columns) ?? []), row]);
  }
  return [...tables.values()].flatMap(table);
}

function table(rows: readonly Row[]): string[] {
  const names = [...new Set(rows.flatMap(({ figures }) => Object.keys(figures)))];
  const lines = [
    ['', '', ...names],
    ...rows.map(({ condition, subject, figures }) => [
      condition,
      subject,
      ...names.map((name) => (figures[name] === undefined ? '' : shown(figures[name]))),
    ]),
  ];
  const widths =
    lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  return lines.map((line) =>
    `  ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd(),
  );
}

function shown({ median, min, max, values }: Spread): string {
  if (values.length === 1) return digits(median);
  return `${digits(median)} (${digits(min)}–${digits(max)})`;
}

/** Three significant digits; more before the decimal point. */
function digits(value: number): string {
  if (value >= 100) return String(Math.round(value));
  return value >= 10 ? value.toFixed(1) : value >= 1 ? value.toFixed(2) : value.toFixed(3);
}
