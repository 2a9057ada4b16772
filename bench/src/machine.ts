import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { pins } from './processes/children.js';

/** What it was measured on. */
export interface Machine {
  readonly processor: string;
  readonly cores: number;
  /** Gigabytes (10⁹ bytes). */
  readonly memory: number;
  readonly system: string;
  readonly node: string;
  /** Do servers and load have a core each? */
  readonly pinned: boolean;
  /** Processes that wanted to run at the beginning, over the last minute: above 0 the machine was not ours alone. */
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

export function textOfMachine({ processor, cores, memory, system, node, pinned, busy }: Machine): string {
  const lines = [
    `${processor}, ${cores} cores, ${memory.toFixed(0)} GB, ${system}, Node ${node}`,
    pinned
      ? 'servers on core 0, load on core 1'
      : 'servers and load on any core: taskset or a second core is missing',
  ];
  if (busy > 0.5) lines.push(`other programs are at work (load ${busy.toFixed(1)}): ratios will scatter`);
  return `${lines.join('\n')}\n`;
}
