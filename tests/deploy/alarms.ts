import { object, string } from '@azimuth/test-support/json';
import { at, list, yamlOf } from './documents.js';

/** An alarm of Prometheus. */
export interface Alarm {
  readonly name: string;
  /** The condition, in PromQL. */
  readonly expr: string;
  readonly summary: string;
}

/** The groups of rules that a file has, as Prometheus reads them. */
export const ruleGroups = {
  'prometheus/scanner.rules.yaml': list(yamlOf('prometheus', 'scanner.rules.yaml').groups),
  'prometheus/monitor.rules.yaml': list(yamlOf('prometheus', 'monitor.rules.yaml').groups),
  'kubernetes/monitoring/alerts.yaml': list(
    at(yamlOf('kubernetes', 'monitoring', 'alerts.yaml'), 'spec', 'groups'),
  ),
};

export type RuleFile = keyof typeof ruleGroups;

export function alarmsIn(file: RuleFile): readonly Alarm[] {
  return ruleGroups[file]
    .flatMap(({ rules }) => list(rules))
    .map(({ alert, expr, annotations }) => ({
      name: string(alert),
      expr: string(expr),
      summary: string(object(annotations).summary),
    }));
}
