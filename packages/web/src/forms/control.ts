import type { Shape } from '@azimuth/model';
import type { Refusal } from './refusal.js';
import type { UnitOf } from './units.js';

/** What every control gets, for a value as a whole or for a part of one. */
export interface ControlProperties<S extends Shape = Shape> {
  readonly shape: S;
  /** JSON. What a person has typed and nobody can read as the shape is a string here; the model refuses it. */
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  /** What a screen reader calls it. */
  readonly label: string;
  /** Why the whole value is not taken; the control shows it if it concerns its place. */
  readonly refusal?: Refusal | undefined;
  /** Shown as text, with nothing to change. */
  readonly readOnly?: boolean | undefined;
  /** Shown with what it may be. */
  readonly withRange?: boolean | undefined;
  readonly unitOf?: UnitOf | undefined;
  /** The place within the whole value: `[2].Points`; empty for the whole. */
  readonly at?: string | undefined;
  /** The name of the member that it is; empty for the whole. */
  readonly member?: string | undefined;
}

export type ShapeOf<K extends Shape['kind']> = Extract<Shape, { readonly kind: K }>;

/** Shapes that one control holds. The others have parts. */
export type LeafShape = Exclude<Shape, ShapeOf<'array'> | ShapeOf<'struct'>>;

export function isLeaf(shape: Shape): shape is LeafShape {
  return shape.kind !== 'array' && shape.kind !== 'struct';
}
