import { certificateValidity, counted, cybersecurity } from '@azimuth/model';
import { type Check, problem, type Verdict, warning } from '../check.js';
import type { Observation } from '../observation.js';

const { certificateBundleInfo, httpsStatus, setCertificateBundle } = cybersecurity.members;

export const certificateChecks: readonly Check[] = [
  {
    name: 'certificate',
    about: 'whether the certificates of HTTPS are valid today, and for how long',
    reads: [certificateBundleInfo, httpsStatus],
    look: certificate,
  },
];

/** The certificate of the scanner and those of its issuers: whichever ends first ends HTTPS. */
function certificate(seen: Observation): Verdict {
  const bundle = seen.value(certificateBundleInfo);
  if (bundle === undefined) {
    return seen.lacks(certificateBundleInfo)
      ? { absent: 'this release has no HTTPS' }
      : { unseen: seen.whyUnknown(certificateBundleInfo) };
  }
  if (bundle.certificates.length === 0) return { absent: 'none was set' };
  const now = seen.facts.now.getTime();
  const judged = bundle.certificates.map((one, index) => ({
    ...one,
    whose: index === 0 ? 'the certificate of HTTPS' : `the certificate of an issuer (${one.subject})`,
    validity: certificateValidity(one, now),
  }));
  const inState = (state: (typeof judged)[number]['validity']['state']) =>
    judged.find(({ validity }) => validity.state === state);
  const advice = `set a new one: ${seen.command('certificate set CERTIFICATES KEY')}`;
  const expired = inState('expired');
  if (expired !== undefined) {
    const text = `${expired.whose} has expired on ${dayOf(expired.validNotAfter)}: browsers and programs refuse it`;
    return seen.offers(setCertificateBundle) ? problem(text, advice) : problem(text, '');
  }
  const early = inState('not yet');
  if (early !== undefined) {
    return problem(
      `${early.whose} is not valid before ${dayOf(early.validNotBefore)}`,
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
      `${ending.whose} ends on ${dayOf(ending.validNotAfter)}, in ${counted(ending.days, 'day')}`,
      advice,
    );
  }
  return { fine: `until ${dayOf(ending.validNotAfter)}` };
}

/** `2027-01-31`, in UTC as certificates count. */
function dayOf(date: string): string {
  return new Date(date).toISOString().slice(0, 10);
}
