import { type Field, fieldBytes, type Layout, type NumberField } from '@azimuth/telegrams/layouts';
import { type FilterField, fieldName, labelOf } from './filter-field.js';

/** One field of a layout in the dissector. */
export interface LayoutField extends FilterField {
  /** Name of its value inside the dissector. */
  readonly key: string;
  /** Type on the wire; `mac` and `bytes` are shown as a whole. */
  readonly wire: string;
  readonly size: number;
  readonly bits?: Readonly<Record<string, number>>;
}

const kindOfNumber = {
  u8: 'UINT8',
  u16: 'UINT16',
  u32: 'UINT32',
  u64: 'UINT64',
  i16: 'INT16',
  i32: 'INT32',
  f32: 'FLOAT',
} as const;

/** Fields whose digits mean nothing in decimal. */
const hexadecimal: ReadonlySet<string> = new Set(['marker', 'crc', 'checksum', 'telegram', 'flags']);

/** Returns the fields of a layout under a prefix such as `compact`. A field of several numbers becomes one for each. */
export function layoutFields(prefix: string, layout: Layout): readonly LayoutField[] {
  return Object.entries(layout).flatMap(([name, field]) => fieldsOf(prefix, name, field));
}

function fieldsOf(prefix: string, name: string, field: Field): readonly LayoutField[] {
  if (field.type === 'characters') {
    const { length, text } = field;
    return [{ ...named(prefix, name, text), kind: 'STRING', wire: 'characters', size: length }];
  }
  const { text, form, of } = field;
  if (form !== undefined) {
    const kind = form === 'mac' ? 'ETHER' : 'BYTES';
    return [{ ...named(prefix, name, text), kind, wire: form, size: fieldBytes(field) }];
  }
  if (of === undefined) return [numberField(prefix, name, text, field)];
  return of.map((item) => ({
    ...numberField(prefix, `${name}_${item}`, `${text} ${item}`, field),
    label: `${labelOf(text)} ${item}`,
  }));
}

function numberField(prefix: string, name: string, text: string, field: NumberField): LayoutField {
  const { type, unit, values, bits } = field;
  const isHex = hexadecimal.has(name);
  return {
    ...named(prefix, name, text),
    ...(unit === undefined ? {} : { unit }),
    ...(bits === undefined ? {} : { bits }),
    ...(values === undefined || name === 'marker' ? {} : { values }),
    ...(isHex ? { display: 'HEX' as const } : {}),
    kind: kindOfNumber[type],
    wire: type,
    size: fieldBytes({ type, text }),
  };
}

function named(prefix: string, name: string, text: string) {
  const ending = fieldName(name);
  return { name: `${prefix}.${ending}`, key: ending, label: labelOf(text), text };
}
