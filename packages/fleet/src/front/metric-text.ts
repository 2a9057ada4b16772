/**
 * A metric in the text format of Prometheus.
 * @param samples its value, or its values by their labels (`{group="gates"}`)
 */
export function metricText(
  name: string,
  type: 'gauge' | 'counter',
  help: string,
  samples: number | ReadonlyMap<string, number>,
): string {
  const values = typeof samples === 'number' ? new Map([['', samples]]) : samples;
  const lines = [...values].map(([labels, value]) => `${name}${labels} ${value}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n');
}

/** `{group="gates",state="running"}`. */
export function labels(values: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(values).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return `{${pairs.join(',')}}`;
}

/** The memory of this process. */
export function memoryMetrics(): string {
  const { rss, heapUsed } = process.memoryUsage();
  return (
    metricText('process_resident_memory_bytes', 'gauge', 'Resident memory of the process.', rss) +
    metricText('nodejs_heap_size_used_bytes', 'gauge', 'Memory of JavaScript objects.', heapUsed)
  );
}
