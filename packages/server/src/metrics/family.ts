/** One value of a family, identified by its labels. */
export interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A metric: a counter since the process started, or a gauge of the present state. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge';
  readonly labels?: readonly string[];
  readonly samples: () => readonly Sample[];
}

/** A family in the text format 0.0.4, directly from the counters. Nothing is cached here. */
export function textOf({ name, help, type, samples }: Family): string {
  let text = `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
  for (const { labels, value } of samples()) text += `${name}${labelsOf(labels)} ${value}\n`;
  return text;
}

function labelsOf(labels: Readonly<Record<string, string>> | undefined): string {
  if (labels === undefined) return '';
  return `{${Object.entries(labels)
    .map(([label, value]) => `${label}="${escaped(value)}"`)
    .join()}}`;
}

function escaped(value: string): string {
  return value.replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`));
}
