/** @packageDocumentation @internal */

import { alertRules } from './alert-rules.js';
import { dashboard } from './dashboard.js';
import { metricsPage } from './metrics-page.js';

export { alertName } from './alert-rules.js';

/** Returns the generated pages of the documentation, by the name of their file in `docs`. */
export function monitorPages(): Readonly<Record<string, string>> {
  return { 'monitor-metrics.md': metricsPage() };
}

/** Returns the generated files for Prometheus and Grafana, by their path in `deploy`. */
export function monitorDeployment(): Readonly<Record<string, string>> {
  return {
    'prometheus/monitor.rules.yaml': alertRules(),
    'grafana/azimuth-monitor.json': `${JSON.stringify(dashboard(), undefined, 2)}\n`,
  };
}
