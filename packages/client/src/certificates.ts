import { cybersecurity, isObject, type ValueOf } from '@azimuth/model';
import type { Calls } from './calls.js';
import { NotDoneError } from './errors.js';

/** What HTTPS uses, and whether it is up. */
export interface Certificates {
  readonly https: ValueOf<'httpsStatus'>;
  readonly bundle: ValueOf<'certificateBundleInfo'>;
}

/** PEM texts: certificates, leaf first (up to 10000 characters), and the private key of the leaf (up to 4000). */
export interface CertificateBundle {
  readonly certificates: string;
  readonly privateKey: string;
}

const { setCertificateBundle, removeCertificateBundle } = cybersecurity.members;

export async function certificates(calls: Calls): Promise<Certificates> {
  return { https: await calls.read('httpsStatus'), bundle: await calls.read('certificateBundleInfo') };
}

/** @throws NotDoneError with what the scanner finds wrong. */
export async function setCertificates(calls: Calls, bundle: CertificateBundle): Promise<void> {
  const request = {
    contentCertificateBundle: bundle.certificates,
    contentPrivateKey: bundle.privateKey,
  };
  const { name } = setCertificateBundle;
  refuseFailure(name, await calls.callAny(name, request));
}

/** @throws NotDoneError with what the scanner finds wrong. */
export async function removeCertificates(calls: Calls): Promise<void> {
  const { name } = removeCertificateBundle;
  refuseFailure(name, await calls.callAny(name));
}

function refuseFailure(method: string, response: unknown): void {
  const { success, errorCode } = isObject(response) ? response : {};
  if (success === true) return;
  throw new NotDoneError(method, isObject(errorCode) ? String(errorCode.error) : 'success');
}
