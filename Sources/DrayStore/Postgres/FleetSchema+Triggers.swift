// The triggers of the tables, and the counts that they keep.

#if Postgres

extension FleetSchema {
  /// `tallies` counts jobs by state and named queue. Each statement that changes `hot` adds the differences as new
  /// rows, which readers sum up. Counting therefore does not walk over the table, and writers do not wait for each
  /// other.
  static let triggers = """
    CREATE TABLE tallies (queue text COLLATE "C", state text COLLATE "C" NOT NULL, jobs int8 NOT NULL)
      WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);

    CREATE FUNCTION hot_added() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO tallies SELECT queue, state, count(*) FROM new_rows GROUP BY 1, 2;
      RETURN NULL;
    END $$;
    CREATE FUNCTION hot_removed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO tallies SELECT queue, state, -count(*) FROM old_rows GROUP BY 1, 2;
      RETURN NULL;
    END $$;
    CREATE FUNCTION hot_changed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO tallies
        SELECT queue, state, sum(jobs) FROM (
          SELECT queue, state, 1 AS jobs FROM new_rows UNION ALL SELECT queue, state, -1 FROM old_rows) AS differences
        GROUP BY 1, 2 HAVING sum(jobs) <> 0;
      IF EXISTS (SELECT 1 FROM new_rows WHERE state = 'complete') THEN
        DELETE FROM prerequisites USING new_rows WHERE prerequisite = new_rows.id AND state = 'complete';
        DELETE FROM expected_sums USING new_rows WHERE job = new_rows.id AND state = 'complete';
        DELETE FROM origins USING hold_passes JOIN new_rows ON new_rows.id = hold_passes.job
          WHERE origins.held_at = hold_passes.held_at AND new_rows.state = 'complete';
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER hot_added AFTER INSERT ON hot REFERENCING NEW TABLE AS new_rows
      FOR EACH STATEMENT EXECUTE FUNCTION hot_added();
    CREATE TRIGGER hot_removed AFTER DELETE ON hot REFERENCING OLD TABLE AS old_rows
      FOR EACH STATEMENT EXECUTE FUNCTION hot_removed();
    CREATE TRIGGER hot_changed AFTER UPDATE ON hot REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
      FOR EACH STATEMENT EXECUTE FUNCTION hot_changed();

    CREATE FUNCTION jobs_removed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      DELETE FROM hot USING old_rows WHERE hot.id = old_rows.id;
      DELETE FROM checkpoints USING old_rows WHERE job = old_rows.id;
      DELETE FROM attempts USING old_rows WHERE job = old_rows.id;
      DELETE FROM prerequisites USING old_rows WHERE job = old_rows.id;
      DELETE FROM block_sums USING old_rows WHERE job = old_rows.id;
      DELETE FROM recent_sums USING old_rows WHERE job = old_rows.id;
      DELETE FROM expected_sums USING old_rows WHERE job = old_rows.id;
      DELETE FROM session_cookies USING old_rows WHERE job = old_rows.id;
      DELETE FROM hold_passes USING old_rows WHERE job = old_rows.id;
      DELETE FROM groups USING old_rows WHERE groups.id = old_rows.group_id
        AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.group_id = groups.id);
      RETURN NULL;
    END $$;
    CREATE TRIGGER jobs_removed AFTER DELETE ON jobs REFERENCING OLD TABLE AS old_rows
      FOR EACH STATEMENT EXECUTE FUNCTION jobs_removed();

    CREATE FUNCTION published_dropped() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      DELETE FROM expected_sums WHERE job = NEW.id;
      RETURN NULL;
    END $$;
    CREATE TRIGGER published_dropped AFTER UPDATE OF published ON jobs
      FOR EACH ROW WHEN (NEW.published IS NULL) EXECUTE FUNCTION published_dropped();

    CREATE FUNCTION segments_dropped() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      DELETE FROM block_sums WHERE job = NEW.job;
      DELETE FROM recent_sums WHERE job = NEW.job;
      DELETE FROM expected_sums WHERE job = NEW.job AND NOT is_repair;
      RETURN NULL;
    END $$;
    CREATE TRIGGER segments_dropped AFTER UPDATE OF segments ON checkpoints
      FOR EACH ROW WHEN (NEW.segments = '') EXECUTE FUNCTION segments_dropped();
    """
}

#endif
