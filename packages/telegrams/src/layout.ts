/** Types of numbers on the wire, with their bytes. A number of these bytes has no gap around it. */
export const numberBytes = { u8: 1, u16: 2, u32: 4, u64: 8, i16: 2, i32: 4, f32: 4 } as const;
export type NumberType = keyof typeof numberBytes;

/** One number, or several of them one after the other. */
export interface NumberField {
  readonly type: NumberType;
  /** Names of the numbers if there are several. */
  readonly of?: readonly string[];
  /** Form of all of them together, if they are one value for people. */
  readonly form?: 'mac' | 'bytes';
  readonly unit?: string;
  /** Names of values that the field may have. */
  readonly values?: Readonly<Record<string, number>>;
  /** Names of its bits, as numbers with one bit set. */
  readonly bits?: Readonly<Record<string, number>>;
  /** Purpose, in a few words. */
  readonly text: string;
}

/** Characters of one byte each. */
export interface CharactersField {
  readonly type: 'characters';
  readonly length: number;
  readonly text: string;
}

export type Field = NumberField | CharactersField;

/** The fields of a part of a telegram, in the order of their bytes. */
export type Layout = Readonly<Record<string, Field>>;

/** Offsets of the fields of a layout from its beginning, and the bytes of all of them. */
export type Offsets<L extends Layout> = { readonly [K in keyof L | 'bytes']: number };

/** Returns the bytes of a field. */
export function fieldBytes(field: Field): number {
  return field.type === 'characters' ? field.length : numberBytes[field.type] * (field.of ?? ['']).length;
}

/** Returns the offset of each field. @param start offset of the first one */
export function offsetsOf<const L extends Layout>(layout: L, start = 0): Offsets<L> {
  const offsets: Record<string, number> = {};
  let at = start;
  for (const [name, field] of Object.entries(layout)) {
    offsets[name] = at;
    at += fieldBytes(field);
  }
  offsets.bytes = at;
  assertOffsets(offsets, layout);
  return offsets;
}

function assertOffsets<L extends Layout>(
  offsets: Readonly<Record<string, number>>,
  layout: L,
): asserts offsets is Offsets<L> {
  if (Object.keys(offsets).length !== Object.keys(layout).length + 1)
    throw new TypeError('a field of a layout cannot be named bytes');
}
