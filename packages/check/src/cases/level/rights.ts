import type { Json } from '../../match/matcher.js';
import type { CheckSubject } from '../../scanner/checked-scanner.js';
import { get, post, type Step } from '../../steps/index.js';
import type { ConformanceCase } from '../case.js';
import { caseList } from '../case-list.js';
import { whileLevelIs } from '../levels.js';

/** A call by AuthorizedClient that is refused, whatever its data: the level is checked first. */
function refusedTo(level: 'AuthorizedClient' | 'Maintenance', name: string, data?: Json): Step {
  return post(name, { status: 4 }, { login: { level }, ...(data === undefined ? {} : { data }) });
}

/** Who may do what. The levels of each variable and each method are cases of their own. */
export function rightsCases(subject: CheckSubject): readonly ConformanceCase[] {
  return caseList(
    'level',
    { place: 'specification: Writable variables', level: 'must', stage: 'write', changes: ['LocationName'] },
    {
      id: 'write-at-level',
      clause: 'AuthorizedClient may write a variable of its level.',
      ...whileLevelIs(subject, 'AuthorizedClient', true, [
        get('LocationName', { status: 0 }, { save: { before: 'data.LocationName' } }),
        post(
          'LocationName',
          { status: 0 },
          { login: { level: 'AuthorizedClient' }, data: { LocationName: { saved: 'before' } } },
        ),
      ]),
    },
    {
      id: 'write-below-level',
      clause: 'Maintenance may not write a variable of AuthorizedClient: status 4, and the value stays.',
      ...whileLevelIs(subject, 'Maintenance', true, [
        get('LocationName', { status: 0 }, { save: { before: 'data.LocationName' } }),
        refusedTo('Maintenance', 'LocationName', { LocationName: 'By Maintenance' }),
        get('LocationName', { status: 0, data: { has: { LocationName: { isSaved: 'before' } } } }),
      ]),
    },
    {
      id: 'save-below-level',
      clause: 'Maintenance may not save: WriteEeprom answers status 4.',
      place: 'specification: WriteEeprom',
      ...whileLevelIs(subject, 'Maintenance', true, [refusedTo('Maintenance', 'WriteEeprom')]),
    },
    {
      id: 'level-before-data',
      clause: 'If the level is too low, the answer is status 4, whatever the data is.',
      level: 'should',
      place: 'Azimuth: rest.md, Responses and statuses',
      ...whileLevelIs(subject, 'Maintenance', true, [
        refusedTo('Maintenance', 'LocationName', { LocationName: 1 }),
        refusedTo('Maintenance', 'LocationName'),
      ]),
    },
    {
      id: 'level-before-data-of-method',
      clause: 'If the level is too low for a method, the answer is status 4, whatever the data is.',
      level: 'should',
      place: 'Azimuth: rest.md, Responses and statuses',
      names: ['EnableUserLevel'],
      ...whileLevelIs(subject, 'AuthorizedClient', true, [
        refusedTo('AuthorizedClient', 'EnableUserLevel', { userLevel: 2, isEnabled: 'yes' }),
        refusedTo('AuthorizedClient', 'EnableUserLevel', { userLevel: 2 }),
        refusedTo('AuthorizedClient', 'EnableUserLevel'),
      ]),
    },
    {
      id: 'session-token-needs-service',
      clause: 'CreateSessionToken needs Service: AuthorizedClient gets status 4.',
      place: 'specification: Session token for binary transfers',
      names: ['CreateSessionToken'],
      ...whileLevelIs(subject, 'AuthorizedClient', true, [
        refusedTo('AuthorizedClient', 'CreateSessionToken'),
      ]),
    },
    {
      id: 'certificates-need-service',
      clause: 'setCertificateBundle needs Service: AuthorizedClient gets status 4.',
      place: 'specification: Cybersecurity',
      names: ['setCertificateBundle'],
      ...whileLevelIs(subject, 'AuthorizedClient', true, [
        refusedTo('AuthorizedClient', 'setCertificateBundle', {
          contentCertificateBundle: '',
          contentPrivateKey: '',
        }),
      ]),
    },
    {
      id: 'dump-needs-service',
      clause: 'DoDiagnosisDump needs Service: AuthorizedClient gets status 4.',
      place: 'specification: Diagnostic file',
      names: ['DoDiagnosisDump'],
      ...whileLevelIs(subject, 'AuthorizedClient', true, [
        refusedTo('AuthorizedClient', 'DoDiagnosisDump', { DoRunlevelLoop: 1 }),
      ]),
    },
    {
      id: 'certificates-are-kept',
      clause: 'removeCertificateBundle needs Service: AuthorizedClient gets status 4.',
      place: 'specification: Cybersecurity',
      stage: 'destructive',
      names: ['removeCertificateBundle'],
      ...whileLevelIs(subject, 'AuthorizedClient', true, [
        refusedTo('AuthorizedClient', 'removeCertificateBundle'),
      ]),
    },
    {
      id: 'factory-defaults-need-service',
      clause: 'LoadFactoryDefaults needs Service: AuthorizedClient gets status 4.',
      place: 'specification: LoadFactoryDefaults',
      stage: 'destructive',
      ...whileLevelIs(subject, 'AuthorizedClient', true, [
        refusedTo('AuthorizedClient', 'LoadFactoryDefaults'),
      ]),
    },
  );
}
