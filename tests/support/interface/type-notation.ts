import type { Shape } from '@azimuth/model';
import { widths } from '@azimuth/model';

/**
 * A shape in the short notation of the specification table: `uint16`, `uint8 0..7`, `uint8 {0 SUCCESS, 2 NOT_ACCEPTED}`,
 * `string 0..32`, `uint8[4]`, `uint8[0..96]`, `{ Name: string 0..9; ?Filter: uint32 }`.
 */
export function notation(shape: Shape): string {
  switch (shape.kind) {
    case 'boolean':
      return 'boolean';
    case 'float':
      return 'float';
    case 'levelName':
      return 'level name';
    case 'integer': {
      const { minimum, maximum } = widths[shape.format];
      const fullRange = shape.minimum === minimum && shape.maximum === maximum;
      return fullRange ? shape.format : `${shape.format} ${shape.minimum}..${shape.maximum}`;
    }
    case 'enumeration': {
      const values = Object.entries(shape.values).map(([name, value]) => `${value} ${name}`);
      return `${shape.format} {${values.join(', ')}}`;
    }
    case 'string':
      return `string ${shape.minLength}..${shape.maxLength}`;
    case 'address':
      return `uint8[${shape.length}]`;
    case 'array': {
      const { minItems, maxItems } = shape;
      return `${notation(shape.of)}[${minItems === maxItems ? maxItems : `${minItems}..${maxItems}`}]`;
    }
    case 'struct': {
      const members = Object.entries(shape.members).map(
        ([name, member]) => `${member.optional ? '?' : ''}${name}: ${notation(member.shape)}`,
      );
      return members.length === 0 ? '{}' : `{ ${members.join('; ')} }`;
    }
  }
}
