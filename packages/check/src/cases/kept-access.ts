import type { LoginLevel } from '@azimuth/model';
import type { CheckSubject } from '../scanner/checked-scanner.js';
import { call, passwordMessage, type RequestStep, type Step, up } from '../steps/index.js';
import type { ConformanceCase } from './case.js';
import { changePassword, passwordResult } from './level/passwords.js';
import { loginAt, noLoginAt, whileLevelIs } from './levels.js';
import { afterSoftReset, save } from './saving-steps.js';

/** Level whose switch is changed. */
const level: LoginLevel = 'Maintenance';
const enabled = { names: ['EnableUserLevel'], stage: 'reboot', level: 'must' } as const;

const newPassword = 'only for this check';
const factoryPassword = 'servicelevel';

const passwordChanged: readonly Step[] = [
  passwordMessage('Service', 'message', { to: newPassword }),
  changePassword('Service', passwordResult(0)),
];
/** Whatever came of the case: the message is refused if the password is the old one. */
const passwordPutBack: readonly Step[] = [
  passwordMessage('Service', 'message', { from: newPassword }),
  changePassword('Service', {}),
];

function login(password: string): RequestStep {
  return call('checkCredentials', undefined, { status: 0 }, { login: { level: 'Service', password } });
}

/** Levels and passwords over boots. */
export function savedAccess(subject: CheckSubject): readonly ConformanceCase[] {
  return [
    {
      ...enabled,
      id: 'save.level',
      clause: 'A level that is enabled stays enabled over a reboot, once WriteEeprom was called.',
      place: 'guide: Users, lock, factory reset',
      ...whileLevelIs(subject, level, true, [save, ...afterSoftReset, loginAt(level)]),
    },
    {
      ...enabled,
      id: 'save.disabled-level',
      clause: 'A level that is disabled stays disabled over a reboot, once WriteEeprom was called.',
      place: 'guide: Users, lock, factory reset',
      ...whileLevelIs(subject, level, false, [save, ...afterSoftReset, noLoginAt(level)]),
    },
    {
      ...enabled,
      id: 'save.level-at-once',
      clause: 'A level that is enabled is stored at once, without WriteEeprom.',
      place: 'Azimuth: saving',
      level: 'informational',
      ...whileLevelIs(subject, level, true, [...afterSoftReset, loginAt(level)]),
    },
    {
      id: 'save.password',
      clause:
        'A password that changePassword has set is stored at once: it is the right one after a SoftReset.',
      place: 'Azimuth: saving',
      level: 'should',
      stage: 'reboot',
      names: ['changePassword'],
      steps: [
        ...passwordChanged,
        call(
          'SoftReset',
          { ProcessorNbr: 0 },
          { status: 0 },
          { login: { level: 'Service', password: newPassword } },
        ),
        { kind: 'down', withinSeconds: 10 },
        up(),
        login(newPassword),
      ],
      cleanup: passwordPutBack,
    },
  ];
}

/** The password of Service after LoadFactoryDefaults. */
export const factoryPasswordCase: ConformanceCase = {
  id: 'default.factory-password',
  clause: 'LoadFactoryDefaults sets the password of Service to that of the factory.',
  place: 'guide: Users, lock, factory reset',
  level: 'must',
  stage: 'destructive',
  needs: ['factory-access'],
  names: ['changePassword'],
  steps: [
    ...passwordChanged,
    call(
      'LoadFactoryDefaults',
      undefined,
      { status: 0 },
      { login: { level: 'Service', password: newPassword } },
    ),
    up(),
    login(factoryPassword),
  ],
  cleanup: passwordPutBack,
};
