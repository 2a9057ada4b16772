import { group, variable } from '../declaration.js';
import { enumeration } from '../types/enumeration.js';

export const filter = group('Filter', {
  FREchoFilter: variable(enumeration({ FIRST_ECHO: 0, ALL_ECHOS: 1, LAST_ECHO: 2 }, 1), {
    write: 'AuthorizedClient',
    text: 'Which echoes of a beam are put out.',
  }),
});
