/**
 * What is wrong with certificates or their key, as `errorCode.error` tells it: at most 100 characters, and nothing of
 * what was sent but dates.
 */
export class BundleFault extends Error {
  override readonly name = 'BundleFault';
}
