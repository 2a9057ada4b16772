import { isObject } from '@azimuth/model';

/** Objects of numbers, added up at every depth. Lists are put behind each other. */
export function sumOf(parts: readonly unknown[]): Readonly<Record<string, unknown>> {
  const sum: Record<string, unknown> = {};
  for (const part of parts) {
    for (const [name, value] of Object.entries(isObject(part) ? part : {})) {
      const before = sum[name];
      if (typeof value === 'number') sum[name] = value + (typeof before === 'number' ? before : 0);
      else if (Array.isArray(value)) sum[name] = [...(Array.isArray(before) ? before : []), ...value];
      else if (isObject(value)) sum[name] = sumOf([before, value]);
    }
  }
  return sum;
}

/** Pages of metrics, with the values of equal samples added up. */
export function sumOfMetrics(pages: readonly unknown[]): string {
  const lines = new Map<string, number | undefined>();
  for (const line of pages.join('').split('\n')) {
    const [, sample, value] = /^([^#].*) (\S+)$/.exec(line) ?? [];
    if (sample === undefined) lines.set(line, undefined);
    else lines.set(sample, (lines.get(sample) ?? 0) + Number(value));
  }
  return [...lines].map(([line, value]) => (value === undefined ? line : `${line} ${value}`)).join('\n');
}
