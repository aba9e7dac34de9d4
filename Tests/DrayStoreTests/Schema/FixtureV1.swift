// A store as version 1 of the schema wrote it, dumped by sqlite3. It never changes: whatever the schema becomes, such a
// store must open.

let fixtureV1 = #"""
  PRAGMA journal_mode = WAL;
  PRAGMA application_id = 1685217657;
  PRAGMA user_version = 1;
  BEGIN TRANSACTION;
  CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
  INSERT INTO grdb_migrations VALUES('v1');
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
  INSERT INTO jobs VALUES(2,'3BE568CB-A5A3-4A89-A153-62E2217A62F3','active',0,'http://h/active','http://h','/d',NULL,NULL,0,NULL,1,0,0,0,NULL,NULL,1.0,NULL,'23EE4914-138A-48D6-B8F0-77AE352B0368',NULL,'',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,
    '{"addressFamily":"any","connectTimeout":30,"headers":[],"isInsecure":false,"method":"GET","stallTimeout":30,"url":"http://url.invalid/"}',
    '{"maxRetryWait":3600,"onConflict":"fail","resume":"safe","retries":5,"retryWait":1}');
  INSERT INTO jobs VALUES(3,'9165F798-4120-44C4-8D20-1E31DD5FFE3E','complete',0,'http://h/complete','http://h','/d',NULL,NULL,3,3,1,0,0,0,NULL,NULL,1.0,3.0,NULL,NULL,'0-3',NULL,NULL,NULL,NULL,NULL,NULL,NULL,
    '{"device":1,"inode":2,"modified":4,"size":3}',NULL,NULL,
    '{"addressFamily":"any","connectTimeout":30,"headers":[],"isInsecure":false,"method":"GET","stallTimeout":30,"url":"http://url.invalid/"}',
    '{"maxRetryWait":3600,"onConflict":"fail","resume":"safe","retries":5,"retryWait":1}');
  INSERT INTO jobs VALUES(7,'9C19BCFF-E8F8-4C39-96DC-7E319C3D956A','queued',3,'https://h:8443/post?x=1','https://h:8443','/d',NULL,NULL,20,100,1,2,30,0,50.0,40.0,1.5,NULL,NULL,NULL,'0-10,20-30','"v1"',NULL,NULL,NULL,NULL,
    '{"advice":"wait","httpStatus":503,"kind":"status","reason":"503","recovery":"retry","retryAfter":10,"subject":"https://cdn/z"}',NULL,NULL,'https://cdn/z',
    '{"finalURL":"https://cdn/z","head":{"fields":[{"name":"ETag","value":"\"v1\""}],"reason":"Partial Content","status":206,"version":"1.1"},"redirects":["https://h:8443/post?x=1"],"time":3}',
    '{"addressFamily":"any","connectTimeout":30,"credentials":{"password":"p","user":"u"},"headers":[{"name":"X-A","value":"it''s"}],"isInsecure":false,"method":"POST","stallTimeout":30,"url":"http://url.invalid/"}',
    '{"digest":"md5=00112233445566778899aabbccddeeff","maxRetryWait":3600,"onConflict":"rename","rateLimit":1000,"resume":"safe","retries":5,"retryWait":1}');
  CREATE TABLE attempts (
    job INTEGER NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    started_at REAL NOT NULL,
    ended_at REAL NOT NULL,
    outcome TEXT NOT NULL,
    message TEXT,
    first_byte INTEGER,
    last_byte INTEGER
  );
  INSERT INTO attempts VALUES(3,2.0,3.0,'complete',NULL,0,3);
  INSERT INTO attempts VALUES(7,2.0,40.0,'retry','503',20,30);
  CREATE TABLE origins (
    origin TEXT PRIMARY KEY,
    hold_until REAL NOT NULL,
    held_at REAL NOT NULL
  ) WITHOUT ROWID;
  INSERT INTO origins VALUES('https://cdn',50.0,40.0);
  DELETE FROM sqlite_sequence;
  INSERT INTO sqlite_sequence VALUES('jobs',7);
  CREATE INDEX jobs_queue ON jobs (priority DESC, id, not_before, waiting_since, origin) WHERE state = 'queued';
  CREATE INDEX jobs_runner ON jobs (runner) WHERE runner IS NOT NULL;
  CREATE INDEX jobs_state ON jobs (state);
  CREATE INDEX jobs_url ON jobs (url);
  CREATE INDEX jobs_target ON jobs (directory, file_name)
    WHERE file_name IS NOT NULL AND state IN ('queued', 'active', 'interrupted', 'paused');
  CREATE INDEX attempts_job ON attempts (job);
  COMMIT;
  """#
