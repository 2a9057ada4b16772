import { certificateValidity, counted, cybersecurity } from '@azimuth/model';
import { type Check, problem, type Verdict, warning } from '../check.js';
import type { Observation } from '../observation.js';

const { certificateBundleInfo, httpsStatus, setCertificateBundle } = cybersecurity.members;

export const certificateChecks: readonly Check[] = [
  {
    name: 'certificate',
    about: 'whether the certificates of HTTPS are valid today, and for how long',
    reads: [certificateBundleInfo, httpsStatus],
    judge: certificate,
  },
];

/** Checks the certificates of the scanner and of its issuers: HTTPS ends when the first of them expires. */
function certificate(observation: Observation): Verdict {
  const bundle = observation.value(certificateBundleInfo);
  if (bundle === undefined) {
    return observation.lacks(certificateBundleInfo)
      ? { absent: 'this release has no HTTPS' }
      : { unseen: observation.unknownReason(certificateBundleInfo) };
  }
  if (bundle.certificates.length === 0) return { absent: 'none was set' };
  const now = observation.facts.now.getTime();
  const judged = bundle.certificates.map((one, index) => ({
    ...one,
    whose: index === 0 ? 'the certificate of HTTPS' : `the certificate of an issuer (${one.subject})`,
    validity: certificateValidity(one, now),
  }));
  const inState = (state: (typeof judged)[number]['validity']['state']) =>
    judged.find(({ validity }) => validity.state === state);
  const advice = `set a new one: ${observation.command('certificate set CERTIFICATES KEY')}`;
  const expired = inState('expired');
  if (expired !== undefined) {
    const text = `${expired.whose} has expired on ${dayText(expired.validNotAfter)}: browsers and programs refuse it`;
    return observation.offers(setCertificateBundle) ? problem(text, advice) : problem(text, '');
  }
  const notYetValid = inState('not yet');
  if (notYetValid !== undefined) {
    return problem(
      `${notYetValid.whose} is not valid before ${dayText(notYetValid.validNotBefore)}`,
      'check the clock of this computer, or set another certificate',
    );
  }
  const ending = judged
    .flatMap(({ validity, ...one }) => ('days' in validity ? [{ ...one, ...validity }] : []))
    .toSorted((one, other) => one.days - other.days)[0];
  if (ending === undefined || inState('unknown') !== undefined)
    return { unseen: 'the dates of a certificate cannot be read' };
  if (ending.state === 'ends soon') {
    return warning(
      `${ending.whose} ends on ${dayText(ending.validNotAfter)}, in ${counted(ending.days, 'day')}`,
      advice,
    );
  }
  return { fine: `until ${dayText(ending.validNotAfter)}` };
}

/** Returns `2027-01-31`, in UTC as in certificates. */
function dayText(date: string): string {
  return new Date(date).toISOString().slice(0, 10);
}
