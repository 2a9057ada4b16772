/** The angles that the scanner sees, in 1/10000°: 276° about the axis ahead, counter-clockwise positive. */
export const fieldOfView = { minimum: -1_380_000, maximum: 1_380_000 } as const;
