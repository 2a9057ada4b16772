import { cybersecurity, device, general, type LoginLevel } from '@azimuth/model';
import { type Check, problem, type Verdict, verdictFrom, warning } from '../check.js';
import { totalOf } from '../metrics-page.js';
import type { Observation } from '../observation.js';

const { httpsStatus } = cybersecurity.members;
const { changePassword, EnableUserLevel } = general.members;
const { DeviceIdent } = device.members;

export const accessChecks: readonly Check[] = [
  { name: 'lock', about: 'whether logins are locked', reads: [], judge: lock },
  {
    name: 'login',
    about: 'whether the user level is enabled, and its password right',
    reads: [DeviceIdent],
    judge: login,
  },
  {
    name: 'factory-passwords',
    about: 'whether factory passwords still work',
    reads: [DeviceIdent],
    judge: factory,
  },
  { name: 'https', about: 'whether HTTPS works, if it was set up', reads: [httpsStatus], judge: https },
];

const lockAdvice = 'wait 30 s, and find the program that logs in with a wrong password';

function lock({ facts: { metrics, logins } }: Observation): Verdict {
  const results = [
    ...(logins?.factory.values() ?? []),
    ...(logins?.given === undefined ? [] : [logins.given.result]),
  ];
  if (results.includes('locked')) return problem('logins are locked', lockAdvice);
  if (metrics === undefined) {
    return results.length === 0
      ? { unseen: 'this scanner tells it only to those who log in: --login' }
      : { fine: 'not locked' };
  }
  const locked = totalOf(metrics[1], 'login_locked') > 0;
  return locked
    ? problem('logins are locked, because five in a row have failed', lockAdvice)
    : { fine: 'not locked' };
}

function login(observation: Observation): Verdict {
  const { logins } = observation.facts;
  const given = logins?.given;
  if (given === undefined) return { unseen: 'no password was tried: --login tries yours once' };
  const { level, result } = given;
  if (result === 'in') return { fine: `${level} can log in` };
  if (result === 'locked') return { unseen: 'logins are locked' };
  const off =
    level === 'Service' || !observation.offers(EnableUserLevel)
      ? ''
      : `, or the level is off: azimuth users enable ${level}${observation.facts.behind} (as Service)`;
  return problem(
    `${level} cannot log in`,
    `the password is wrong${off}; five wrong ones in a row lock logins for 30 s`,
  );
}

function factory(observation: Observation): Verdict {
  const { logins } = observation.facts;
  const known: LoginLevel[] = [...(logins?.factory ?? [])].flatMap(([level, result]) =>
    result === 'in' ? [level] : [],
  );
  const { given } = logins ?? {};
  if (given?.result === 'in' && given.isFactory && !known.includes(given.level)) known.unshift(given.level);
  if (known.length > 0) {
    return verdictFrom(
      known.map((level) =>
        warning(
          `${level} has the password of the factory, which everybody can know`,
          observation.offers(changePassword)
            ? observation.command(`password ${level}`)
            : 'this release cannot change it: keep the scanner in a network of its own, or update its firmware',
        ),
      ),
      '',
    );
  }
  if (logins?.stopped !== undefined) return { unseen: logins.stopped };
  if ((logins?.factory.size ?? 0) > 0) return { fine: 'none of them works' };
  return { unseen: 'none was tried: --try-factory-passwords does, with at most one failed login in a row' };
}

function https(observation: Observation): Verdict {
  const state = observation.value(httpsStatus);
  if (state === undefined) {
    return observation.lacks(httpsStatus)
      ? { absent: 'this release has no HTTPS' }
      : { unseen: observation.unknownReason(httpsStatus) };
  }
  if (state.enabled) return { fine: 'open, as the scanner tells' };
  const { error } = state.errorCode;
  return error === 'None'
    ? { fine: 'not set up' }
    : warning(`HTTPS is closed: ${error}`, observation.command('certificate show'));
}
