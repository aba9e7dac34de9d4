// The tables of the job store. All of the schema is one text; `user_version` says which.

import SQLite

enum Schema {
  /// Marks a database as dray's: "dray" in ASCII.
  static let applicationID: Int32 = 0x6472_6179

  /// The `user_version` of this schema. Any change of the tables takes the next number. Smaller ones were never released.
  static let version = 12

  /// The version of a database; 0 if it has no tables yet.
  static func version(of db: Database) throws -> Int { try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0 }

  /// Makes the tables in an empty database, in one transaction, unless another process was faster.
  static func create(_ db: Database) throws {
    try db.inTransaction(.immediate) {
      if try version(of: db) == 0 { try db.execute(sql: "\(jobs)\(history)\(shared)PRAGMA user_version = \(version);") }
    }
  }

  /// Times are seconds since 1970. `url` is the truth of a request's URL, `request` has the rest of it.
  /// `foreign_depth` is how many components at the end of `directory` came from a document or a list: no link is followed there (P6).
  /// `rank` is the place among jobs of one priority if the job was moved, else its number is. `start_at` is when its user wants it to
  /// begin. `submitted_at` is when a request that must not be repeated automatically was sent (P10). `body` names the spooled body of
  /// its request in `bodies/`.
  /// `segments` is `lower-upper,…`, half-open. With `size`, `etag`, `last_modified`, `date`, `offered` (the digests that the server gave
  /// for that version) and `provenance` it is the checkpoint.
  /// `waiting_since` is when a wait was begun: a clock that stands before that was put back, and the wait is void.
  /// `command` is what another process wants of an active job.
  ///
  /// A row of `prerequisites` is a wait that is not over: a trigger ends it when its prerequisite is complete. A group without jobs is
  /// deleted by a trigger. `jobs_origin` finds the next job of each origin where others are at their limit.
  private static let jobs = """
    CREATE TABLE jobs (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      uuid TEXT NOT NULL UNIQUE,
      state TEXT NOT NULL CHECK (state IN ('queued', 'active', 'complete', 'failed', 'interrupted', 'paused')),
      priority INTEGER NOT NULL,
      rank REAL,
      url TEXT NOT NULL,
      origin TEXT NOT NULL,
      directory TEXT NOT NULL,
      foreign_depth INTEGER NOT NULL DEFAULT 0,
      output TEXT,
      file_name TEXT,
      group_id INTEGER,
      received INTEGER NOT NULL DEFAULT 0,
      size INTEGER,
      attempts INTEGER NOT NULL DEFAULT 0,
      retries_used INTEGER NOT NULL DEFAULT 0,
      furthest INTEGER NOT NULL DEFAULT 0,
      digest_retried INTEGER NOT NULL DEFAULT 0,
      start_at REAL,
      not_before REAL,
      waiting_since REAL,
      submitted_at REAL,
      added_at REAL NOT NULL,
      finished_at REAL,
      runner TEXT CHECK ((runner IS NOT NULL) = (state = 'active')),
      command TEXT CHECK (command IS NULL OR state = 'active'),
      segments TEXT NOT NULL DEFAULT '',
      etag TEXT,
      last_modified TEXT,
      date TEXT,
      offered TEXT,
      provenance TEXT,
      digest TEXT,
      digest_source TEXT,
      note TEXT,
      failure TEXT,
      publishing TEXT,
      published TEXT,
      final_url TEXT,
      response TEXT,
      body TEXT,
      request TEXT NOT NULL,
      options TEXT NOT NULL
    );
    CREATE INDEX jobs_queue ON jobs (priority DESC, ifnull(rank, id), id, not_before, waiting_since, origin, start_at)
      WHERE state = 'queued';
    CREATE INDEX jobs_origin ON jobs (origin, priority DESC, ifnull(rank, id), id, not_before, waiting_since, start_at)
      WHERE state = 'queued';
    CREATE INDEX jobs_runner ON jobs (runner, origin) WHERE runner IS NOT NULL;
    CREATE INDEX jobs_state ON jobs (state);
    CREATE INDEX jobs_url ON jobs (url);
    CREATE INDEX jobs_target ON jobs (directory, file_name)
      WHERE file_name IS NOT NULL AND state IN ('queued', 'active', 'interrupted', 'paused');
    CREATE INDEX jobs_group ON jobs (group_id) WHERE group_id IS NOT NULL;

    CREATE TABLE prerequisites (
      job INTEGER NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
      prerequisite INTEGER NOT NULL,
      PRIMARY KEY (job, prerequisite)
    ) WITHOUT ROWID;
    CREATE INDEX prerequisites_of ON prerequisites (prerequisite);
    CREATE TRIGGER prerequisites_met AFTER UPDATE OF state ON jobs WHEN NEW.state = 'complete'
    BEGIN DELETE FROM prerequisites WHERE prerequisite = NEW.id; END;

    CREATE TABLE groups (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL,
      url TEXT NOT NULL,
      directory TEXT NOT NULL,
      added_at REAL NOT NULL,
      UNIQUE (url, directory)
    );
    CREATE TRIGGER groups_empty AFTER DELETE ON jobs WHEN OLD.group_id IS NOT NULL
    BEGIN
      DELETE FROM groups
      WHERE id = OLD.group_id AND NOT EXISTS (SELECT 1 FROM jobs WHERE group_id = OLD.group_id);
    END;

    """

  /// The number of an attempt is never used twice: a reader that has seen the attempts up to one misses none after it, even where the
  /// newest were removed with their job.
  ///
  /// `block_sums` has the checksums of a job's bytes on disk, `recent_sums` newer ones that are laid over them. A trigger deletes both
  /// when no byte is claimed any more.
  ///
  /// `expected_sums` has the checksums that refetched bytes must have because the bytes before were bad. They are of one version, and
  /// void when that is given up. Those of a repair stay, with the validators of the published file: no other version may take its place.
  private static let history = """
    CREATE TABLE attempts (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      job INTEGER NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
      started_at REAL NOT NULL,
      ended_at REAL NOT NULL,
      outcome TEXT NOT NULL,
      message TEXT,
      first_byte INTEGER,
      last_byte INTEGER
    );
    CREATE INDEX attempts_job ON attempts (job);

    CREATE TABLE block_sums (
      job INTEGER PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
      sums BLOB NOT NULL
    );
    CREATE TABLE recent_sums (
      job INTEGER PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
      sums BLOB NOT NULL
    );
    CREATE TRIGGER sums_void AFTER UPDATE OF segments ON jobs WHEN NEW.segments = ''
    BEGIN
      DELETE FROM block_sums WHERE job = NEW.id;
      DELETE FROM recent_sums WHERE job = NEW.id;
    END;

    CREATE TABLE expected_sums (
      job INTEGER PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
      sums BLOB NOT NULL,
      is_repair INTEGER NOT NULL,
      etag TEXT,
      last_modified TEXT,
      date TEXT,
      offered TEXT
    );
    CREATE TRIGGER expected_void AFTER UPDATE OF segments ON jobs WHEN NEW.segments = ''
    BEGIN DELETE FROM expected_sums WHERE job = NEW.id AND NOT is_repair; END;
    CREATE TRIGGER expected_met AFTER UPDATE OF state ON jobs WHEN NEW.state = 'complete'
    BEGIN DELETE FROM expected_sums WHERE job = NEW.id; END;
    CREATE TRIGGER expected_dropped AFTER UPDATE OF published ON jobs WHEN NEW.published IS NULL
    BEGIN DELETE FROM expected_sums WHERE job = NEW.id; END;

    CREATE TABLE session_cookies (
      job INTEGER PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
      lines TEXT NOT NULL
    );

    """

  /// What all runs share. `settings` holds what runners apply while they run, `feed_entries` what feeds have offered, `documents` the
  /// catalogs with the validators to ask by, `hsts` the list of RFC 6797, `alt_svc` the origins that offer HTTP/3 (RFC 7838).
  ///
  /// `connections` has how many connections helped one file of an origin (0 if its answers were of different versions), `jobs_at_once`
  /// how many small files at once.
  ///
  /// `origins` has the holds: until when, who was refused (the job, the URL or proxy), with which status. `held_at` names the hold: a new
  /// refusal renews it, and so voids all passes. `hold_passes` has the jobs that ask once in spite of a hold.
  private static let shared = """
    CREATE TABLE settings (
      name TEXT PRIMARY KEY,
      value TEXT NOT NULL
    ) WITHOUT ROWID;

    CREATE TABLE feed_entries (
      feed TEXT NOT NULL,
      guid TEXT NOT NULL,
      added_at REAL NOT NULL,
      PRIMARY KEY (feed, guid)
    ) WITHOUT ROWID;

    CREATE TABLE documents (
      url TEXT PRIMARY KEY,
      final_url TEXT NOT NULL,
      etag TEXT,
      last_modified TEXT,
      fetched_at REAL NOT NULL,
      content BLOB NOT NULL
    );

    CREATE TABLE hsts (
      host TEXT PRIMARY KEY,
      expires_at REAL NOT NULL,
      includes_subdomains INTEGER NOT NULL
    ) WITHOUT ROWID;

    CREATE TABLE alt_svc (
      origin TEXT PRIMARY KEY,
      expires_at REAL NOT NULL
    ) WITHOUT ROWID;

    CREATE TABLE connections (
      origin TEXT PRIMARY KEY,
      helpful INTEGER NOT NULL,
      learned_at REAL NOT NULL
    ) WITHOUT ROWID;

    CREATE TABLE jobs_at_once (
      origin TEXT PRIMARY KEY,
      helpful INTEGER NOT NULL,
      learned_at REAL NOT NULL
    ) WITHOUT ROWID;

    CREATE TABLE origins (
      origin TEXT PRIMARY KEY,
      hold_until REAL NOT NULL,
      held_at REAL NOT NULL,
      job INTEGER,
      asked_by TEXT,
      status INTEGER
    ) WITHOUT ROWID;

    CREATE TABLE hold_passes (
      job INTEGER PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
      held_at REAL NOT NULL,
      hold TEXT NOT NULL
    );
    CREATE TRIGGER hold_answered AFTER UPDATE OF state ON jobs WHEN NEW.state = 'complete'
    BEGIN DELETE FROM origins WHERE held_at = (SELECT held_at FROM hold_passes WHERE job = NEW.id); END;
    CREATE TRIGGER hold_ended AFTER DELETE ON origins
    BEGIN
      UPDATE jobs SET not_before = NULL, waiting_since = iif(start_at IS NULL, NULL, waiting_since)
      WHERE origin = OLD.origin AND state IN ('queued', 'interrupted') AND not_before IS NOT NULL
        AND not_before - waiting_since <= json_extract(failure, '$.retryAfter') + 0.001;
    END;

    """
}
