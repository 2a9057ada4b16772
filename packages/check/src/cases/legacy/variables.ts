import { type ListedVariable, listedVariables } from '../../scanner/legacy-listing.js';
import type { LegacyExpectation, Step } from '../../steps/index.js';
import { LegacyValues } from '../../wire/legacy-layout.js';
import type { ConformanceCase } from '../case.js';
import { ask, type Form, inBothForms, login, namesOf } from './telegrams.js';

const place = 'guide: All telegrams';

/** Every variable of the listing: read and written in both forms, and compared with REST. */
export const variableCases: readonly ConformanceCase[] = listedVariables.flatMap((listed) => [
  ...inBothForms((form) => readCase(listed, form)),
  ...(listed.written === undefined ? [] : inBothForms((form) => writeCase(listed, form))),
  ...(listed.event === undefined ? [] : inBothForms((form) => eventCase(listed, form))),
]);

function readCase({ name, rest, ...listed }: ListedVariable, form: Form) {
  const { layout, pattern } = listed;
  const asRest =
    rest === undefined ? 'Its values have the layout of the listing.' : `REST has it as ${rest}.`;
  return {
    id: `read.${name}`,
    clause: `sRN ${name} answers with the value of the variable, of the layout ${layout}. ${asRest}`,
    place,
    level: 'must' as const,
    stage: 'read' as const,
    ...namesOf(rest),
    steps: [
      ask(form, `sRN ${name}`, {
        ...readOf({ name, rest, ...listed }),
        ...(pattern === undefined ? {} : { values: { pattern } }),
      }),
    ],
  };
}

function readOf({ name, rest, layout, varying, unsent }: OfName): LegacyExpectation {
  return {
    answer: `sRA ${name}`,
    gives: layout,
    ...(rest === undefined ? {} : { sameAs: rest }),
    ...(varying === undefined ? {} : { varying }),
    ...(unsent === undefined ? {} : { unsent }),
  };
}

type OfName = Pick<ListedVariable, 'name' | 'layout' | 'varying' | 'unsent'> & {
  readonly rest: string | undefined;
};

function writeCase({ name, rest, layout, written = ['', ''] }: ListedVariable, form: Form) {
  const writes = written.flatMap((values): Step[] => [
    ask(form, `sWN ${name} ${values}`, { answer: `sWA ${name}` }, layout),
    ask(form, `sRN ${name}`, {
      ...readOf({ name, rest, layout }),
      values: { is: LegacyValues.ofText(layout, values).text },
    }),
  ]);
  return {
    id: `write.${name}`,
    clause: `sWN ${name} writes the variable, and is acknowledged by sWA ${name}. sRN ${name} and REST read what was written.`,
    place,
    level: 'must' as const,
    stage: 'write' as const,
    ...namesOf(rest),
    ...(rest === undefined ? {} : { changes: [rest] }),
    steps: [login(form), ...writes],
  };
}

function eventCase({ name, rest, event }: ListedVariable, form: Form) {
  const on = event === 'bare' ? ask(form, `sEN ${name}`, subscribed(name)) : switched(form, name, '1');
  return {
    id: `subscribe.${name}`,
    clause: `${event === 'bare' ? `sEN ${name} without a value` : `sEN ${name} 1`} subscribes, and sEN ${name} 0 ends it. Each is acknowledged by sEA with the value.`,
    place: 'family: acknowledgements of subscriptions',
    level: 'should' as const,
    stage: 'read' as const,
    ...namesOf(rest),
    steps: [on, switched(form, name, '0')],
  };
}

function switched(form: Form, name: string, value: '0' | '1'): Step {
  return ask(form, `sEN ${name} ${value}`, subscribed(name, value), 'enum8');
}

export function subscribed(name: string, value: '0' | '1' = '1'): LegacyExpectation {
  return { answer: `sEA ${name}`, gives: 'enum8', values: { is: value } };
}
