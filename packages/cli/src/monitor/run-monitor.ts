import { once } from 'node:events';
import { join } from 'node:path';
import { PortTaken, type Site, urlOf } from '@azimuth/http';
import {
  type Archive,
  History,
  HistoryFolder,
  LastParametersFolder,
  type LogStore,
  Monitor,
  MonitorPort,
  type Output,
  ScanPorts,
  ScanReception,
  type ScanSource,
  siteOfMonitor,
  systemClock,
} from '@azimuth/monitor';
import { CommandFailure } from '../command-failure.js';
import { logFolder } from '../log/log-place.js';
import { jsonText, print, remark, untilInterrupted } from '../output/output.js';
import { hostInUrl, isLoopback, isThisComputer } from '../scan-data/stream-settings.js';
import { scannerAt } from '../scanners/connection.js';
import type { Target } from '../scanners/target.js';
import { openArchive } from './monitor-archive.js';
import { openMonitorLog } from './monitor-log.js';
import { plannedOutputs } from './monitor-outputs.js';
import { type MonitorFlags, type MonitorPlan, monitorPlan } from './monitor-plan.js';
import { MonitorSite } from './monitor-site.js';
import { planJson, planLines } from './plan-report.js';
import { testOutputs } from './test-outputs.js';

export interface MonitorCommandOptions extends MonitorFlags {
  readonly check?: boolean;
  readonly testOutputs?: boolean;
}

/**
 * Watches scanners until it is interrupted, or checks the monitor file alone.
 * @param path of the monitor file
 */
export async function runMonitor(path: string | undefined, options: MonitorCommandOptions): Promise<void> {
  const plan = await monitorPlan(path, options);
  const isJson = options.json === true;
  if (options.check === true)
    return print(isJson ? `${jsonText(planJson(plan))}\n` : `${planLines(plan).join('\n')}\n`);
  if (options.testOutputs === true) return testOutputs(plan, isJson);
  const parts = await partsOf(plan);
  await untilInterrupted((signal) => run(parts, plan, isJson, signal));
}

/** What runs in the process of a monitor. */
interface Parts {
  readonly monitor: Monitor;
  readonly archive: Archive | undefined;
  /** Compares with the site file. */
  readonly site: MonitorSite | undefined;
  readonly historyFolder: HistoryFolder;
  /** What pages are told of the scanners. */
  readonly known: Site;
}

async function partsOf(plan: MonitorPlan): Promise<Parts> {
  const { targets, interval, limitsOf, log, parameters, options } = plan;
  const site = plan.site === undefined ? undefined : await MonitorSite.read(plan.site, targets);
  const archive: Archive | undefined =
    plan.archive === undefined
      ? undefined
      : await openArchive(plan.archive, targets, {
          clock: systemClock,
          log: (entry) => monitor.log(entry),
          reportError: warn,
          options,
        });
  const store = await openMonitorLog(log);
  const history = new History(interval);
  const ports = new ScanPorts(systemClock, warn);
  const monitor: Monitor = new Monitor({
    clock: systemClock,
    store,
    outputs: await openOutputs(plan, store),
    scanners: targets.map((target) => ({
      ...{ name: target.label, scanner: scannerAt(target), limits: limitsOf(target) },
      scans: scansOf(target, plan, ports),
      serial: site?.serialOf(target),
      expected: site && (() => site.expectedOf(target)),
      archivedAt: archive && (() => archive.archivedAt(target.label)),
    })),
    ...{ interval, parameters, history },
    lastParameters: new LastParametersFolder(join(logFolder(log), 'last-parameters')),
    random: Math.random,
    reportError: warn,
  });
  const historyFolder = new HistoryFolder({
    ...{ history, clock: systemClock, report: remark },
    scanners: targets.map(({ label }) => label),
    folder: join(logFolder(log), 'history'),
  });
  const known = siteOfMonitor({
    ...{ clock: systemClock, history, store },
    snapshots: async () => monitor.snapshots,
    placeOf: ({ name, url }) => ({ path: name, group: plan.names.groupOf({ name, url }) }),
  });
  return { monitor, archive, site, historyFolder, known };
}

/** Receives the scan data of a scanner that is sent to this computer, if the monitor file asks for it. */
function scansOf(
  { url }: Target,
  { content: { receive } }: MonitorPlan,
  ports: ScanPorts,
): ScanSource | undefined {
  if (receive === undefined) return undefined;
  return new ScanReception(ports, ({ address, port }) => {
    if (receive.port !== undefined && receive.port !== port) return false;
    // The loopback of another computer is not this one.
    return isThisComputer(isLoopback(address) ? hostInUrl(url) : address);
  });
}

/** Opens all outputs. What they tell about themselves goes to the operator and into the log, but to no output. */
async function openOutputs(plan: MonitorPlan, store: LogStore): Promise<readonly Output[]> {
  const report = (text: string) => {
    remark(text);
    // A log that cannot be written tells so itself.
    store.append({ kind: 'monitor', at: systemClock.now(), scanner: '', text }).catch(() => undefined);
  };
  try {
    return await Promise.all(plannedOutputs(plan).map(({ open }) => open(report)));
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function run(
  { monitor, archive, site, historyFolder, known }: Parts,
  { host, port, allowedHosts }: MonitorPlan,
  isJson: boolean,
  signal: AbortSignal,
): Promise<void> {
  const monitorPort = new MonitorPort({ monitor, site: known, host, port, allowedHosts, reportError: warn });
  try {
    const opened = await openedPort(monitorPort);
    await historyFolder.start();
    await monitor.start();
    archive?.start();
    site?.follow(systemClock, signal).catch(warn);
    const url = urlOf({ host, port: opened }, 'http');
    const ready = isJson ? jsonText({ ready: true, url }) : `Watching: ${url}/metrics. Ctrl-C ends.`;
    await print(`${ready}\n`, signal);
    if (!signal.aborted) await once(signal, 'abort');
  } finally {
    monitorPort.close();
    await archive?.close();
    await monitor.close();
    await historyFolder.close();
  }
}

/** @throws CommandFailure if the system refuses the port */
async function openedPort(port: MonitorPort): Promise<number> {
  try {
    return await port.open();
  } catch (error) {
    if (error instanceof PortTaken) throw new CommandFailure(error.message);
    throw error;
  }
}

function warn(error: unknown): void {
  process.emitWarning(error instanceof Error ? (error.stack ?? error.message) : String(error));
}
