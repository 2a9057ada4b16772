/** So many fields and evaluations a scanner has, numbered from 1 (specification, Limits). */
export const evaluationSlots = 48;
