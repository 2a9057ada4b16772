import type { Json } from '../match/matcher.js';
import type { LegacyForm } from './legacy-frames.js';
import { LegacyValues, type Nested } from './legacy-layout.js';

/** The parts of an LMDscandata telegram in their order, by the maker's listing. */
const parts = {
  version: 'u16',
  device: 'u16',
  serial: 'u32',
  status: '2*(u8)',
  telegram: 'u16',
  scan: 'u16',
  started: 'u32',
  sent: 'u32',
  inputs: '2*(u8)',
  outputs: '2*(u8)',
  layer: 'u16',
  frequency: 'u32',
  reserved: 'u32',
  encoders: '[u32 i16]',
  wide: '[text5 real real i32 u16 [u16]]',
  narrow: '[text5 real real i32 u16 [u8]]',
  positions: '[real real real real real real u8]',
  names: '[string]',
  comments: '[string]',
  times: '[u16 u8 u8 u8 u8 u8 u32]',
  events: '[text4 u32 u32 i32]',
} as const;

const layout = Object.values(parts).join(' ');

/** A scan as JSON. Channels have their counts in place of their values; `delay` is in µs, from the start to the transmission. */
export type LegacyScan = Readonly<Record<keyof typeof parts, Json>>;

/**
 * Returns a telegram as JSON.
 * @throws LayoutProblem if bytes are missing or left over
 */
export function legacyScan(form: LegacyForm, values: Buffer): Readonly<Record<string, Json>> {
  const { nested } =
    form === 'text'
      ? LegacyValues.ofText(layout, values.toString('latin1'))
      : LegacyValues.ofBytes(layout, values);
  const scan = Object.fromEntries(
    Object.keys(parts).map((name, at) => {
      const value = nested[at] ?? 0;
      return [name, converted(name, value)];
    }),
  );
  return { ...scan, delay: (Number(scan.sent) - Number(scan.started) + 2 ** 32) % 2 ** 32 };
}

const timeParts = ['year', 'month', 'day', 'hour', 'minute', 'second', 'microsecond'] as const;

function converted(name: string, value: Nested): Json {
  switch (name) {
    case 'serial':
      return String(value);
    case 'wide':
    case 'narrow':
      return channelsOf(value);
    case 'times':
      return listOf(value).map((item) => namedParts(timeParts, item));
    case 'encoders':
      return listOf(value).map((item) => namedParts(['ticks', 'speed'], item));
    default:
      return value;
  }
}

function namedParts(names: readonly string[], item: Nested): Json {
  const values = listOf(item);
  return Object.fromEntries(names.map((name, at) => [name, values[at] ?? 0]));
}

function channelsOf(channels: Nested): Json {
  return listOf(channels).map((channel) => {
    const [content = '', scale = 0, offset = 0, start = 0, step = 0, data = []] = listOf(channel);
    const values = listOf(data).map(Number);
    const seen = values.filter((value) => value > 0);
    return {
      ...{ content, scale, offset, start, step, count: values.length },
      ...{ seen: seen.length, least: Math.min(...seen, 65_535), most: Math.max(...values, 0) },
    };
  });
}

function listOf(value: Nested): readonly Nested[] {
  return typeof value === 'object' ? value : [value];
}
