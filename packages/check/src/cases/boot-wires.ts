import { call, down, pause, post, type Step, up } from '../steps/index.js';
import type { ConformanceCase } from './case.js';
import { ask, binaryForm, forms, login, over } from './legacy/telegrams.js';
import { softReset } from './saving-steps.js';

const legacyClosed = forms.map(
  (form): ConformanceCase => ({
    id: `boot.legacy-closed.${form.form}`,
    clause: `A reboot closes the connections of the legacy protocol. (In ${form.form}.)`,
    place: 'Azimuth: reboots',
    level: 'should',
    stage: 'reboot',
    needs: ['legacy'],
    steps: [
      ask(form, 'sRN SCdevicestate', { answer: 'sRA SCdevicestate', gives: 'enum8' }),
      softReset,
      down(),
      over(form, undefined, { closed: true }),
      up(),
      ask(form, 'sRN SCdevicestate', { answer: 'sRA SCdevicestate', gives: 'enum8' }, undefined, {
        connection: 'after the boot',
      }),
    ],
  }),
);

/** Switches the web server on again, over the legacy protocol. */
function switchedOn(connection: string): readonly Step[] {
  return [
    login(binaryForm, 'Service', { connection }),
    ask(binaryForm, 'sMN SetWebserverEnabled 1', { answer: 'sAN SetWebserverEnabled' }, 'bool', {
      connection,
    }),
    ask(binaryForm, 'sMN mSCreboot', { answer: 'sAN mSCreboot' }, undefined, { connection }),
    down(),
    up(),
  ];
}

const webServer: readonly ConformanceCase[] = [
  {
    id: 'boot.web-server-off',
    clause:
      'After SetWebserverEnabled with Enable false and a reboot, REST does not answer. The legacy protocol goes on, and can switch it on again.',
    place: 'specification: States and transitions; guide: All telegrams',
    level: 'must',
    stage: 'reboot',
    needs: ['legacy'],
    names: ['SetWebserverEnabled', 'GetWebserverEnabled'],
    steps: [
      // Without this login, nothing could switch it on again.
      login(binaryForm),
      call('SetWebserverEnabled', { Enable: false }, { status: 0 }),
      softReset,
      down(),
      pause(25),
      down(0),
      ...switchedOn('after the boot'),
      post('GetWebserverEnabled', { status: 0, data: { has: { IsEnabled: { is: true } } } }),
    ],
    cleanup: [...switchedOn('cleanup'), call('SetWebserverEnabled', { Enable: true })],
  },
];

/** What a reboot does to connections and ports. */
export const wiresOfBoots: readonly ConformanceCase[] = [...legacyClosed, ...webServer];
