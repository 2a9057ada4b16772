/** The realm of every login, as devices of this family name it; clients compute their hashes with what they are told. */
export const realm = 'SICK Sensor';
