/** A type as the published descriptions state it; what they leave open is undefined. */
export interface PublishedType {
  readonly type: string;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
  readonly minItems: number | undefined;
  readonly maxItems: number | undefined;
  /** The names of an enumeration by their numbers. */
  readonly names: Readonly<Record<string, unknown>> | undefined;
  /** Is it the name of a user level? */
  readonly levels: boolean;
  readonly initial: unknown;
  readonly of: PublishedType | undefined;
  readonly members: readonly (readonly [string, PublishedType])[];
}

/** Arguments and results of a verb. */
export interface PublishedOperation {
  readonly levels: readonly string[];
  readonly request: PublishedType | undefined;
  /** The member of the body that contains the result: `data` or `challenge`. */
  readonly place: string | undefined;
  readonly response: PublishedType | undefined;
  readonly bodies: readonly string[];
  readonly query: readonly string[];
}

export interface PublishedEndpoint {
  readonly name: string;
  readonly group: string;
  readonly operations: ReadonlyMap<string, PublishedOperation>;
}
