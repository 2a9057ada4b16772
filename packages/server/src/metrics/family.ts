/** One value of a family, told from the others by its labels. */
export interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** What is measured under one name: a counter since the process started, or a gauge of what is now. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge';
  readonly labels?: readonly string[];
  readonly samples: () => readonly Sample[];
}
