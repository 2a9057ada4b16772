import type { X509Certificate } from 'node:crypto';

/** What a certificate says that node:crypto of Node 20 does not tell. */
export interface CertificateContent {
  /** The object identifier of the algorithm that the certificate is signed with. */
  readonly signatureAlgorithm: string;
  /**
   * May its key sign, as TLS with an ephemeral key requires? A certificate that does not restrict its key allows
   * everything (RFC 5280 §4.2.1.3).
   */
  readonly maySign: boolean;
}

/** The contents of certificates in their order; undefined for a certificate that does not follow RFC 5280. */
export async function contentsOf(
  certificates: readonly X509Certificate[],
): Promise<readonly (CertificateContent | undefined)[]> {
  // Loaded with the first bundle: at the start it would cost every scanner 5 MB and more than 10 ms.
  const [{ AsnConvert }, { Certificate, id_ce_keyUsage, KeyUsage }] = await Promise.all([
    import('@peculiar/asn1-schema'),
    import('@peculiar/asn1-x509'),
  ]);

  function parse<T>(bytes: Uint8Array | ArrayBuffer, type: new () => T): T | undefined {
    try {
      return AsnConvert.parse(bytes, type);
    } catch {
      return undefined;
    }
  }

  function contentOf({ raw }: X509Certificate): CertificateContent | undefined {
    const certificate = parse(raw, Certificate);
    if (certificate === undefined) return undefined;
    const { signatureAlgorithm, tbsCertificate } = certificate;
    const usage = tbsCertificate.extensions?.find(({ extnID }) => extnID === id_ce_keyUsage);
    return {
      signatureAlgorithm: signatureAlgorithm.algorithm,
      maySign:
        usage === undefined ||
        (parse(usage.extnValue.buffer, KeyUsage)?.toJSON().includes('digitalSignature') ?? false),
    };
  }

  return certificates.map(contentOf);
}
