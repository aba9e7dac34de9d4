// A store as version 8 of the schema wrote it, dumped by Python's sqlite3 (attempts after their jobs): a complete job, and
// one that waits. It never changes: whatever the schema becomes, such a store must open.

// swift-format-ignore
let fixtureV8 = #"""
  PRAGMA journal_mode = WAL;
  PRAGMA application_id = 1685217657;
  PRAGMA user_version = 8;
  BEGIN TRANSACTION;
  CREATE TABLE alt_svc (
    origin TEXT PRIMARY KEY,
    expires_at REAL NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE attempts (
    job INTEGER NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    started_at REAL NOT NULL,
    ended_at REAL NOT NULL,
    outcome TEXT NOT NULL,
    message TEXT,
    first_byte INTEGER,
    last_byte INTEGER
  );
  CREATE TABLE block_sums (
    job INTEGER PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
    sums BLOB NOT NULL
  );
  CREATE TABLE connections (
    origin TEXT PRIMARY KEY,
    helpful INTEGER NOT NULL,
    learned_at REAL NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE documents (
    url TEXT PRIMARY KEY,
    final_url TEXT NOT NULL,
    etag TEXT,
    last_modified TEXT,
    fetched_at REAL NOT NULL,
    content BLOB NOT NULL
  );
  CREATE TABLE expected_sums (
    job INTEGER PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
    sums BLOB NOT NULL,
    is_repair INTEGER NOT NULL,
    etag TEXT,
    last_modified TEXT,
    date TEXT,
    offered TEXT
  );
  CREATE TABLE feed_entries (
    feed TEXT NOT NULL,
    guid TEXT NOT NULL,
    added_at REAL NOT NULL,
    PRIMARY KEY (feed, guid)
  ) WITHOUT ROWID;
  CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
  INSERT INTO "grdb_migrations" VALUES('v1');
  INSERT INTO "grdb_migrations" VALUES('v2');
  INSERT INTO "grdb_migrations" VALUES('v3');
  INSERT INTO "grdb_migrations" VALUES('v4');
  INSERT INTO "grdb_migrations" VALUES('v5');
  INSERT INTO "grdb_migrations" VALUES('v6');
  INSERT INTO "grdb_migrations" VALUES('v7');
  INSERT INTO "grdb_migrations" VALUES('v8');
  CREATE TABLE hsts (
    host TEXT PRIMARY KEY,
    expires_at REAL NOT NULL,
    includes_subdomains INTEGER NOT NULL
  ) WITHOUT ROWID;
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
  , rank REAL, start_at REAL, body TEXT, submitted_at REAL, digest_source TEXT, offered TEXT, foreign_depth INTEGER NOT NULL DEFAULT 0);
  INSERT INTO "jobs" VALUES(1,'3B775B32-FE30-4E39-8E65-25268F85EFAF','complete',0,'http://127.0.0.1:9101/d/a.bin','http://127.0.0.1:9101','/d',NULL,'a.bin',16,16,1,0,0,0,NULL,NULL,1.79549348476302647594e+09,1.79549348527700257296e+09,NULL,NULL,'0-16','"6553f100-10"','Tue, 14 Nov 2023 22:13:20 GMT','Tue, 24 Nov 2026 04:11:25 GMT',NULL,NULL,NULL,NULL,'{"device":65024,"inode":2736241,"modified":1700000000000000000,"size":16}','http://127.0.0.1:9101/d/a.bin','{"finalURL":"http://127.0.0.1:9101/d/a.bin","head":{"fields":[{"name":"Server","value":"nginx/1.22.1"},{"name":"Date","value":"Tue, 24 Nov 2026 04:11:25 GMT"},{"name":"Content-Type","value":"text/plain"},{"name":"Content-Length","value":"16"},{"name":"Last-Modified","value":"Tue, 14 Nov 2023 22:13:20 GMT"},{"name":"Connection","value":"keep-alive"},{"name":"ETag","value":"\"6553f100-10\""},{"name":"Accept-Ranges","value":"bytes"}],"reason":"OK","status":200,"version":"1.1"},"redirects":[],"time":1795493485.2642167,"connection":{"address":"127.0.0.1","isReused":false,"port":9101,"timings":{"connect":0.000618,"firstByte":0.000913,"nameLookup":3e-05,"total":0.001551}}}','{"addressFamily":"any","connectTimeout":30,"headers":[],"isInsecure":false,"method":"GET","stallTimeout":30,"url":"http://url.invalid/"}','{"maxRetryWait":3600,"onConflict":"fail","resume":"safe","retries":5,"retryWait":1}',NULL,NULL,NULL,NULL,NULL,NULL,0);
  INSERT INTO "jobs" VALUES(2,'DB37798A-163C-41EB-BFE9-0A31228ADB44','queued',2,'https://h.example/x','https://h.example','/d/e/sub','x','x',0,NULL,0,0,0,0,NULL,NULL,1.79549348558256936076e+09,NULL,NULL,NULL,'',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'{"addressFamily":"any","connectTimeout":30,"headers":[],"isInsecure":false,"method":"GET","stallTimeout":30,"url":"http://url.invalid/"}','{"maxRetryWait":3600,"onConflict":"fail","resume":"safe","retries":5,"retryWait":1}',NULL,NULL,NULL,NULL,NULL,NULL,1);
  INSERT INTO "attempts" VALUES(1,1.79549348526077389722e+09,1.79549348526479721072e+09,'complete',NULL,0,16);
  CREATE TABLE origins (
    origin TEXT PRIMARY KEY,
    hold_until REAL NOT NULL,
    held_at REAL NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE prerequisites (
    job INTEGER NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    prerequisite INTEGER NOT NULL,
    PRIMARY KEY (job, prerequisite)
  ) WITHOUT ROWID;
  CREATE TABLE recent_sums (
    job INTEGER PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
    sums BLOB NOT NULL
  );
  CREATE TABLE session_cookies (
    job INTEGER PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
    lines TEXT NOT NULL
  );
  CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX jobs_state ON jobs (state);
  CREATE INDEX jobs_url ON jobs (url);
  CREATE INDEX jobs_target ON jobs (directory, file_name)
    WHERE file_name IS NOT NULL AND state IN ('queued', 'active', 'interrupted', 'paused');
  CREATE INDEX attempts_job ON attempts (job);
  CREATE INDEX jobs_queue ON jobs (priority DESC, ifnull(rank, id), id, not_before, waiting_since, origin, start_at)
    WHERE state = 'queued';
  CREATE INDEX jobs_runner ON jobs (runner, origin) WHERE runner IS NOT NULL;
  CREATE INDEX jobs_origin ON jobs (origin, priority DESC, ifnull(rank, id), id, not_before, waiting_since, start_at)
    WHERE state = 'queued';
  CREATE INDEX prerequisites_of ON prerequisites (prerequisite);
  CREATE TRIGGER prerequisites_met AFTER UPDATE OF state ON jobs WHEN NEW.state = 'complete'
  BEGIN DELETE FROM prerequisites WHERE prerequisite = NEW.id; END;
  CREATE TRIGGER sums_void AFTER UPDATE OF segments ON jobs WHEN NEW.segments = ''
  BEGIN
    DELETE FROM block_sums WHERE job = NEW.id;
    DELETE FROM recent_sums WHERE job = NEW.id;
  END;
  CREATE TRIGGER expected_void AFTER UPDATE OF segments ON jobs WHEN NEW.segments = ''
  BEGIN DELETE FROM expected_sums WHERE job = NEW.id AND NOT is_repair; END;
  CREATE TRIGGER expected_met AFTER UPDATE OF state ON jobs WHEN NEW.state = 'complete'
  BEGIN DELETE FROM expected_sums WHERE job = NEW.id; END;
  CREATE TRIGGER expected_dropped AFTER UPDATE OF published ON jobs WHEN NEW.published IS NULL
  BEGIN DELETE FROM expected_sums WHERE job = NEW.id; END;
  DELETE FROM "sqlite_sequence";
  INSERT INTO "sqlite_sequence" VALUES('jobs',2);
  COMMIT;
  """#
