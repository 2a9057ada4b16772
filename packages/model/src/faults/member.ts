/** Number with a range, bounds included. */
export interface NumberMember {
  readonly type: 'number';
  /** Unit: `ms`, `°C`, …; undefined for a plain number. */
  readonly unit?: string;
  readonly least: number;
  readonly most: number;
  readonly integer?: true;
  /** Default. Without it, the member is required or has no value. */
  readonly default?: number;
  readonly needed?: true;
  readonly text: string;
}

/** One of several words or numbers. */
export interface ChoiceMember {
  readonly type: 'choice';
  readonly choices: readonly (string | number)[];
  /** Meanings of the choices, for documentation. */
  readonly meanings?: Readonly<Record<string, string>>;
  readonly default?: string | number;
  readonly needed?: true;
  readonly text: string;
}

export interface TextMember {
  readonly type: 'text';
  /** Largest number of characters. */
  readonly longest: number;
  readonly default?: string;
  readonly needed?: true;
  readonly text: string;
}

export interface SwitchMember {
  readonly type: 'switch';
  readonly default: boolean;
  readonly needed?: never;
  readonly text: string;
}

/** A member of a fault: its type, its range, its default and its meaning. */
export type Member = NumberMember | ChoiceMember | TextMember | SwitchMember;
export type Members = Readonly<Record<string, Member>>;

/** Type of the value of a member. */
type MemberValue<M extends Member> = M extends { type: 'number' }
  ? number
  : M extends { type: 'choice'; choices: readonly (infer Choice)[] }
    ? Choice
    : M extends { type: 'text' }
      ? string
      : boolean;

type Certain = { readonly default: unknown } | { readonly needed: true };
type CertainNames<All extends Members> = { [N in keyof All]: All[N] extends Certain ? N : never }[keyof All];
type NeededNames<All extends Members> = {
  [N in keyof All]: All[N] extends { readonly needed: true } ? N : never;
}[keyof All];

/** Type of the values of these members after the check: with their defaults. */
export type CheckedMembers<All extends Members> = {
  readonly [N in CertainNames<All>]: MemberValue<All[N]>;
} & { readonly [N in Exclude<keyof All, CertainNames<All>>]?: MemberValue<All[N]> };

/** Type of the values of these members as somebody writes them. */
export type Written<All extends Members> = {
  readonly [N in NeededNames<All>]: MemberValue<All[N]>;
} & { readonly [N in Exclude<keyof All, NeededNames<All>>]?: MemberValue<All[N]> };

/** Describes the expected value: `a number of ms 0 to 60000`. */
export function expectationOf(member: Member): string {
  switch (member.type) {
    case 'number': {
      const of = member.unit === undefined ? '' : ` of ${member.unit}`;
      return `a ${member.integer === true ? 'whole ' : ''}number${of} ${member.least} to ${member.most}`;
    }
    case 'choice':
      return member.choices.join(' or ');
    case 'text':
      return `a text of at most ${member.longest} characters`;
    case 'switch':
      return 'true or false';
  }
}

/** Returns true if this is a valid value of the member. */
export function isOf(member: Member, value: unknown): value is string | number | boolean {
  switch (member.type) {
    case 'number':
      if (typeof value !== 'number' || !(value >= member.least && value <= member.most)) return false;
      return member.integer !== true || Number.isInteger(value);
    case 'choice':
      return member.choices.some((choice) => choice === value);
    case 'text':
      return typeof value === 'string' && value !== '' && value.length <= member.longest;
    case 'switch':
      return typeof value === 'boolean';
  }
}
