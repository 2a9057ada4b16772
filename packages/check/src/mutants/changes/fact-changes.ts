import { type CallLevel, levelNames } from '@azimuth/model';
import type { Change } from './change.js';
import { otherValue } from './parts-of-json.js';

/** Levels from the lowest to the highest, as those of writes and calls. */
const callLevels: readonly CallLevel[] = ['open', ...levelNames];

/** So many levels above the right one may write or call. */
function levelAway(steps: 1 | -1): Change {
  return ({ kind, name, facts }) => {
    const fact = kind === 'variable' ? 'write' : 'level';
    const level: unknown = Reflect.get(facts, fact);
    const known = callLevels.find((one) => one === (level === 'login' ? 'Maintenance' : level));
    const other = known === undefined ? undefined : callLevels[callLevels.indexOf(known) + steps];
    if (other === undefined) throw new TypeError(`${name} has no other level`);
    return { facts: { [fact]: other } };
  };
}

export const needsHigherLevel: Change = levelAway(1);
export const needsLowerLevel: Change = levelAway(-1);

/** A method can be called without a login. */
export const needsNoLogin: Change = () => ({ facts: { level: 'open' } });

/** A variable can be written without a login. */
export const needsNoHeader: Change = () => ({ admitsWithoutHeader: true });

/** A method can be read, too. */
export const isReadable: Change = () => ({
  declares: { kind: 'variable', factoryValue: () => ({}), valueIfAbsent: {} },
});

/** A read-only variable can be written. */
export const isWritable: Change = () => ({ facts: { write: 'Maintenance', stored: false } });

/** A variable that can be written is read-only. */
export const isReadOnly: Change = () => ({ facts: { write: undefined, stored: true } });

/** Application defaults reset what they have to leave, or leave what they have to reset. */
export const hasOtherSection: Change = (declared) => {
  if (declared.kind === 'method') throw new TypeError(`${declared.name} is a method`);
  return { facts: { section: declared.section === 'device' ? 'application' : 'device' } };
};

/** Factory defaults are another valid value. */
export const hasOtherDefault: Change = (declared) => {
  if (declared.kind === 'method') throw new TypeError(`${declared.name} is a method`);
  const { type, facts } = declared;
  const right = facts.factory ?? (() => type.initial);
  const factory: typeof right = (scanner) => otherValue(type.shape, right(scanner));
  return { facts: { factory } };
};

/** The scanner does not have it, under none of its names. */
export const isMissing: Change = ({ name }) => ({
  serves(endpoints) {
    for (const [each, endpoint] of endpoints) if (endpoint.name === name) endpoints.delete(each);
  },
});

/** The scanner does not have its other names. */
export const hasNoAlias: Change = ({ name }) => ({
  serves(endpoints) {
    for (const [each, endpoint] of endpoints)
      if (endpoint.name === name && each !== name) endpoints.delete(each);
  },
});

/** The scanner has it, whatever its release and variant. */
export const isInAllEditions: Change = (declared) => ({
  serves: (endpoints) => endpoints.set(declared.name, declared),
});
