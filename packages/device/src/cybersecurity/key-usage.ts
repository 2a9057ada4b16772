import type { X509Certificate } from 'node:crypto';
import { derValues, dotted, objectIdentifier } from './der.js';

const extensionsTag = 0xa3;
const octetString = 0x04;
const keyUsage = '2.5.29.15';
const digitalSignature = 0x80;

/**
 * May the key of a certificate sign, as TLS with an ephemeral key has it do? One that does not say what its key is for
 * may do all (RFC 5280 §4.2.1.3). Node tells the extended key usage only.
 */
export function maySign({ raw }: X509Certificate): boolean {
  const [certificate] = derValues(raw) ?? [];
  const [content] = derValues(certificate?.content ?? Buffer.alloc(0)) ?? [];
  const extensions = valuesIn(content?.content).find(({ tag }) => tag === extensionsTag);
  const [list] = valuesIn(extensions?.content);
  for (const extension of valuesIn(list?.content)) {
    const parts = valuesIn(extension.content);
    const [identifier] = parts;
    if (identifier?.tag !== objectIdentifier || dotted(identifier.content) !== keyUsage) continue;
    const [bits] = valuesIn(parts.find(({ tag }) => tag === octetString)?.content);
    // The first byte tells how many bits of the last one do not count.
    return ((bits?.content[1] ?? 0) & digitalSignature) !== 0;
  }
  return true;
}

function valuesIn(bytes: Buffer | undefined) {
  return bytes === undefined ? [] : (derValues(bytes) ?? []);
}
