import { runTutorial, tutorials } from '@azimuth/test-support/tutorials/run-tutorial';

for (const name of tutorials.withPrograms) runTutorial(name);
