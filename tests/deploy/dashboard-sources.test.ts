import { describe, expect, it } from 'vitest';
import { ofHistory, ofMetrics } from './dashboard.js';
import { exportedMetrics, sourcesIn } from './exported-metrics.js';

const words = (text: string) => [...text.matchAll(/[A-Za-z_][A-Za-z0-9_]*/g)].map(([word]) => word);

describe('each metric that the dashboard asks for', () => {
  /** Functions, keywords and labels of PromQL. */
  const others = new Set(['sum', 'by', 'rate', 'and', 'or', 'on', 'instance', 'job', 'group', 'state']);
  const exported = exportedMetrics();

  it.each(ofMetrics)('is there: $panel, $text', ({ text }) => {
    const plain = text.replaceAll(/"[^"]*"/g, '').replaceAll(/\$\w+/g, '');
    const metrics = words(plain).filter((word) => !others.has(word));
    expect(metrics.length).toBeGreaterThan(0);
    for (const metric of metrics) expect([...exported]).toContain(metric);
  });
});

describe('each column of the database that the dashboard asks for', () => {
  const keywords = new Set(
    'select from where group by order limit desc as and or is not null like left join on count now time metric value leased azimuth'.split(
      ' ',
    ),
  );
  const tables = tablesIn(sourcesIn('fleet', 'src', 'database', 'schema').join('\n'));

  it.each(ofHistory)('is in a table that it reads: $panel', ({ text }) => {
    const read = [...text.matchAll(/azimuth\.(\w+)/g)].map(([, table = '']) => table);
    expect(read.length).toBeGreaterThan(0);
    const columns = read.flatMap((table) => {
      const found = tables.get(table);
      if (found === undefined) throw new Error(`the migrations make no table ${table}`);
      return found;
    });
    const plain = text.replaceAll(/'[^']*'/g, '').replaceAll(/\$\{[^}]*\}|\$\w+/g, '');
    const named = words(plain).filter((word) => !keywords.has(word.toLowerCase()) && !read.includes(word));
    expect(named.length).toBeGreaterThan(0);
    for (const column of named) expect(columns, `of ${read.join(', ')}`).toContain(column);
  });
});

/** The columns of each table that SQL makes or extends. */
function tablesIn(sql: string): ReadonlyMap<string, readonly string[]> {
  const tables = new Map<string, readonly string[]>();
  for (const [, table = '', body = ''] of sql.matchAll(/CREATE TABLE azimuth\.(\w+) \(\n([\s\S]*?)\n\)/g)) {
    tables.set(
      table,
      [...body.matchAll(/^ {2}([a-z_]+) /gm)].map(([, column = '']) => column),
    );
  }
  for (const [, table = '', column = ''] of sql.matchAll(
    /ALTER TABLE azimuth\.(\w+)\s+ADD (?:COLUMN )?(\w+)/g,
  )) {
    tables.set(table, [...(tables.get(table) ?? []), column]);
  }
  return tables;
}
