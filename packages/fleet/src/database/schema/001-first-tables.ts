/** Tables of a fleet. All times are those of the database. */
export const firstTables = `
-- Who may run the scanners of a shard. Rows change often: there is room for the next version beside each.
CREATE TABLE azimuth.shards (
  shard integer PRIMARY KEY,
  -- The shard of one scanner that is run without a fleet. Its number is negative.
  serial text UNIQUE,
  owner text,
  epoch integer NOT NULL DEFAULT 0,
  expires_at timestamptz,
  CHECK ((serial IS NULL) = (shard >= 0))
) WITH (fillfactor = 20, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
CREATE SEQUENCE azimuth.lone_shards AS integer INCREMENT -1 START -1;

-- Each takeover has an epoch that is higher than all before, of all shards and of all scanners.
CREATE SEQUENCE azimuth.epoch_numbers AS integer;
CREATE TABLE azimuth.epochs (
  epoch integer PRIMARY KEY,
  shard integer NOT NULL,
  owner text NOT NULL,
  began_at timestamptz NOT NULL
);
CREATE INDEX epochs_of_shard ON azimuth.epochs (shard, epoch);

-- Processes that run scanners.
CREATE TABLE azimuth.workers (
  owner text PRIMARY KEY,
  url text NOT NULL,
  capacity integer NOT NULL CHECK (capacity > 0),
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamptz NOT NULL
) WITH (fillfactor = 20, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- What was applied, and which scanners follow from it.
CREATE TABLE azimuth.fleet (
  version integer PRIMARY KEY,
  yaml text NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  applied_by text NOT NULL DEFAULT session_user
);
CREATE TABLE azimuth.fleet_files (
  version integer REFERENCES azimuth.fleet ON DELETE CASCADE,
  name text,
  content bytea NOT NULL,
  PRIMARY KEY (version, name)
);
CREATE TABLE azimuth.scanners (
  serial text PRIMARY KEY,
  group_name text NOT NULL,
  shard integer NOT NULL REFERENCES azimuth.shards,
  position integer NOT NULL,
  -- An epoch of its own, from when it was added. Whoever ran it before saves nothing more, however good the lease of its shard is.
  since integer NOT NULL,
  -- Always null. A role may lock a row only if it may change a column of it, and a worker may change none of the others.
  lock_right boolean CHECK (lock_right IS NULL)
);
CREATE INDEX scanners_of_shard ON azimuth.scanners (shard);

-- What scanners store. Without content and file, the document is removed: the row remembers by whom.
CREATE TABLE azimuth.documents (
  serial text,
  name text,
  content bytea,
  file bigint,
  -- The content is sealed with the key of the deployment.
  secret boolean NOT NULL DEFAULT false,
  -- Do these parameters make the scanner send from its power-on on? Null for other documents.
  is_active boolean,
  -- Who has written it, and the sequence number of the statement: an older one never replaces it.
  epoch integer NOT NULL,
  number bigint NOT NULL,
  written_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (serial, name)
) WITH (autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX files_of_documents ON azimuth.documents (file) WHERE file IS NOT NULL;
DO $$ BEGIN
  ALTER TABLE azimuth.documents ALTER content SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported OR undefined_object THEN
  NULL; -- A server that was built without it: the usual compression.
END $$;

-- Files that come in pieces. One belongs to a scanner when a document names it.
CREATE TABLE azimuth.files (
  file bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  serial text NOT NULL,
  name text NOT NULL,
  -- Null until all are there.
  pieces integer,
  -- When the last piece came, or when another file took its place.
  touched_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX files_by_age ON azimuth.files (touched_at);
CREATE TABLE azimuth.pieces (
  file bigint REFERENCES azimuth.files ON DELETE CASCADE,
  piece integer,
  bytes bytea NOT NULL,
  PRIMARY KEY (file, piece)
);
ALTER TABLE azimuth.pieces ALTER bytes SET STORAGE EXTERNAL;

-- Which key seals secrets: a value that only the same key gives. Whoever may add it cannot change it.
CREATE TABLE azimuth.key_check (
  one_row boolean PRIMARY KEY DEFAULT true CHECK (one_row),
  value bytea NOT NULL
);

-- Power-ons that the operating counters of a scanner do not contain.
CREATE TABLE azimuth.power_ons (
  serial text PRIMARY KEY,
  count integer NOT NULL,
  epoch integer NOT NULL,
  number bigint NOT NULL
);

CREATE TABLE azimuth.detections (
  serial text,
  at timestamptz,
  -- Rows of the same time differ in it.
  number bigint,
  kind text NOT NULL,
  data jsonb NOT NULL,
  PRIMARY KEY (serial, at, number)
);
CREATE INDEX detections_at ON azimuth.detections (at);
CREATE TABLE azimuth.events (
  serial text,
  at timestamptz,
  number bigint,
  kind text NOT NULL,
  data jsonb NOT NULL,
  PRIMARY KEY (serial, at, number)
);
CREATE INDEX events_at ON azimuth.events (at);

CREATE TABLE azimuth.settings (
  one_row boolean PRIMARY KEY DEFAULT true CHECK (one_row),
  keep_detections interval NOT NULL DEFAULT '90 days',
  keep_events interval NOT NULL DEFAULT '30 days'
);
INSERT INTO azimuth.settings DEFAULT VALUES;

-- Workers may remove what is too old, and nothing else: they have no right to delete history.
CREATE FUNCTION azimuth.remove_old_history() RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  removed integer;
  more integer;
BEGIN
  DELETE FROM azimuth.detections WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM azimuth.detections
    WHERE at < clock_timestamp() - (SELECT keep_detections FROM azimuth.settings) LIMIT 10000));
  GET DIAGNOSTICS removed = ROW_COUNT;
  DELETE FROM azimuth.events WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM azimuth.events
    WHERE at < clock_timestamp() - (SELECT keep_events FROM azimuth.settings) LIMIT 10000));
  GET DIAGNOSTICS more = ROW_COUNT;
  RETURN removed + more;
END $$;

-- The shard of a scanner that is run without a fleet; null if it is a scanner of the fleet.
CREATE FUNCTION azimuth.lone_shard(wanted text) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  found_shard integer;
BEGIN
  SELECT shard INTO found_shard FROM azimuth.shards WHERE serial = wanted;
  IF NOT FOUND THEN
    INSERT INTO azimuth.shards (shard, serial) VALUES (nextval('azimuth.lone_shards'), wanted)
    ON CONFLICT (serial) DO NOTHING;
    SELECT shard INTO found_shard FROM azimuth.shards WHERE serial = wanted;
  END IF;
  INSERT INTO azimuth.scanners (serial, group_name, shard, position, since)
  VALUES (wanted, '', found_shard, 0, nextval('azimuth.epoch_numbers'))
  ON CONFLICT (serial) DO NOTHING;
  SELECT shard INTO found_shard FROM azimuth.scanners WHERE serial = wanted AND shard = found_shard;
  RETURN found_shard;
END $$;
REVOKE ALL ON FUNCTION azimuth.remove_old_history(), azimuth.lone_shard(text) FROM PUBLIC;
`;
