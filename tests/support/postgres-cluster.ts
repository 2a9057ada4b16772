/** The benchmark uses the same servers. */
export { PostgresCluster, postgresPrograms } from '../../bench/src/processes/postgres-cluster.js';
