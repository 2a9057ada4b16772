import { urlOf } from '@azimuth/http';
import { counted } from '@azimuth/model';
import { logPlace } from '../log/log-place.js';
import { labelList } from '../scanners/chosen.js';
import type { MonitorPlan } from './monitor-plan.js';

/** Returns JSON that tells what a monitor would do. It has no secrets: only names of files. */
export function planJson(plan: MonitorPlan) {
  const { content, targets, host, port, allowedHosts, interval, parameters, limitsOf, log, archive, site } =
    plan;
  const { outputs, store, receive } = content;
  return {
    scanners: targets.map((target) => ({ name: target.label, url: target.url, limits: limitsOf(target) })),
    interval,
    parameters,
    http: { host, port, allowedHosts },
    log: { folder: logPlace(log).folder, keepDays: log.keep, name: log.name },
    ...{ store, archive, site, receive, outputs },
  };
}

/** Returns lines for people that tell what a monitor would do. */
export function planLines(plan: MonitorPlan): readonly string[] {
  const { content, targets, interval, log, archive, site } = plan;
  const { outputs = {}, receive } = content;
  const { folder } = logPlace(log);
  const sent = Object.entries(outputs).flatMap(([kind, list]) =>
    (list ?? []).map((output) => `sends to ${kind} ${addressText(output)}`),
  );
  return [
    `watches ${counted(targets.length, 'scanner')} every ${interval} s: ${labelList(targets)}`,
    `serves ${urlOf(plan, 'http')}`,
    `logs into ${folder ?? 'a database'}`,
    ...(archive === undefined ? [] : [`archives into ${archive.folder}`]),
    ...(site === undefined ? [] : [`compares with ${site}`]),
    ...(receive === undefined ? [] : ['counts scan data that arrives']),
    ...sent,
  ];
}

function addressText(output: {
  readonly url?: string | undefined;
  readonly 'url-file'?: string | undefined;
}): string {
  return output.url ?? `of ${output['url-file']}`;
}
