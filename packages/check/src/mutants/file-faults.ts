/** A wrong method of HTTP gets another status. */
export const neverAWrongVerb = ["new Refusal('notFound', '', `", "new Refusal('invalidData', '', `"] as const;
/** A method needs no login. */
export const openMethod = (name: string) =>
  [`${name}: method({\n    level: 'Service'`, `${name}: method({\n    level: 'open'`] as const;
