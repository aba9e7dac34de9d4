// The tables of the job store in PostgreSQL. docs/fleet-schema.md describes them.

#if Postgres

enum FleetSchema {
  /// The version of these tables. Increment it with each change of the tables, and add an entry to ``upgrades``.
  static let version = 4

  /// The oldest version whose tables all statements of the store can use without an upgrade.
  static let oldestUsable = 4

  /// The statements that upgrade each older version to the next.
  static let upgrades = [
    1: """
    DROP INDEX IF EXISTS hot_runner;
    \(heldIndex)
    """,
    // Empty, because version 3 already made the changes of version 4.
    2: "",
    3: """
    \(lanes)
    \(laneTriggers)
    \(ownPaths)
    ALTER TABLE attempts ADD COLUMN IF NOT EXISTS runner text;
    \(failedIndex)
    ALTER TABLE hot ADD COLUMN IF NOT EXISTS part text;
    ALTER TABLE runners ADD COLUMN IF NOT EXISTS process text;
    \(places)
    \(allJobs)
    """,
  ]

  /// An index of failed attempts, for finding those of the last hour.
  private static let failedIndex =
    "CREATE INDEX IF NOT EXISTS attempts_failed ON attempts (ended_at) WHERE message IS NOT NULL;"

  /// The place of the store, that is, the database and its timeline, and the last fence that was given at another place
  /// (``FleetMaking``).
  private static let places = """
    ALTER TABLE dray_store ADD COLUMN IF NOT EXISTS database text, ADD COLUMN IF NOT EXISTS timeline text,
      ADD COLUMN IF NOT EXISTS foreign_fences int8 NOT NULL DEFAULT -1;
    """

  /// Sets the `search_path` of the triggers' functions, because they must find their tables with any `search_path` of
  /// the session: an administrator's, or the empty one of `pg_restore`.
  private static let ownPaths = [
    "hot_added", "hot_removed", "hot_changed", "jobs_removed", "labels_changed", "published_dropped",
    "segments_dropped",
  ].map { "ALTER FUNCTION \($0)() SET search_path FROM CURRENT;" }.joined()

  /// The oldest server that can hold a store, as in `server_version_num`.
  static let oldestServer = 140_000

  /// The name of the schema, unless the connection's `search_path` names another one.
  static let usualName = "dray"

  /// The channel for announcing changes of the store.
  static let channel = "dray_news"

  /// The names of all tables and sequences. If a schema has a table with one of these names but no `dray_store`, the
  /// schema belongs to another program.
  static let names = [
    "jobs", "hot", "checkpoints", "attempts", "prerequisites", "groups", "block_sums", "recent_sums", "expected_sums",
    "session_cookies", "tallies", "runners", "boards", "queues", "settings", "feed_entries", "documents", "hsts",
    "alt_svc", "helpful", "paces", "origins", "hold_passes", "uploads", "job_numbers", "group_numbers",
    "attempt_numbers", "fences",
  ]

  /// The statements that create everything, as one text.
  static var text: String {
    [numbers, jobs, lanes, history, shared, objects, runners, triggers, laneTriggers, ownPaths].joined(separator: "\n")
  }

  private static let numbers = """
    CREATE TABLE dray_store (
      version int4 NOT NULL,
      identity uuid NOT NULL,
      made_at timestamptz NOT NULL DEFAULT now()
    );
    \(places)
    CREATE SEQUENCE job_numbers;
    CREATE SEQUENCE group_numbers;
    CREATE SEQUENCE attempt_numbers;
    CREATE SEQUENCE fences;
    """

  private static let heldIndex = "CREATE INDEX hot_held ON hot (fence) WHERE runner IS NOT NULL;"

  /// `jobs` has the facts and results of a job; `hot` has the columns that change while the job waits and runs. A claim
  /// reads and writes only `hot`, whose rows are narrow, and whose pages have space for new versions of rows.
  ///
  /// The queue is ordered by `urgency`, `place` and `id`, all ascending, so that a walk can begin at any entry of the
  /// index.
  ///
  /// Fences ascend, so dead entries of former claims, which a long transaction keeps, are at the beginning of the index
  /// `hot_held` (``FenceFloor``).
  ///
  /// Texts may be longer than an index entry, so `target_key` and the hash index on `url` contain hashes of them.
  private static let jobs = """
    CREATE TABLE jobs (
      id int8 PRIMARY KEY,
      uuid uuid NOT NULL UNIQUE,
      url text COLLATE "C" NOT NULL,
      directory text COLLATE "C" NOT NULL,
      foreign_depth int4 NOT NULL DEFAULT 0,
      output text COLLATE "C",
      file_name text COLLATE "C",
      target_key int8 GENERATED ALWAYS AS (hashtextextended(directory || '/' || file_name, 0)) STORED,
      group_id int8,
      added_at float8 NOT NULL,
      is_safe bool NOT NULL,
      body text,
      request text NOT NULL,
      options jsonb NOT NULL,
      digest text,
      digest_source text,
      note text,
      failure text,
      published text,
      final_url text,
      response text
    ) WITH (fillfactor = 85);
    CREATE INDEX jobs_url ON jobs USING hash (url);
    CREATE INDEX jobs_target ON jobs (target_key) WHERE target_key IS NOT NULL;
    CREATE INDEX jobs_group ON jobs (group_id) WHERE group_id IS NOT NULL;
    CREATE INDEX jobs_body ON jobs (id) WHERE body IS NOT NULL;

    CREATE TABLE hot (
      id int8 PRIMARY KEY,
      state text COLLATE "C" NOT NULL
        CHECK (state IN ('queued', 'active', 'complete', 'failed', 'interrupted', 'paused')),
      priority int4 NOT NULL,
      urgency int4 GENERATED ALWAYS AS (-priority) STORED,
      rank float8,
      place float8 GENERATED ALWAYS AS (coalesce(rank, id)) STORED,
      origin text COLLATE "C" NOT NULL,
      queue text COLLATE "C",
      start_at float8,
      transfer_window text COLLATE "C",
      not_before float8,
      waiting_since float8,
      submitted_at float8,
      finished_at float8,
      runner uuid CHECK ((runner IS NOT NULL) = (state = 'active')),
      fence int8 NOT NULL DEFAULT 0,
      command text CHECK (command IS NULL OR state = 'active'),
      publishing text,
      attempts int4 NOT NULL DEFAULT 0,
      retries_used int4 NOT NULL DEFAULT 0,
      furthest int8 NOT NULL DEFAULT 0,
      digest_retried int4 NOT NULL DEFAULT 0,
      part text
    ) WITH (
      fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000,
      autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_scale_factor = 0.05);
    CREATE INDEX hot_queue ON hot (urgency, place, id) WHERE state = 'queued';
    CREATE INDEX hot_origin ON hot (origin, urgency, place, id) WHERE state = 'queued';
    CREATE INDEX hot_window ON hot (transfer_window) WHERE state = 'queued' AND transfer_window IS NOT NULL;
    \(heldIndex)
    CREATE INDEX hot_state ON hot (state, id);
    CREATE INDEX hot_publishing ON hot (id) WHERE publishing IS NOT NULL;

    CREATE TABLE checkpoints (
      job int8 PRIMARY KEY,
      segments text NOT NULL DEFAULT '',
      received int8 NOT NULL DEFAULT 0,
      size int8,
      etag text,
      last_modified text,
      date text,
      offered text,
      provenance text,
      upload text
    ) WITH (
      fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
      autovacuum_vacuum_cost_delay = 0);

    CREATE TABLE groups (
      id int8 PRIMARY KEY,
      name text NOT NULL,
      url text COLLATE "C" NOT NULL,
      directory text COLLATE "C" NOT NULL,
      added_at float8 NOT NULL
    );
    CREATE INDEX groups_url ON groups USING hash (url);

    \(allJobs)
    """

  private static let allJobs = """
    CREATE OR REPLACE VIEW all_jobs AS
      SELECT jobs.id, uuid, url, directory, foreign_depth, output, file_name, target_key, group_id, added_at, is_safe,
        body, request, options, digest, digest_source, note, failure, published, final_url, response,
        state, priority, rank, place, origin, queue, start_at, transfer_window, not_before, waiting_since, submitted_at,
        finished_at, runner, fence, command, publishing, attempts, retries_used, furthest, digest_retried,
        coalesce(segments, '') AS segments, coalesce(received, 0) AS received, size, etag, last_modified, date, offered,
        provenance, upload, part
      FROM jobs JOIN hot ON hot.id = jobs.id LEFT JOIN checkpoints ON checkpoints.job = jobs.id;
    """

  /// A lane consists of the jobs with the same named queue, window and set of labels (``FleetLane``). Searches can
  /// leave out whole lanes. `hot.labels` repeats the labels of `jobs.options`, in sorted order.
  private static let lanes = """
    ALTER TABLE hot ADD COLUMN IF NOT EXISTS labels text COLLATE "C" NOT NULL DEFAULT '';
    UPDATE hot SET labels = (
        SELECT string_agg(label, ' ' ORDER BY label COLLATE "C") FROM jsonb_array_elements_text(options -> 'labels') AS label)
      FROM jobs WHERE jobs.id = hot.id AND jsonb_array_length(options -> 'labels') > 0;
    CREATE INDEX IF NOT EXISTS hot_lane
      ON hot ((coalesce(queue, '')), (coalesce(transfer_window, '')), labels, urgency, place, id) WHERE state = 'queued';
    CREATE INDEX IF NOT EXISTS hot_track
      ON hot ((coalesce(queue, '')), (coalesce(transfer_window, '')), labels, origin, urgency, place, id)
      WHERE state = 'queued';
    CREATE INDEX IF NOT EXISTS jobs_labels ON jobs USING gin ((options -> 'labels')) WHERE options ? 'labels';

    """

  private static let laneTriggers = """
    CREATE OR REPLACE FUNCTION labels_changed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE hot SET labels = coalesce((
        SELECT string_agg(label, ' ' ORDER BY label COLLATE "C")
        FROM jsonb_array_elements_text(NEW.options -> 'labels') AS label), '') WHERE id = NEW.id;
      RETURN NULL;
    END $$;
    CREATE OR REPLACE TRIGGER labels_changed AFTER UPDATE OF options ON jobs FOR EACH ROW
      WHEN ((NEW.options -> 'labels') IS DISTINCT FROM (OLD.options -> 'labels')) EXECUTE FUNCTION labels_changed();

    """

  /// Ended attempts, with one partition a month. Rows for which no partition exists are in `attempts_other`. `xid` is
  /// the transaction that wrote the row (``AttemptMarks``).
  private static let history = """
    CREATE TABLE attempts (
      id int8 NOT NULL DEFAULT nextval('attempt_numbers'),
      xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
      job int8 NOT NULL,
      started_at float8 NOT NULL,
      ended_at float8 NOT NULL,
      outcome text NOT NULL,
      message text,
      first_byte int8,
      last_byte int8,
      runner text
    ) PARTITION BY RANGE (ended_at);
    CREATE TABLE attempts_other PARTITION OF attempts DEFAULT;
    CREATE INDEX attempts_job ON attempts (job, id);
    CREATE INDEX attempts_xid ON attempts (xid);
    \(failedIndex)

    CREATE TABLE block_sums (job int8 PRIMARY KEY, sums bytea NOT NULL);
    CREATE TABLE recent_sums (job int8 PRIMARY KEY, sums bytea NOT NULL);
    CREATE TABLE expected_sums (
      job int8 PRIMARY KEY,
      sums bytea NOT NULL,
      is_repair bool NOT NULL,
      etag text,
      last_modified text,
      date text,
      offered text
    );
    CREATE TABLE session_cookies (job int8 PRIMARY KEY, lines text NOT NULL);

    CREATE TABLE prerequisites (
      job int8 NOT NULL,
      prerequisite int8 NOT NULL,
      PRIMARY KEY (job, prerequisite)
    );
    CREATE INDEX prerequisites_of ON prerequisites (prerequisite);
    """

  private static let shared = """
    CREATE TABLE queues (
      name text COLLATE "C" PRIMARY KEY,
      settings text NOT NULL,
      used int8 NOT NULL DEFAULT 0,
      used_since float8 NOT NULL DEFAULT 0
    );
    CREATE TABLE settings (name text PRIMARY KEY, value text NOT NULL);
    CREATE TABLE feed_entries (
      key text GENERATED ALWAYS AS (md5(feed || chr(10) || guid)) STORED PRIMARY KEY,
      feed text COLLATE "C" NOT NULL,
      guid text COLLATE "C" NOT NULL,
      added_at float8 NOT NULL
    );
    CREATE TABLE documents (
      key text GENERATED ALWAYS AS (md5(url)) STORED PRIMARY KEY,
      url text COLLATE "C" NOT NULL,
      final_url text NOT NULL,
      etag text,
      last_modified text,
      fetched_at float8 NOT NULL,
      content bytea NOT NULL
    );
    CREATE TABLE hsts (
      host text COLLATE "C" PRIMARY KEY, expires_at float8 NOT NULL, includes_subdomains bool NOT NULL);
    CREATE TABLE alt_svc (origin text COLLATE "C" PRIMARY KEY, expires_at float8 NOT NULL);
    CREATE TABLE helpful (
      kind text NOT NULL,
      origin text COLLATE "C" NOT NULL,
      helpful int4 NOT NULL,
      learned_at float8 NOT NULL,
      PRIMARY KEY (kind, origin)
    );
    CREATE TABLE paces (
      origin text COLLATE "C" PRIMARY KEY,
      start float8 NOT NULL,
      pause float8 NOT NULL,
      reserved_at float8 NOT NULL
    );
    CREATE TABLE origins (
      origin text COLLATE "C" PRIMARY KEY,
      hold_until float8 NOT NULL,
      held_at float8 NOT NULL,
      job int8,
      asked_by text,
      status int4
    );
    CREATE TABLE hold_passes (job int8 PRIMARY KEY, held_at float8 NOT NULL, hold text NOT NULL);
    CREATE INDEX hold_passes_at ON hold_passes (held_at);
    """

  /// `uploads` has the unfinished uploads to object stores; its rows outlive their jobs.
  private static let objects = """
    CREATE TABLE uploads (
      place text COLLATE "C" NOT NULL,
      object_key text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      part text COLLATE "C" NOT NULL,
      signature text,
      started_at float8 NOT NULL,
      mark text GENERATED ALWAYS AS (md5(place || chr(10) || object_key || chr(10) || id)) STORED PRIMARY KEY
    );
    CREATE INDEX uploads_part ON uploads (part);
    """

  /// `lease_until` is by the database's clock. A crash of the server loses the boards. Runners show them again within a
  /// second.
  private static let runners = """
    CREATE TABLE runners (
      id uuid PRIMARY KEY,
      name text NOT NULL,
      begun_at timestamptz NOT NULL DEFAULT now(),
      lease_until timestamptz NOT NULL,
      process text
    ) WITH (fillfactor = 50);
    CREATE UNLOGGED TABLE boards (runner uuid PRIMARY KEY, board bytea NOT NULL) WITH (fillfactor = 50);
    """
}

#endif
