import type { Evaluation } from '@azimuth/model';

/** What a setting of an evaluation does, in a sentence. */
export const memberHints: Readonly<Partial<Record<keyof Evaluation, string>>> = {
  Type: 'A field says whether something is in its area. A perpendicular distance says how far things in it are from a line.',
  MinimumObjectSize: 'Smaller objects do not infringe the field. 0 detects everything.',
  InfringementThreshold: 'How many beams of an object must hit the field.',
  TreatMissingDataAsInfringed: 'A beam without any echo counts as a hit.',
  OcclusionHandling: 'How a beam counts that something nearer than the field blocks.',
  TimeForInfringedState: 'How long an object must be in the field until it is infringed.',
  TimeForFreeState: 'How long the field must be empty until it is free.',
  ObjectDistanceThreshold:
    'Objects beside each other are judged apart if one is so much further away than the other. 0: they are one object.',
  ReflectorsOnly: 'Only reflectors infringe the field.',
  ContourAsReference:
    'The field is infringed where nothing is in it. Teach-in makes a band around what is there.',
};

/** The settings that have no effect. */
export const membersWithoutEffect: ReadonlySet<string> = new Set<keyof Evaluation>([
  'LowerZLimit',
  'UpperZLimit',
]);

/** The settings that a perpendicular distance heeds. A field heeds all of them. */
export const membersOfDistance: ReadonlySet<string> = new Set<keyof Evaluation>(['Name', 'Type']);
