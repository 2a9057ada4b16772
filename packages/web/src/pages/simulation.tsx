export { Simulation as default } from '../simulation/simulation.js';
