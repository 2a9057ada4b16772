import { createCipheriv, createHmac, randomBytes } from 'node:crypto';
import { type Client, type HttpResponse, hash1, type Login } from './client.js';

export interface PasswordChange {
  realm: string;
  oldLogin: Login;
  oldSalt: Buffer;
  newPassword: string;
  newSalt: Buffer;
  iv: Buffer;
}

/** The 96 bytes `iv ‖ ciphertext ‖ mac` that replace a password without showing it. */
export function encryptedMessage(change: PasswordChange): Buffer {
  const { realm, oldLogin, oldSalt, newPassword, newSalt, iv } = change;
  const oldHash = Buffer.from(hash1(oldLogin, realm, oldSalt), 'hex');
  const newHash = Buffer.from(hash1({ user: oldLogin.user, password: newPassword }, realm, newSalt), 'hex');
  const cipher = createCipheriv('aes-128-cbc', oldHash.subarray(0, 16), iv).setAutoPadding(false);
  const ciphertext = Buffer.concat([cipher.update(Buffer.concat([newHash, newSalt])), cipher.final()]);
  const sealed = Buffer.concat([iv, ciphertext]);
  return Buffer.concat([sealed, createHmac('sha256', oldHash).update(sealed).digest()]);
}

/** The message for a level of this scanner, with a fresh iv and a fresh salt. */
export async function messageFor(client: Client, oldLogin: Login, newPassword: string): Promise<Buffer> {
  const { realm, salt } = await client.challenge(oldLogin.user);
  if (salt === undefined) throw new Error('the challenge has no salt');
  const newSalt = randomBytes(16);
  return encryptedMessage({ realm, oldLogin, oldSalt: salt, newPassword, newSalt, iv: randomBytes(16) });
}

export function sendMessage(client: Client, userLevel: string, message: Buffer): Promise<HttpResponse> {
  return client.post('changePassword', { data: { encryptedMessage: [...message], userLevel } });
}

export async function changePassword(
  client: Client,
  oldLogin: Login,
  newPassword: string,
): Promise<HttpResponse> {
  return sendMessage(client, oldLogin.user, await messageFor(client, oldLogin, newPassword));
}
