import { SiteFault } from './site-answer.js';

/** Bytes of an answer at most. */
const mostBytes = 4_000_000;
/** ms that an answer may take. */
const answerTimeout = 10_000;

/**
 * Asks the server of the page itself, not a scanner, for JSON.
 * @param address below that of the page
 * @param read checks the answer, and throws SiteFault for one that is not as expected
 * @throws SiteFault if it does not answer as expected; the reason of the signal if it is aborted
 */
export async function askServer<T>(
  address: string,
  read: (json: unknown) => T,
  aborted: AbortSignal,
): Promise<T> {
  const signal = AbortSignal.any([aborted, AbortSignal.timeout(answerTimeout)]);
  try {
    const response = await fetch(address, { signal });
    const text = await boundedText(response);
    if (!response.ok) throw new SiteFault(text.slice(0, 200).trim() || `it answers ${response.status}`);
    return read(JSON.parse(text));
  } catch (error) {
    aborted.throwIfAborted();
    if (error instanceof SiteFault) throw error;
    if (error instanceof SyntaxError) throw new SiteFault('its answer is not JSON');
    if (signal.aborted) throw new SiteFault(`it has not answered for ${answerTimeout / 1000} s`);
    throw new SiteFault('it does not answer');
  }
}

async function boundedText({ body }: Response): Promise<string> {
  if (body === null) return '';
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > mostBytes) {
      await reader.cancel();
      throw new SiteFault(`its answer has more than ${mostBytes / 1_000_000} MB`);
    }
    text += decoder.decode(value, { stream: true });
  }
}
