/** Something that costs more if there is more of something. */
export interface Cost {
  /** The thing that grows in number, and the thing that is counted. */
  readonly grows: string;
  readonly unit: string;
  readonly size: number;
  /** Does the work once. Returns for how many units. */
  readonly step: () => Promise<number>;
}
