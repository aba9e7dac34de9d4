// The tables of the job store in SQLite. The schema is one text; `user_version` is its version.

internal import SQLite

enum Schema {
  /// Marks a database as dray's: "dray" in ASCII.
  static let applicationID: Int32 = 0x6472_6179

  /// The version of this schema, stored as `user_version`. Increment it with every change of the tables. Versions below
  /// this one were never released.
  static let version = 15

  /// Returns the version of the schema; 0 if the database has no tables yet.
  static func version(of db: Database) throws -> Int { try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0 }

  /// Creates the tables of an empty database in one transaction, unless another process has already created them.
  static func create(_ db: Database) throws {
    try db.inTransaction(.immediate) {
      if try version(of: db) == 0 { try db.execute(sql: "\(jobs)\(history)\(shared)PRAGMA user_version = \(version);") }
    }
  }

  /// Times are seconds since 1970. The URL of a request is only in `url`; `request` has the rest of the request.
  /// `foreign_depth` counts the components at the end of `directory` that a document or a list chose; links in these
  /// components are not followed (P6). `rank` is the position of a moved job among the jobs of its priority; other jobs
  /// are ordered by number. `start_at` is the start time that the user chose, `transfer_window` the window in its
  /// shortest form. `submitted_at` is the time at which a request was sent that must not be repeated automatically
  /// (P10). `queue` is the name of the job's named queue. `body` names the request's spooled body in `bodies/`.
  ///
  /// `segments` is `lower-upper,…`, half-open. The checkpoint consists of `segments`, `size`, `etag`, `last_modified`,
  /// `date`, `offered` (the digests that the server offered for that version), `provenance` and `upload` (the object
  /// store's upload that contains the bytes). `waiting_since` is the start of a wait; a start in the future means that
  /// the clock was set back, and ends the wait. `command` is the command that another process gave to an active job.
  ///
  /// A row of `prerequisites` is a wait; a trigger deletes the row when the prerequisite is complete. A trigger deletes
  /// groups without jobs. The index `jobs_origin` finds the next job of an origin even if many jobs of other origins,
  /// which are at their limits, are ahead of it.
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
      queue TEXT,
      received INTEGER NOT NULL DEFAULT 0,
      size INTEGER,
      attempts INTEGER NOT NULL DEFAULT 0,
      retries_used INTEGER NOT NULL DEFAULT 0,
      furthest INTEGER NOT NULL DEFAULT 0,
      digest_retried INTEGER NOT NULL DEFAULT 0,
      start_at REAL,
      transfer_window TEXT,
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
      upload TEXT,
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
    CREATE INDEX jobs_queue
      ON jobs (priority DESC, ifnull(rank, id), id, not_before, waiting_since, origin, start_at, queue)
      WHERE state = 'queued';
    CREATE INDEX jobs_origin
      ON jobs (origin, priority DESC, ifnull(rank, id), id, not_before, waiting_since, start_at, queue)
      WHERE state = 'queued';
    CREATE INDEX jobs_window ON jobs (transfer_window) WHERE state = 'queued' AND transfer_window IS NOT NULL;
    CREATE INDEX jobs_runner ON jobs (runner, origin) WHERE runner IS NOT NULL;
    CREATE INDEX jobs_state ON jobs (state);
    CREATE INDEX jobs_url ON jobs (url);
    CREATE INDEX jobs_target ON jobs (directory, file_name)
      WHERE file_name IS NOT NULL AND state IN ('queued', 'active', 'interrupted', 'paused');
    CREATE INDEX jobs_group ON jobs (group_id) WHERE group_id IS NOT NULL;
    CREATE INDEX jobs_named_queue ON jobs (queue, state) WHERE queue IS NOT NULL;

    CREATE TABLE prerequisites (
      job INTEGER NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
      prerequisite INTEGER NOT NULL,
      PRIMARY KEY (job, prerequisite)
    ) WITHOUT ROWID;
    CREATE INDEX prerequisites_of ON prerequisites (prerequisite);

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

  /// Numbers of attempts are never reused. A reader that continues after a number therefore misses no attempt, even if
  /// the newest attempts were removed with their jobs.
  ///
  /// `block_sums` has the checksums of a job's bytes on disk; `recent_sums` has newer checksums, which override those.
  /// A trigger deletes the rows in both tables when the checkpoint has no bytes.
  ///
  /// `expected_sums` has the checksums that bytes must have when they are fetched again because the earlier bytes were
  /// bad. These checksums are for one version of the file, and are deleted when the job gives up that version. For a
  /// repair, the checksums and the validators of the published file stay, because no other version may replace the
  /// file.
  ///
  /// `uploads` has the unfinished uploads to object stores. Their rows outlive their jobs, because nothing else records
  /// to whom an upload belongs.
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
    CREATE TRIGGER expected_dropped AFTER UPDATE OF published ON jobs WHEN NEW.published IS NULL
    BEGIN DELETE FROM expected_sums WHERE job = NEW.id; END;

    CREATE TABLE uploads (
      place TEXT NOT NULL,
      key TEXT NOT NULL,
      id TEXT NOT NULL,
      part TEXT NOT NULL,
      signature TEXT,
      started_at REAL NOT NULL,
      PRIMARY KEY (place, key, id)
    ) WITHOUT ROWID;
    CREATE INDEX uploads_part ON uploads (part);

    CREATE TABLE session_cookies (
      job INTEGER PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
      lines TEXT NOT NULL
    );

    """

  /// Data shared by all runs. `queues` has the named queues that have settings; `used` is the number of bytes received
  /// since `used_since`, the beginning of the quota's period. `settings` has settings that runners apply while they
  /// run, `feed_entries` the entries that feeds have offered, `documents` copies of catalogs with their validators,
  /// `hsts` the list of RFC 6797, `alt_svc` the origins that offer HTTP/3 (RFC 7838).
  ///
  /// `connections` has the number of connections that helped a file of an origin (0 if the origin's answers had
  /// different versions), `jobs_at_once` the number of small files at once that helped.
  ///
  /// `paces` has for each origin the start of the last request (which may be in the future), the pause after that
  /// start, and the time at which the start was reserved.
  ///
  /// `origins` has the holds: their end, the job and the URL or proxy that was refused, and the status. `held_at`
  /// identifies the hold: if another refusal renews the hold, all passes become void. `hold_passes` has the jobs that
  /// may send a request despite a hold.
  ///
  /// When a job becomes complete, a trigger deletes the waits for this job, the checksums that its bytes had to have,
  /// and the hold for which it had a pass. The trigger first checks whether such rows exist: most jobs of a long list
  /// have none, and a deletion opens a temporary table even if it finds no row.
  private static let shared = """
    CREATE TABLE queues (
      name TEXT PRIMARY KEY,
      settings TEXT NOT NULL,
      used INTEGER NOT NULL DEFAULT 0,
      used_since REAL NOT NULL DEFAULT 0
    ) WITHOUT ROWID;

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

    CREATE TABLE paces (
      origin TEXT PRIMARY KEY,
      start REAL NOT NULL,
      pause REAL NOT NULL,
      reserved_at REAL NOT NULL
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
    CREATE TRIGGER job_complete AFTER UPDATE OF state ON jobs
    WHEN NEW.state = 'complete'
      AND (EXISTS (SELECT 1 FROM prerequisites WHERE prerequisite = NEW.id)
        OR EXISTS (SELECT 1 FROM expected_sums WHERE job = NEW.id)
        OR EXISTS (SELECT 1 FROM hold_passes WHERE job = NEW.id))
    BEGIN
      DELETE FROM prerequisites WHERE prerequisite = NEW.id;
      DELETE FROM expected_sums WHERE job = NEW.id;
      DELETE FROM origins WHERE held_at = (SELECT held_at FROM hold_passes WHERE job = NEW.id);
    END;

    """
}
