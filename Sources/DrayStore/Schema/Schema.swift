// The tables of the job store. A migration that has shipped never changes: a later one goes below it.
//
// Migrations are plain SQL without any type of the program, so that what they did stays what they do.
// Every migration sets `user_version`; that number alone says how new a store is.

import SQLite

enum Schema {
  /// Marks a database as dray's: "dray" in ASCII.
  static let applicationID: Int32 = 0x6472_6179

  /// The `user_version` that this program writes.
  static let version = 11

  /// All migrations, oldest first, by the names that a store remembers them by.
  private static let migrations: KeyValuePairs = [
    "v1": v1, "v2": v2, "v3": v3, "v4": v4, "v5": v5, "v6": v6, "v7": v7, "v8": v8, "v9": v9,
    "v10": v10, "v11": v11,
  ]

  /// Brings a database to ``version``, in one transaction: a new store waits for the disk once, not for each step of its past.
  /// - Parameter last: the last migration, where it is not to be all of them.
  static func migrate(_ db: Database, upTo last: String? = nil) throws {
    // A table that is made again is dropped first, which must not delete what refers to it. Within a transaction this has no effect.
    try db.execute(sql: "PRAGMA foreign_keys = OFF")
    defer { try? db.execute(sql: "PRAGMA foreign_keys = ON") }
    try db.inTransaction(.immediate) {
      try db.execute(sql: "CREATE TABLE IF NOT EXISTS \(history) (identifier TEXT NOT NULL PRIMARY KEY)")
      let done = try applied(db)
      let end = last.flatMap { name in migrations.firstIndex { $0.key == name } } ?? migrations.count - 1
      for (name, statements) in migrations[...end] where !done.contains(name) {
        try db.execute(sql: statements)
        try db.execute(sql: "INSERT INTO \(history) (identifier) VALUES (?)", arguments: [name])
      }
    }
  }

  /// Whether a later dray has migrated the database; the version number says so too, unless it was reset.
  static func isSuperseded(_ db: Database) throws -> Bool {
    guard try db.tableExists(history) else { return false }
    return try !applied(db).subtracting(migrations.map(\.key)).isEmpty
  }

  /// Names the migrations that were carried out. Stores have had it under this name since the first version.
  private static let history = "grdb_migrations"

  private static func applied(_ db: Database) throws -> Set<String> {
    Set(try String.fetchAll(db, sql: "SELECT identifier FROM \(history)"))
  }

  /// Times are seconds since 1970. `url` is the truth of a request's URL, `request` has the rest of it.
  /// `segments` is `lower-upper,…`, half-open, and with `size`, `etag`, `last_modified` and `date` the checkpoint.
  /// `waiting_since` and `held_at` are when a wait was begun: a clock that stands before that was put back, and the
  /// wait is void. `command` is what another process wants of an active job.
  private static let v1 = """
    CREATE TABLE jobs (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      uuid TEXT NOT NULL UNIQUE,
      state TEXT NOT NULL CHECK (state IN ('queued', 'active', 'complete', 'failed', 'interrupted', 'paused')),
      priority INTEGER NOT NULL,
      url TEXT NOT NULL,
      origin TEXT NOT NULL,
      directory TEXT NOT NULL,
      output TEXT,
      file_name TEXT,
      received INTEGER NOT NULL DEFAULT 0,
      size INTEGER,
      attempts INTEGER NOT NULL DEFAULT 0,
      retries_used INTEGER NOT NULL DEFAULT 0,
      furthest INTEGER NOT NULL DEFAULT 0,
      digest_retried INTEGER NOT NULL DEFAULT 0,
      not_before REAL,
      waiting_since REAL,
      added_at REAL NOT NULL,
      finished_at REAL,
      runner TEXT CHECK ((runner IS NOT NULL) = (state = 'active')),
      command TEXT CHECK (command IS NULL OR state = 'active'),
      segments TEXT NOT NULL DEFAULT '',
      etag TEXT,
      last_modified TEXT,
      date TEXT,
      digest TEXT,
      note TEXT,
      failure TEXT,
      publishing TEXT,
      published TEXT,
      final_url TEXT,
      response TEXT,
      request TEXT NOT NULL,
      options TEXT NOT NULL
    );
    CREATE INDEX jobs_queue ON jobs (priority DESC, id, not_before, waiting_since, origin) WHERE state = 'queued';
    CREATE INDEX jobs_runner ON jobs (runner) WHERE runner IS NOT NULL;
    CREATE INDEX jobs_state ON jobs (state);
    CREATE INDEX jobs_url ON jobs (url);
    CREATE INDEX jobs_target ON jobs (directory, file_name)
      WHERE file_name IS NOT NULL AND state IN ('queued', 'active', 'interrupted', 'paused');

    CREATE TABLE attempts (
      job INTEGER NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
      started_at REAL NOT NULL,
      ended_at REAL NOT NULL,
      outcome TEXT NOT NULL,
      message TEXT,
      first_byte INTEGER,
      last_byte INTEGER
    );
    CREATE INDEX attempts_job ON attempts (job);

    CREATE TABLE origins (
      origin TEXT PRIMARY KEY,
      hold_until REAL NOT NULL,
      held_at REAL NOT NULL
    ) WITHOUT ROWID;

    PRAGMA user_version = 1;
    """

  /// `rank` is the place among jobs of one priority if it was moved, else its number is. `start_at` is when its
  /// user wants it to begin. `body` names the spooled body of its request in `bodies/`.
  /// `submitted_at` is when a request that must not be repeated by itself was sent (P10). `prerequisites` has what must be
  /// complete before a job starts. `settings` holds what runners apply while they run. `feed_entries` remembers what feeds
  /// have offered, and `documents` what catalogs said, with the validators to ask by. `session_cookies` are
  /// those that a job keeps for its lifetime.
  /// `hsts` is RFC 6797's list.
  ///
  /// A row of `prerequisites` is a wait that is not over: the trigger ends it when what is waited for is complete. The
  /// index by origin finds the next job of each origin where others are at their limit.
  private static let v2 = """
    ALTER TABLE jobs ADD COLUMN rank REAL;
    ALTER TABLE jobs ADD COLUMN start_at REAL;
    ALTER TABLE jobs ADD COLUMN body TEXT;
    ALTER TABLE jobs ADD COLUMN submitted_at REAL;
    DROP INDEX jobs_queue;
    CREATE INDEX jobs_queue ON jobs (priority DESC, ifnull(rank, id), id, not_before, waiting_since, origin, start_at)
      WHERE state = 'queued';
    DROP INDEX jobs_runner;
    CREATE INDEX jobs_runner ON jobs (runner, origin) WHERE runner IS NOT NULL;
    CREATE INDEX jobs_origin ON jobs (origin, priority DESC, ifnull(rank, id), id, not_before, waiting_since, start_at)
      WHERE state = 'queued';

    CREATE TABLE prerequisites (
      job INTEGER NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
      prerequisite INTEGER NOT NULL,
      PRIMARY KEY (job, prerequisite)
    ) WITHOUT ROWID;
    CREATE INDEX prerequisites_of ON prerequisites (prerequisite);
    CREATE TRIGGER prerequisites_met AFTER UPDATE OF state ON jobs WHEN NEW.state = 'complete'
    BEGIN DELETE FROM prerequisites WHERE prerequisite = NEW.id; END;

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

    CREATE TABLE session_cookies (
      job INTEGER PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
      lines TEXT NOT NULL
    );

    CREATE TABLE hsts (
      host TEXT PRIMARY KEY,
      expires_at REAL NOT NULL,
      includes_subdomains INTEGER NOT NULL
    ) WITHOUT ROWID;

    PRAGMA user_version = 2;
    """

  /// `connections` has how many connections were found to help one file of an origin; 0 if its answers were of
  /// different versions.
  private static let v3 = """
    CREATE TABLE connections (
      origin TEXT PRIMARY KEY,
      helpful INTEGER NOT NULL,
      learned_at REAL NOT NULL
    ) WITHOUT ROWID;

    PRAGMA user_version = 3;
    """

  /// `block_sums` has the checksums of what is on disk of a job, and `recent_sums` those that came since and are laid over
  /// them. Of bytes that are claimed no more nothing is known: the trigger ensures that, whichever statement deletes them.
  private static let v4 = """
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

    PRAGMA user_version = 4;
    """

  /// `digest_source` is who had said what `digest` is. `offered` belongs to the checkpoint: what the server says that the
  /// whole of that version hashes to.
  private static let v5 = """
    ALTER TABLE jobs ADD COLUMN digest_source TEXT;
    ALTER TABLE jobs ADD COLUMN offered TEXT;

    PRAGMA user_version = 5;
    """

  /// `expected_sums` has the checksums that bytes must have which are fetched again, as what was there of them is bad. They are
  /// of one version, and void when that is given up. Those of a repair stay, with what the record of the published file was: no
  /// other version may take its place.
  private static let v6 = """
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

    PRAGMA user_version = 6;
    """

  /// `foreign_depth` is how many components at the end of `directory` came from a document or a list, and not from the user:
  /// no link is followed there (P6). Of older jobs the user is taken to have named all of it.
  private static let v7 = """
    ALTER TABLE jobs ADD COLUMN foreign_depth INTEGER NOT NULL DEFAULT 0;

    PRAGMA user_version = 7;
    """

  /// `alt_svc` has the origins that offer HTTP/3 (RFC 7838).
  private static let v8 = """
    CREATE TABLE alt_svc (
      origin TEXT PRIMARY KEY,
      expires_at REAL NOT NULL
    ) WITHOUT ROWID;

    PRAGMA user_version = 8;
    """

  /// `groups` has what jobs of one directory have in common: where they come from and go to. One without jobs is forgotten by
  /// the trigger. `jobs_at_once` has how many small files of an origin were found to help at once, as `connections` has it for
  /// the connections to one file.
  private static let v9 = """
    CREATE TABLE groups (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL,
      url TEXT NOT NULL,
      directory TEXT NOT NULL,
      added_at REAL NOT NULL,
      UNIQUE (url, directory)
    );
    ALTER TABLE jobs ADD COLUMN group_id INTEGER;
    CREATE INDEX jobs_group ON jobs (group_id) WHERE group_id IS NOT NULL;
    CREATE TRIGGER groups_empty AFTER DELETE ON jobs WHEN OLD.group_id IS NOT NULL
    BEGIN
      DELETE FROM groups
      WHERE id = OLD.group_id AND NOT EXISTS (SELECT 1 FROM jobs WHERE group_id = OLD.group_id);
    END;
    CREATE TABLE jobs_at_once (
      origin TEXT PRIMARY KEY,
      helpful INTEGER NOT NULL,
      learned_at REAL NOT NULL
    ) WITHOUT ROWID;

    PRAGMA user_version = 9;
    """

  /// The number of an attempt is never used twice: a reader that has seen those up to one misses none that come after it, also
  /// where the newest were removed with their job.
  private static let v10 = """
    CREATE TABLE numbered_attempts (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      job INTEGER NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
      started_at REAL NOT NULL,
      ended_at REAL NOT NULL,
      outcome TEXT NOT NULL,
      message TEXT,
      first_byte INTEGER,
      last_byte INTEGER
    );
    INSERT INTO numbered_attempts (id, job, started_at, ended_at, outcome, message, first_byte, last_byte)
      SELECT rowid, job, started_at, ended_at, outcome, message, first_byte, last_byte FROM attempts;
    DROP TABLE attempts;
    ALTER TABLE numbered_attempts RENAME TO attempts;
    CREATE INDEX attempts_job ON attempts (job);

    PRAGMA user_version = 10;
    """

  /// `provenance` belongs to the checkpoint: the URL that sent the bytes on disk, and their form. Records of an older
  /// dray have none; their bytes are compared before they are continued.
  ///
  /// `origins` records the origin of a hold: the job that was refused, the URL or proxy that refused it, the status.
  /// `hold_passes` has the jobs that ask once in spite of a hold. `held_at` names the hold: a new refusal renews it,
  /// and so voids all passes.
  private static let v11 = """
    ALTER TABLE jobs ADD COLUMN provenance TEXT;

    ALTER TABLE origins ADD COLUMN job INTEGER;
    ALTER TABLE origins ADD COLUMN asked_by TEXT;
    ALTER TABLE origins ADD COLUMN status INTEGER;

    CREATE TABLE hold_passes (
      job INTEGER PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
      held_at REAL NOT NULL,
      hold TEXT NOT NULL
    );
    CREATE TRIGGER hold_answered AFTER UPDATE OF state ON jobs WHEN NEW.state = 'complete'
    BEGIN DELETE FROM origins WHERE held_at = (SELECT held_at FROM hold_passes WHERE job = NEW.id); END;

    PRAGMA user_version = 11;
    """
}
