import { conditionKinds } from '../conditions/all-conditions.js';

/** Returns the name of the alarm of a condition: `ScannerUnreachable`. */
export function alertName(condition: string): string {
  const words = condition.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `Scanner${words.join('')}`;
}

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly severity: string;
  readonly summary: string;
  readonly description: string;
  /** Time for which it has to hold. Conditions have waited already. */
  readonly holds?: string;
}

/** Rules about the monitor itself. */
const ownRules: readonly Rule[] = [
  {
    alert: 'MonitorDown',
    expr: 'absent(up{job="azimuth-monitor"} == 1)',
    severity: 'error',
    summary: 'azimuth monitor does not answer',
    description: 'Nobody watches the scanners. Start it again, and read its log.',
    holds: '2m',
  },
  {
    alert: 'MonitorLogFailing',
    expr: 'azimuth_monitor_log_failing > 0',
    severity: 'error',
    summary: 'azimuth monitor cannot store its log',
    description:
      'The disk is full, or the database is away. The monitor tries again, and tells its outputs nevertheless.',
    holds: '1m',
  },
  {
    alert: 'MonitorOutputLosesEntries',
    expr: 'increase(azimuth_monitor_output_entries_total{outcome="lost"}[15m]) > 0',
    severity: 'warning',
    summary: 'The output {{ $labels.output }} of azimuth monitor has lost entries',
    description: 'The other side was away for too long. The lasting log has all entries.',
  },
  {
    alert: 'MonitorOutputStuck',
    expr: 'azimuth_monitor_output_waiting_entries > 0',
    severity: 'warning',
    summary: 'The output {{ $labels.output }} of azimuth monitor does not get rid of its entries',
    description: 'The other side does not accept them. Check that it runs, and that the monitor may use it.',
    holds: '5m',
  },
];

/** Returns the rules of Prometheus: one alarm for each kind of condition, and those about the monitor. */
export function alertRules(): string {
  const ofConditions = conditionKinds.map(
    ({ id, severity, title, about }): Rule => ({
      alert: alertName(id),
      expr: `azimuth_monitor_condition{condition="${id}"} > 0`,
      severity,
      summary: `{{ $labels.scanner }}: ${title.charAt(0).toLowerCase()}${title.slice(1)}`,
      description: about,
    }),
  );
  return `# Alarms for scanners that azimuth monitor watches (docs/monitor.md). Generated:
#   rule_files: [monitor.rules.yaml]
groups:
  - name: azimuth-monitor
    rules:
${[...ofConditions, ...ownRules].map(ruleText).join('')}`;
}

function ruleText({ alert, expr, severity, summary, description, holds }: Rule): string {
  const lines = [
    `- alert: ${alert}`,
    `  expr: ${expr}`,
    ...(holds === undefined ? [] : [`  for: ${holds}`]),
    `  labels: { severity: ${severity} }`,
    '  annotations:',
    `    summary: ${quoted(summary)}`,
    `    description: ${quoted(description)}`,
  ];
  return lines.map((line) => `      ${line}\n`).join('');
}

/** Returns a text as YAML in single quotes. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
