import { createHmac } from 'node:crypto';

/**
 * Returns the headers of a message as Standard Webhooks defines them: the receiver computes the HMAC-SHA256 of
 * `ID.TIMESTAMP.BODY` with the shared secret, and refuses old timestamps.
 * @param at of the attempt: ms since 1970-01-01 UTC
 * @param secret undefined for a message without a signature
 */
export function webhookHeaders(
  id: string,
  at: number,
  body: string,
  secret: Buffer | undefined,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(at / 1000));
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp };
  if (secret === undefined) return headers;
  const digest = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { ...headers, 'webhook-signature': `v1,${digest}` };
}

/** Least bytes of a secret: shorter ones can be guessed. */
export const shortestSecret = 24;

/**
 * Returns the bytes of a secret: after `whsec_`, they are written in Base64. Any other text is the secret itself.
 * @returns undefined if it is too short
 */
export function webhookSecret(text: string): Buffer | undefined {
  const [, encoded] = /^whsec_(.*)$/s.exec(text) ?? [];
  const secret = encoded === undefined ? Buffer.from(text) : Buffer.from(encoded, 'base64');
  return secret.length < shortestSecret ? undefined : secret;
}
