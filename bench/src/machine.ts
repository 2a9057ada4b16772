import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { pins } from './processes/children.js';

/** The machine of a run. */
export interface Machine {
  readonly processor: string;
  readonly cores: number;
  /** Gigabytes (10⁹ bytes). */
  readonly memory: number;
  readonly system: string;
  readonly node: string;
  /** True if the servers and the load each have a core. */
  readonly pinned: boolean;
  /** Load average over the minute before the run: above 0, other programs were running. */
  readonly busy: number;
}

export function machine(): Machine {
  const processors = cpus();
  return {
    processor: processors[0]?.model.trim() ?? 'unknown',
    cores: processors.length,
    memory: totalmem() / 1e9,
    system: `${type()} ${release()}`,
    node: process.versions.node,
    pinned: pins,
    busy: loadavg()[0] ?? 0,
  };
}

export function machineText({ processor, cores, memory, system, node, pinned, busy }: Machine): string {
  const lines = [
    `${processor}, ${cores} cores, ${memory.toFixed(0)} GB, ${system}, Node ${node}`,
    pinned
      ? 'servers on core 0, load on core 1'
      : 'servers and load on any core: taskset or a second core is missing',
  ];
  if (busy > 0.5) lines.push(`other programs are at work (load ${busy.toFixed(1)}): ratios will scatter`);
  return `${lines.join('\n')}\n`;
}
