/** Types of fields in Wireshark, as in its table `ftypes`. */
export type FilterKind =
  | 'UINT8'
  | 'UINT16'
  | 'UINT32'
  | 'UINT64'
  | 'INT16'
  | 'INT32'
  | 'INT64'
  | 'FLOAT'
  | 'STRING'
  | 'BYTES'
  | 'ETHER'
  | 'IPv4';

/** A field that a display filter can name: `azimuth.` and its name. */
export interface FilterField {
  readonly name: string;
  readonly kind: FilterKind;
  /** Label in the tree. */
  readonly label: string;
  readonly text: string;
  readonly unit?: string;
  readonly display?: 'HEX';
  /** Names of values. */
  readonly values?: Readonly<Record<string, number>>;
}

/** Returns the name of a field in filters: `firstBeamTime` is `first_beam_time`. */
export function fieldName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Returns the part of a text in front of its details, as a label. */
export function labelOf(text: string): string {
  const [short = text] = text.split(/[,:;(]| of an? /);
  const label = short.trim();
  return label.charAt(0).toUpperCase() + label.slice(1);
}
