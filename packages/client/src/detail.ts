import { detailHeader } from '@azimuth/model';

/** Where and why, in the scanner's words; empty where it says nothing. */
export function detailOf(headers: Headers): string {
  const encoded = headers.get(detailHeader) ?? '';
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}
