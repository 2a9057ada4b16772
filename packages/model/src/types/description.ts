import { widths } from './integer-format.js';
import type { Shape } from './shape.js';

/** A shape as a person reads it: `uint16 1..20`, `IPv4 address`, `string of up to 32 characters`. */
export function describeShape(shape: Shape): string {
  switch (shape.kind) {
    case 'boolean':
      return 'boolean';
    case 'integer': {
      const width = widths[shape.format];
      const whole = shape.minimum === width.minimum && shape.maximum === width.maximum;
      return whole ? shape.format : `${shape.format} ${shape.minimum}..${shape.maximum}`;
    }
    case 'enumeration':
      return `${shape.format} of ${Object.entries(shape.values)
        .map(([name, value]) => `${value} ${name}`)
        .join(', ')}`;
    case 'levelName':
      return 'name of a user level';
    case 'float':
      return shape.maximum > 1e38 ? 'float' : `float ${shape.minimum}..${shape.maximum}`;
    case 'string':
      return shape.minLength === shape.maxLength
        ? `string of ${shape.maxLength} characters`
        : `string of ${shape.minLength === 0 ? '' : `${shape.minLength} `}up to ${shape.maxLength} characters`;
    case 'address':
      return `${shape.of} address, ${shape.length} uint8`;
    case 'array': {
      const count =
        shape.minItems === shape.maxItems ? `${shape.maxItems}` : `${shape.minItems} to ${shape.maxItems}`;
      return `array of ${count}: ${describeShape(shape.of)}`;
    }
    case 'struct':
      return `{ ${Object.entries(shape.members)
        .map(([name, member]) => `${name}: ${describeShape(member.shape)}`)
        .join('; ')} }`;
  }
}
