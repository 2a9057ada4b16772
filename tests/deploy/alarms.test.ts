import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { number } from '@azimuth/test-support/json';
import { describe, expect, it } from 'vitest';
import { alarmsIn } from './alarms.js';
import { deploy, everywhere, list, resources } from './documents.js';
import { exportedMetrics } from './exported-metrics.js';

const ofScanners = alarmsIn('prometheus/scanner.rules.yaml');
const ofFleets = alarmsIn('kubernetes/monitoring/alerts.yaml');
const page = (name: string) => readFileSync(join(deploy, '..', 'docs', name), 'utf8');

/** The first two cells of the rows of the table below a heading, without their backquotes. */
function rowsBelow(text: string, heading: string): readonly (readonly string[])[] {
  const [, section = ''] = text.split(`\n## ${heading}\n`);
  const [own = ''] = section.split('\n## ');
  return [...own.matchAll(/^\| `([^`]+)` \| `?([^|`]+?)`? \|/gm)].map(([, one = '', two = '']) => [one, two]);
}

describe('the alarms', () => {
  it('of scanners are the conditions of docs/monitoring.md', () => {
    expect(rowsBelow(page('monitoring.md'), 'Alarms').map(([condition]) => condition)).toEqual(
      ofScanners.map(({ expr }) => expr),
    );
  });

  it('of fleets are those of docs/deploy.md', () => {
    expect(rowsBelow(page('deploy.md'), 'Alarms').map(([name]) => name)).toEqual(
      ofFleets.map(({ name }) => name),
    );
  });

  it.each([...ofScanners, ...ofFleets])('$name asks for metrics that are there', ({ expr }) => {
    /** Of Prometheus itself, of prom-client, and of kube-state-metrics. */
    const others = ['up', 'nodejs_eventloop_lag_p99_seconds', 'kube_cronjob_status_last_successful_time'];
    const metrics = [...expr.matchAll(/\b(?:up|(?:azimuth|nodejs|kube)_\w+)\b/g)].map(([metric]) => metric);
    expect(metrics.length).toBeGreaterThan(0);
    for (const metric of metrics) expect([...exportedMetrics(), ...others]).toContain(metric);
  });

  it('of leases comes when one was not renewed in time, and before it ends', () => {
    const lease = everywhere(
      resources().map(({ json }) => json),
      'env',
    )
      .flatMap(list)
      .find(({ name }) => name === 'AZIMUTH_LEASE')?.value;
    const [, least] = /lease_seconds < (\d+)/.exec(ofFleets.map(({ expr }) => expr).join('\n')) ?? [];
    // Renewed after a quarter; the scanners are stopped a tenth before the end.
    expect(Number(least)).toBeLessThan(Number(lease) * (1 - 1 / 4));
    expect(number(Number(least))).toBeGreaterThan(Number(lease) / 10);
    // The comment reckons with the same lease.
    expect(readFileSync(join(deploy, 'kubernetes', 'monitoring', 'alerts.yaml'), 'utf8')).toContain(
      `Below three quarters of AZIMUTH_LEASE (${(Number(lease) * 3) / 4} of ${lease} s)`,
    );
  });
});
