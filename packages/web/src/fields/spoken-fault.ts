/**
 * What is wrong with a contour, in the words of a page that numbers corners from 1.
 * @param reason as the scanner and the model say it: they count corners from 0
 */
export function spokenFault(reason: string): string {
  return reason.replaceAll(/(?:points )?\[(\d+)\]/g, (_, index: string) => `corner ${Number(index) + 1}`);
}
