import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type JsonObject, object, parse, string } from '@azimuth/test-support/json';
import { at, deploy, list } from './documents.js';

export const dashboard: JsonObject = object(
  parse(readFileSync(join(deploy, 'grafana', 'azimuth-fleet.json'), 'utf8')),
);

export const panels = list(dashboard.panels);

/** What a panel asks of a source of data. */
export interface Query {
  readonly panel: string;
  /** The variable of the dashboard that chooses the source. */
  readonly source: string;
  /** PromQL or SQL. */
  readonly text: string;
}

export const queries: readonly Query[] = panels.flatMap((panel) =>
  list(panel.targets).map((target) => ({
    panel: string(panel.title),
    source: /^\$\{(\w+)\}$/.exec(string(at(target, 'datasource', 'uid')))?.[1] ?? '',
    text: string(target.expr ?? target.rawSql),
  })),
);

export const ofMetrics = queries.filter(({ source }) => source === 'metrics');
export const ofHistory = queries.filter(({ source }) => source === 'history');
