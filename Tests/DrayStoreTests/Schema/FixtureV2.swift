// A store as version 2 of the schema wrote it, dumped by Python's sqlite3. It never changes: whatever the schema becomes,
// such a store must open.

let fixtureV2 = #"""
  PRAGMA journal_mode = WAL;
  PRAGMA application_id = 1685217657;
  PRAGMA user_version = 2;
  BEGIN TRANSACTION;
  CREATE TABLE attempts (
    job INTEGER NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    started_at REAL NOT NULL,
    ended_at REAL NOT NULL,
    outcome TEXT NOT NULL,
    message TEXT,
    first_byte INTEGER,
    last_byte INTEGER
  );
  CREATE TABLE documents (
    url TEXT PRIMARY KEY,
    final_url TEXT NOT NULL,
    etag TEXT,
    last_modified TEXT,
    fetched_at REAL NOT NULL,
    content BLOB NOT NULL
  );
  CREATE TABLE feed_entries (
    feed TEXT NOT NULL,
    guid TEXT NOT NULL,
    added_at REAL NOT NULL,
    PRIMARY KEY (feed, guid)
  ) WITHOUT ROWID;
  INSERT INTO "feed_entries" VALUES('http://h.example/feed','g1',5.0);
  CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
  INSERT INTO "grdb_migrations" VALUES('v1');
  INSERT INTO "grdb_migrations" VALUES('v2');
  CREATE TABLE hsts (
    host TEXT PRIMARY KEY,
    expires_at REAL NOT NULL,
    includes_subdomains INTEGER NOT NULL
  ) WITHOUT ROWID;
  INSERT INTO "hsts" VALUES('h.example',4000000000.0,1);
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
  , rank REAL, start_at REAL, body TEXT, submitted_at REAL);
  INSERT INTO "jobs" VALUES(1,'C02AC3F1-44C9-48ED-AA41-E22BB5B32EA9','queued',2,'http://h.example/a','http://h.example','/d',NULL,NULL,0,NULL,0,0,0,0,NULL,1795251250.5,1795251250.5,NULL,NULL,NULL,'',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'{"addressFamily":"any","connectTimeout":30,"headers":[],"isInsecure":false,"method":"GET","stallTimeout":30,"url":"http://url.invalid/"}','{"digest":"md5=00112233445566778899aabbccddeeff","maxRetryWait":3600,"onConflict":"fail","resume":"safe","retries":5,"retryWait":1}',NULL,1893456000.0,NULL,NULL);
  INSERT INTO "jobs" VALUES(2,'512F3425-18A7-4808-85FD-BFCCB05439F8','queued',0,'http://h.example/b','http://h.example','/d',NULL,NULL,0,NULL,0,0,0,0,NULL,NULL,1795251250.5,NULL,NULL,NULL,'',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'{"addressFamily":"any","connectTimeout":30,"headers":[],"isInsecure":false,"method":"GET","stallTimeout":30,"url":"http://url.invalid/"}','{"hooks":{"onComplete":["echo","x"]},"maxRetryWait":3600,"onConflict":"fail","resume":"safe","retries":5,"retryWait":1}',NULL,NULL,NULL,NULL);
  INSERT INTO "jobs" VALUES(3,'88D035E5-FF0F-4BA8-92E6-B359ACF6A3FD','queued',2,'http://h.example/post','http://h.example','/d',NULL,NULL,0,NULL,0,0,0,0,NULL,NULL,1795251250.5,NULL,NULL,NULL,'',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'{"addressFamily":"any","authentication":{"scheme":"digest"},"body":{"contentType":"application/x-www-form-urlencoded","length":3,"path":"/state/bodies/D34D542A-675F-4741-AF44-AB1E67992F4B.body"},"connectTimeout":30,"credentials":{"password":"p","user":"u"},"headers":[],"isInsecure":false,"method":"POST","stallTimeout":30,"url":"http://url.invalid/"}','{"maxRetryWait":3600,"onConflict":"rename","resume":"safe","retries":5,"retryWait":1}',0.0,NULL,'D34D542A-675F-4741-AF44-AB1E67992F4B.body',NULL);
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
  INSERT INTO "prerequisites" VALUES(2,1);
  CREATE TABLE session_cookies (
    job INTEGER PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
    lines TEXT NOT NULL
  );
  CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) WITHOUT ROWID;
  INSERT INTO "settings" VALUES('rate-limit','1M');
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
  DELETE FROM "sqlite_sequence";
  INSERT INTO "sqlite_sequence" VALUES('jobs',3);
  COMMIT;
  """#
