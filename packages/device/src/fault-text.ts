/** Characters that a text of the interface must not contain. */
const forbidden = /[\p{Cc}\p{Cs}]/gu;

/** Maximum length of `Fault` and `Reason`. */
const longest = 200;

/** A reason as the text of `Fault` or `Reason`: hardware, files and servers can state one of any characters and any length. */
export function faultText(reason: string): string {
  return [...reason.replaceAll(forbidden, ' ')].slice(0, longest).join('');
}
