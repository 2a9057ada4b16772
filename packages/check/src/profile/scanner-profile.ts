import type { ProductDefinition, Release, Variant } from '@azimuth/model';

/** A declared deviation: a case that is expected to fail. */
export interface DeclaredDeviation {
  /** Id of the case. */
  readonly case: string;
  /** Why, for the reader of a report. */
  readonly reason: string;
}

/** What a scanner is, written down: a check reads it in place of finding it out. It is a file for people, in JSON. */
export interface ScannerProfile {
  /** Version of this form: 1. */
  readonly azimuthProfile: 1;
  /** What wrote it: `azimuth 0.1.0`. */
  readonly tool?: string | undefined;
  readonly name?: string | undefined;
  readonly version?: string | undefined;
  readonly release: Release;
  readonly variant: Variant;
  /** Groups of which it has something, for the reader. */
  readonly groups?: readonly string[] | undefined;
  /** Names that its release and variant have, and it does not. */
  readonly absent: readonly string[];
  /** Own groups, variables and methods, narrower ranges and other factory values, as in the definition of a product. */
  readonly own: Pick<ProductDefinition, 'groups' | 'variables' | 'methods' | 'ranges' | 'defaults'>;
  /** What was measured, for the reader. */
  readonly measured?: MeasuredLimits | undefined;
  readonly deviations: readonly DeclaredDeviation[];
}

/** Times of answers in ms. */
export interface MeasuredLimits {
  readonly medianAnswerMs: number;
  readonly longestAnswerMs: number;
}
