export { builtInProduct, productOf } from './built-in-product.js';
export { defineProduct, productFrom } from './define-product.js';
export type {
  LabelPassword,
  OwnGroup,
  OwnMethod,
  OwnVariable,
  ProductDefinition,
  ProfileDefinition,
  RangeDefinition,
  TypeDefinition,
} from './definition.js';
export { labelPasswords } from './label-passwords.js';
export { assertWithin } from './narrowing.js';
export { ProductMistakes } from './part.js';
