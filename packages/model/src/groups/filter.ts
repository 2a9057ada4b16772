import { group, variable } from '../declaration.js';
import { boolean, enumeration } from '../types/enumeration.js';
import { integer } from '../types/integer.js';
import { struct } from '../types/struct.js';

export const EchoFilter = { FIRST_ECHO: 0, ALL_ECHOS: 1, LAST_ECHO: 2 } as const;

export const filter = group('Filter', {
  MCSenseLevel: variable(integer('uint8', { maximum: 1 }), {
    write: 'AuthorizedClient',
    variant: 'basic',
    text: 'Fog filter. 1: removes weak echoes at close range, up to 3 m, such as those of fog. 0: off.',
  }),
  LFPparticle: variable(
    struct({
      bEnable: boolean(),
      uiThreshold: integer('uint16', { minimum: 20, maximum: 5000, initial: 500 }),
    }),
    {
      write: 'AuthorizedClient',
      unit: 'mm',
      text: 'Particle filter: replaces what only one beam sees in only one scan, such as dust, snow and insects.',
    },
  ),
  LFPmovingAveragingFilter: variable(
    struct({
      bEnable: boolean(),
      uiAveragingDepth: integer('uint16', { minimum: 2, maximum: 4, initial: 3 }),
    }),
    {
      write: 'AuthorizedClient',
      variant: 'basic',
      unit: 'scans',
      text: 'Averages the distance of each beam over the last scans.',
    },
  ),
  FREchoFilter: variable(enumeration(EchoFilter, EchoFilter.ALL_ECHOS), {
    write: 'AuthorizedClient',
    variant: 'basic',
    valueIfAbsent: EchoFilter.FIRST_ECHO,
    text: 'Which echoes of a beam are kept.',
  }),
});
