import { answersLess, answersMore, answersOtherKey, answersOtherType } from './answer-changes.js';
import type { Change } from './change.js';
import {
  hasNoAlias,
  hasOtherDefault,
  hasOtherSection,
  isInAllEditions,
  isMissing,
  isReadable,
  isReadOnly,
  isWritable,
  needsHigherLevel,
  needsLowerLevel,
  needsNoHeader,
  needsNoLogin,
} from './fact-changes.js';
import {
  refusesLastValue,
  refusesLongest,
  refusesMaximum,
  refusesMinimum,
  refusesShortest,
  takesNumberAboveMaximum,
  takesNumberBelowMinimum,
  takesOneLess,
  takesOneMore,
} from './limit-changes.js';
import { otherValue } from './parts-of-json.js';
import { accepts, forgives, refusesWith, storesInstead } from './request-changes.js';

export type { Change, Declared, Fault, ScannerModel } from './change.js';

/** What can be planted in one declaration of a scanner, by its name. */
export const declarationChanges = {
  'is missing': isMissing,
  'has no alias': hasNoAlias,
  'is in all editions': isInAllEditions,
  'is writable': isWritable,
  'is read-only': isReadOnly,
  'needs a higher level': needsHigherLevel,
  'needs a lower level': needsLowerLevel,
  'needs no login': needsNoLogin,
  'needs no header': needsNoHeader,
  'can be read': isReadable,
  'can be written without data': forgives('parsingFailed'),
  'can be written under another key': forgives('invalidData'),
  'has another section': hasOtherSection,
  'has another default': hasOtherDefault,
  'answers another type': answersOtherType,
  'answers another key': answersOtherKey,
  'answers more': answersMore,
  'answers less': answersLess,
  'takes invalid data': accepts('invalidData'),
  'takes incomplete data': accepts('parsingFailed'),
  'takes numbers out of range': accepts('outOfRange'),
  'takes lengths out of bounds': accepts('outOfBounds'),
  'takes illegal values': accepts('illegalValue'),
  'takes a number above its maximum': takesNumberAboveMaximum,
  'takes a number below its minimum': takesNumberBelowMinimum,
  'takes one item or letter more': takesOneMore,
  'takes one item or letter less': takesOneLess,
  'refuses a maximum': refusesMaximum,
  'refuses a minimum': refusesMinimum,
  'refuses the greatest length': refusesLongest,
  'refuses the least length': refusesShortest,
  'refuses the last value': refusesLastValue,
  'refuses with another status': refusesWith({
    parsingFailed: 'invalidData',
    invalidData: 'parsingFailed',
    outOfRange: 'outOfBounds',
    outOfBounds: 'outOfRange',
    illegalValue: 'outOfRange',
  }),
  'stores its default': storesInstead(({ initial }) => initial),
  'stores another value': storesInstead(({ shape }, value) => otherValue(shape, value)),
} as const satisfies Readonly<Record<string, Change>>;

export type DeclarationChange = keyof typeof declarationChanges;
