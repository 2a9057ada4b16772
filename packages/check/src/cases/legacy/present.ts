import { type Step, write } from '../../steps/index.js';
import { ask, type Form, inBothForms } from './telegrams.js';

const name = 'TSCTCupdatetime';

/** What is read is in force. These come first: with old values, most others fail, too. */
export const presentCases = inBothForms((form) => ({
  id: 'present-value',
  clause:
    'A read answers with the present value. What was written over REST is read at once, also if the value before it was read.',
  place: 'guide: Legacy protocol, rules',
  level: 'must',
  stage: 'write',
  names: [name],
  steps: [write(name, 600), reads(form, '258'), write(name, 700), reads(form, '2BC')],
}));

function reads(form: Form, value: string): Step {
  return ask(form, `sRN ${name}`, { answer: `sRA ${name}`, gives: 'u32', values: { is: value } });
}
