import { conditionKinds } from '../conditions/all-conditions.js';
import { scannerMetrics } from '../metrics/scanner-metrics.js';
import { logMetric, outputMetrics } from '../port/monitor-metrics.js';
import { alertName } from './alert-rules.js';

/** Returns the page that explains each metric and each condition of a monitor. */
export function metricsPage(): string {
  return `# Metrics and conditions of azimuth monitor

Names of metrics, labels and conditions stay the same, so that alarms and dashboards of yours go on working. Each scanner has the
label \`scanner\`: its name in \`azimuth devices\`, or its URL. [monitor.md](monitor.md) tells how to use them. This page is
generated.

## Metrics

| metric | further labels | what it shows |
|---|---|---|
${[...scannerMetrics, ...outputMetrics, logMetric].map(metricRow).join('\n')}

Besides, the page has the metrics of the process: memory, CPU and delays of the event loop.

## Conditions

A condition begins when it has held for some seconds, and ends when it was absent for some seconds.

| condition | severity | alarm | what is wrong | begins after | ends after |
|---|---|---|---|---|---|
${conditionKinds
  .map(
    ({ id, severity, title, about, beginsAfter, endsAfter }) =>
      `| \`${id}\` | ${severity} | \`${alertName(id)}\` | **${title}.** ${about} | ${beginsAfter} s | ${endsAfter} s |`,
  )
  .join('\n')}
`;
}

function metricRow({
  name,
  help,
  labels,
}: {
  name: string;
  help: string;
  labels: readonly string[];
}): string {
  const more = labels.filter((label) => label !== 'scanner').map((label) => `\`${label}\``);
  return `| \`${name}\` | ${more.join(', ')} | ${help} |`;
}
