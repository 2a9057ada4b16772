import { inputsAndOutputs } from '@azimuth/model';
import type { RefusedValue } from '../forms/refusal.js';
import { spokenName } from '../forms/spoken-name.js';
import { Member } from '../forms/value-control.js';
import { valueAt, withValue } from '../forms/value-path.js';
import { shapeAt } from '../forms/value-text.js';

const { PortConfiguration } = inputsAndOutputs.members;

export interface PartProperties {
  readonly index: number;
  /** Its settings as they are being edited: JSON, not checked. */
  readonly port: unknown;
  readonly change: (port: unknown) => void;
  readonly refusal: RefusedValue | undefined;
  readonly readOnly: boolean;
}

/** One setting of a port. @param path the members on the way to it: `InputSettings`, `Debounce` */
export function PartControl({
  path,
  label,
  hint,
  ...properties
}: PartProperties & { path: readonly string[]; label?: string; hint?: string }) {
  const { index, port, change, refusal, readOnly } = properties;
  const member = path.at(-1) ?? '';
  return (
    <Member
      title={member}
      hint={hint}
      shape={shapeAt(PortConfiguration.type.shape, path)}
      value={valueAt(port, path)}
      onChange={(value) => change(withValue(port, path, value))}
      label={label ?? spokenName(member)}
      refusal={refusal}
      readOnly={readOnly}
      withRange
      unitOf={(name) => PortConfiguration.unitOf(name)}
      at={`[${index}].${path.join('.')}`}
      member={member}
    />
  );
}
