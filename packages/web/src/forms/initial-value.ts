import { levelNames, type Shape } from '@azimuth/model';

/** A value to begin with, for an item that is added to an array. */
export function initialValue(shape: Shape): unknown {
  switch (shape.kind) {
    case 'boolean':
      return false;
    case 'integer':
    case 'float':
      return Math.min(Math.max(0, shape.minimum), shape.maximum);
    case 'enumeration':
      return Object.values(shape.values)[0] ?? 0;
    case 'levelName':
      return levelNames[0];
    case 'string':
      return ' '.repeat(shape.minLength);
    case 'address':
      return Array.from({ length: shape.length }, () => 0);
    case 'array':
      return Array.from({ length: shape.minItems }, () => initialValue(shape.of));
    case 'struct':
      return Object.fromEntries(Object.entries(shape.members).map(([name, { initial }]) => [name, initial]));
  }
}
