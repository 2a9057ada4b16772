import { isObject } from '@azimuth/model';
import type { Change } from './change.js';

/** A read has a value of another JSON type. */
export const answersOtherType: Change = ({ name }) => ({
  answers: (data) => (isObject(data) ? { ...data, [name]: ofOtherType(data[name]) } : data),
});

function ofOtherType(value: unknown): unknown {
  switch (typeof value) {
    case 'string':
      return 5;
    case 'number':
      return String(value);
    case 'boolean':
      return value ? 1 : 0;
    default:
      return Array.isArray(value) ? {} : [];
  }
}

/** A read has its value under another name: in lower case, or in upper case if it is in lower case already. */
export const answersOtherKey: Change = ({ name }) => ({
  answers: (data) => {
    if (!isObject(data)) return data;
    const { [name]: value, ...rest } = data;
    const lower = name.toLowerCase();
    return { [lower === name ? name.toUpperCase() : lower]: value, ...rest };
  },
});

/** A read or a response has one more member. */
export const answersMore: Change = () => ({
  answers: (data) => ({ ...(isObject(data) ? data : {}), Surplus: 1 }),
});

/** A response lacks its last member; a struct that is read, too, beside its name. */
export const answersLess: Change = () => ({
  answers: (data) => (isObject(data) ? Object.fromEntries(Object.entries(data).slice(0, -1)) : data),
});
