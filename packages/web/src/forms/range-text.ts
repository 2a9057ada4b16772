import { type Shape, widths } from '@azimuth/model';

/** The greatest number that needs no words about its range: those of floats without one are beyond it. */
const unlimited = 1e38;

/** What a control takes, in a few words: `3 to 60`, `up to 32 characters`; empty if there is nothing to say. */
export function rangeText(shape: Shape): string {
  switch (shape.kind) {
    case 'integer':
    case 'float': {
      const { minimum, maximum } = shape;
      if (shape.kind === 'float' && maximum >= unlimited) return '';
      // Nobody types numbers as large as these.
      if (shape.kind === 'integer' && maximum >= widths.uint32.maximum && minimum <= 0) return '';
      return `${minimum} to ${maximum}`;
    }
    case 'string':
      return shape.minLength === shape.maxLength
        ? `${shape.maxLength} characters`
        : `up to ${shape.maxLength} characters`;
    case 'array': {
      if (shape.minItems === shape.maxItems) return '';
      return shape.minItems === 0 ? `up to ${shape.maxItems}` : `${shape.minItems} to ${shape.maxItems}`;
    }
    default:
      return '';
  }
}
