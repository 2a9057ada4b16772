type Labels = Readonly<Record<string, string>>;

/** A value of a metric, identified by its labels. */
export type Sample = readonly [labels: Labels, value: number];

/** The value of a metric, or its values. */
type Samples = number | readonly Sample[];

/** A counter since the process started, in the text format 0.0.4 of Prometheus. @param help without a line break */
export function counter(name: string, help: string, samples: Samples): string {
  return metricText(name, 'counter', help, samples);
}

/** A gauge of the present state, in the same format. */
export function gauge(name: string, help: string, samples: Samples): string {
  return metricText(name, 'gauge', help, samples);
}

/** Samples with one label: one for each of its values. */
export function by<V extends string>(
  label: string,
  values: readonly V[],
  count: (value: V) => number,
): Sample[] {
  return values.map((value) => [{ [label]: value }, count(value)]);
}

/** The same for what was counted by the values of the label. */
export function counted(label: string, counts: Iterable<readonly [value: string, count: number]>): Sample[] {
  return Array.from(counts, ([value, count]) => [{ [label]: value }, count]);
}

function metricText(name: string, type: 'counter' | 'gauge', help: string, samples: Samples): string {
  let text = `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
  if (typeof samples === 'number') return `${text}${name} ${samples}\n`;
  for (const [labels, value] of samples) text += `${name}${textOf(labels)} ${value}\n`;
  return text;
}

function textOf(labels: Labels): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${escaped(value)}"`);
  return `{${pairs.join()}}`;
}

function escaped(value: string): string {
  return value.replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`));
}

/** The memory of this process. */
export function memoryMetrics(): string {
  const { rss, heapUsed } = process.memoryUsage();
  return (
    gauge('process_resident_memory_bytes', 'Resident memory of the process.', rss) +
    gauge('nodejs_heap_size_used_bytes', 'Memory of JavaScript objects.', heapUsed)
  );
}
