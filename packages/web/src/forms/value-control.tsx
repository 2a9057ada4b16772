import { ArrayControl } from './array-control.js';
import { type ControlProperties, isLeaf } from './control.js';
import { LeafControl } from './leaf-control.js';
import { StructControl } from './struct-control.js';
import '../style/forms.css';

/**
 * The control for a value of any shape of the model. It only edits: who uses it checks the value (`refusalBy`) and sends it.
 */
export function ValueControl(properties: ControlProperties) {
  const { shape } = properties;
  const part = (of: ControlProperties) => <ValueControl {...of} />;
  if (isLeaf(shape)) return <LeafControl {...properties} shape={shape} />;
  if (shape.kind === 'array') return <ArrayControl {...properties} shape={shape} part={part} />;
  return <StructControl {...properties} shape={shape} part={part} />;
}
