import { group, integer, ipv4, Refusal, struct, variable } from '@azimuth/model';

const text = 'An invented variable.';

/** Invented variables, for rules that hold for any variable. */
export const invented = group('Invented', {
  Gain: variable(integer('uint8', { maximum: 100, initial: 5 }), { write: 'AuthorizedClient', text }),
  Window: variable(
    struct({ From: integer('int16', { initial: -10 }), To: integer('int16', { initial: 10 }) }),
    {
      write: 'AuthorizedClient',
      text,
    },
  ),
  Target: variable(ipv4([10, 0, 0, 1]), { write: 'Service', text }),
  Threshold: variable(integer('uint16', { initial: 200 }), {
    write: 'AuthorizedClient',
    section: 'application',
    text,
  }),
  /** Belongs to no parameter set here. */
  Absent: variable(integer('uint8'), { write: 'Service', text }),
});

export const { Gain, Window, Target, Threshold, Absent } = invented.members;

export const parameterSet = [Gain, Window, Target, Threshold];

export function refusal(): Refusal {
  return new Refusal('outOfRange', 'Gain', 'not with this target');
}
