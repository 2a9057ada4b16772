import { loginLevels } from '@azimuth/model';

/** Form of the words that an input accepts. Other words never reach a command line. */
export interface InputForm {
  readonly pattern: RegExp;
  /** What is expected, for the refusal. */
  readonly expected: string;
}

const host = String.raw`(?:[A-Za-z\d][\w.-]*|\[[\dA-Fa-f:.]+\])(?::\d{1,5})?`;
const path = String.raw`(?:/[\w./*?-]*)?`;

/** Forms of inputs. None accepts control characters or characters that cannot be seen, none a path of a file. */
export const inputForms = {
  device: {
    pattern: new RegExp(String.raw`^(?:@[\w./*?-]+|(?:(?:https?|colab?)://)?${host}${path})$`),
    expected: 'the URL of a scanner without a user and a password, or @NAME, @GROUP/* of azimuth devices',
  },
  control: {
    pattern: new RegExp(`^(?:http://)?${host}${path}$`),
    expected: 'the URL of a control port, http://HOST:PORT',
  },
  side: {
    pattern: new RegExp(String.raw`^(?:@[\w./*?-]+|https?://${host}${path}|factory|stored|working)$`),
    expected: 'a scanner (URL or @NAME), factory, stored or working; files are not read',
  },
  name: {
    pattern: /^[A-Za-z*?][\w./*?-]*$/,
    expected: 'a name of the interface, or a pattern of names',
  },
  columns: { pattern: /^[\w ,.-]+$/, expected: 'names of columns, separated by commas' },
  number: { pattern: /^-?\d+(?:\.\d+)?$/, expected: 'a number' },
  time: { pattern: /^[\dA-Za-z:.+-]+$/, expected: 'a time such as 30m, 10s or 2026-11-29T08:30' },
  address: { pattern: /^[\d.]+$/, expected: 'an IPv4 address' },
  word: { pattern: /^[A-Za-z][\w-]*$/, expected: 'a word' },
  level: { pattern: new RegExp(`^(?:${loginLevels.join('|')})$`), expected: loginLevels.join(', ') },
  text: {
    // U+2800 is a Braille character without dots. Long gaps would move the rest of a question out of sight.
    pattern: /^(?!.*\p{Zs}{4})[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]*$/u,
    expected: 'text in one line, without characters that cannot be seen, and with at most 3 blanks in a row',
  },
  switch: { pattern: /^$/, expected: 'true or false' },
} as const satisfies Readonly<Record<string, InputForm>>;

export type InputFormName = keyof typeof inputForms;

/** Maximum characters of a word. A request of a method is one word. */
export const longestWord = 8192;

/** Maximum number of words of one input. */
export const mostWords = 100;
