import { event, group, variable } from '../declaration.js';
import { float } from '../types/float.js';
import { integer } from '../types/integer.js';
import { string } from '../types/string.js';

export const operatingData = group('Operating data', {
  CurrentTempDev: event(float({ initial: 20 }), {
    unit: '°C',
    text: 'Temperature inside the scanner.',
  }),
  DailyOpHours: variable(float(), { unit: 'h', text: 'Time since power was last switched on.' }),
  OpHours: variable(integer('uint32'), {
    unit: '1/10 h',
    text: 'Time in operation over the life of the scanner.',
  }),
  PowerOnCnt: variable(integer('uint32'), { text: 'How often power was switched on.' }),
  LastParaDate: variable(string({ maxLength: 10, initial: 'DD.MM.YYYY' }), {
    text: 'Date on which parameters were last stored.',
  }),
  LastParaTime: variable(string({ maxLength: 5, initial: 'HH:MM' }), {
    text: 'Time of day at which parameters were last stored.',
  }),
});
