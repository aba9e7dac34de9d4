// A store as version 10 of the schema wrote it, dumped by Python's sqlite3 (rows after all tables): that of version 9, migrated.
// It never changes: whatever the schema becomes, such a store must open.

// swift-format-ignore
let fixtureV10 = #"""
  PRAGMA journal_mode = WAL;
  PRAGMA application_id = 1685217657;
  PRAGMA user_version = 10;
  BEGIN TRANSACTION;
  CREATE TABLE alt_svc (
    origin TEXT PRIMARY KEY,
    expires_at REAL NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE "attempts" (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
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
  CREATE TABLE groups (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    url TEXT NOT NULL,
    directory TEXT NOT NULL,
    added_at REAL NOT NULL,
    UNIQUE (url, directory)
  );
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
  , rank REAL, start_at REAL, body TEXT, submitted_at REAL, digest_source TEXT, offered TEXT, foreign_depth INTEGER NOT NULL DEFAULT 0, group_id INTEGER);
  CREATE TABLE jobs_at_once (
    origin TEXT PRIMARY KEY,
    helpful INTEGER NOT NULL,
    learned_at REAL NOT NULL
  ) WITHOUT ROWID;
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
  INSERT INTO "jobs" VALUES(1,'EF8CFC7A-54BE-4FF3-855C-65647897711D','complete',0,'http://127.0.0.1:8801/a.bin','http://127.0.0.1:8801','/d','c-gate.bin','c-gate.bin',3000000,3000000,1,0,0,0,NULL,NULL,1795526032.5,1795526032.5,NULL,NULL,'0-3000000',NULL,'Tue, 24 Nov 2026 11:40:23 GMT','Tue, 24 Nov 2026 13:13:52 GMT',NULL,NULL,NULL,NULL,'{"device":65024,"inode":16319239,"modified":1795520423000000000,"size":3000000}','http://127.0.0.1:8801/a.bin','{"finalURL":"http://127.0.0.1:8801/a.bin","head":{"fields":[{"name":"Server","value":"SimpleHTTP/0.6 Python/3.11.7"},{"name":"Date","value":"Tue, 24 Nov 2026 13:13:52 GMT"},{"name":"Content-type","value":"application/octet-stream"},{"name":"Content-Length","value":"3000000"},{"name":"Last-Modified","value":"Tue, 24 Nov 2026 11:40:23 GMT"}],"reason":"OK","status":200,"version":"1.0"},"redirects":[],"time":1795526032.0698824,"connection":{"address":"127.0.0.1","isReused":false,"port":8801,"timings":{"connect":0.000411,"firstByte":0.002611,"nameLookup":3e-05,"total":0.004819}}}','{"addressFamily":"any","connectTimeout":30,"headers":[],"isInsecure":false,"method":"GET","stallTimeout":30,"url":"http://url.invalid/"}','{"isOneOff":true,"maxRetryWait":3600,"onConflict":"fail","resume":"safe","retries":5,"retryWait":1}',NULL,NULL,NULL,NULL,NULL,NULL,0,NULL);
  INSERT INTO "jobs" VALUES(2,'606574E8-1BE7-42F7-AC2B-C4EEC3A0507C','paused',2,'https://h.example/x','https://h.example','/d/e','x','x',0,NULL,0,0,0,0,NULL,NULL,1795526032.5,NULL,NULL,NULL,'',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'{"addressFamily":"any","connectTimeout":30,"headers":[{"name":"X-A","value":"it''s"}],"isInsecure":false,"method":"GET","stallTimeout":30,"url":"http://url.invalid/"}','{"digest":"md5=00112233445566778899aabbccddeeff","maxRetryWait":3600,"onConflict":"fail","rateLimit":1000,"resume":"safe","retries":5,"retryWait":1}',NULL,NULL,NULL,NULL,NULL,NULL,0,NULL);
  INSERT INTO "jobs" VALUES(3,'0BA333CD-45D0-409F-B964-9AE76291BD06','queued',0,'https://h.example/y','https://h.example','/d',NULL,NULL,0,NULL,0,0,0,0,NULL,NULL,1795526032.5,NULL,NULL,NULL,'',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'{"addressFamily":"any","connectTimeout":30,"headers":[],"isInsecure":false,"method":"GET","stallTimeout":30,"url":"http://url.invalid/"}','{"hooks":{"onComplete":["echo","x"]},"maxRetryWait":3600,"onConflict":"fail","resume":"safe","retries":5,"retryWait":1}',NULL,NULL,NULL,NULL,NULL,NULL,0,NULL);
  INSERT INTO "jobs" VALUES(4,'0DF8A9F9-0A1E-45E6-9C4A-403BB4E288C8','queued',0,'https://h.example/post','https://h.example','/d',NULL,NULL,0,NULL,0,0,0,0,NULL,NULL,1795526032.5,NULL,NULL,NULL,'',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'{"addressFamily":"any","body":{"contentType":"application/x-www-form-urlencoded","length":3,"path":"/d-gate/bodies/81D1CF9F-C24E-484E-87FA-4F601F17789D.body"},"connectTimeout":30,"headers":[],"isInsecure":false,"method":"POST","stallTimeout":30,"url":"http://url.invalid/"}','{"maxRetryWait":3600,"onConflict":"rename","resume":"safe","retries":5,"retryWait":1}',NULL,NULL,'81D1CF9F-C24E-484E-87FA-4F601F17789D.body',NULL,NULL,NULL,0,NULL);
  INSERT INTO "jobs" VALUES(5,'750F30D5-D66F-4DF9-8173-00881FEF800D','failed',0,'http://127.0.0.1:8801/missing','http://127.0.0.1:8801','/d',NULL,NULL,0,NULL,1,0,0,0,NULL,NULL,1795526032.5,1795526032.5,NULL,NULL,'',NULL,NULL,NULL,NULL,NULL,'{"advice":"check the URL; if the file moved, {setURL 5} continues from there","httpStatus":404,"kind":"status","reason":"the server does not have the file (404 Not Found)","recovery":"keep","subject":"http://127.0.0.1:8801/missing"}',NULL,NULL,'http://127.0.0.1:8801/missing','{"finalURL":"http://127.0.0.1:8801/missing","head":{"fields":[{"name":"Server","value":"SimpleHTTP/0.6 Python/3.11.7"},{"name":"Date","value":"Tue, 24 Nov 2026 13:13:52 GMT"},{"name":"Connection","value":"close"},{"name":"Content-Type","value":"text/html;charset=utf-8"},{"name":"Content-Length","value":"335"}],"reason":"File not found","status":404,"version":"1.0"},"redirects":[],"time":1795526032.2662504,"connection":{"address":"127.0.0.1","isReused":false,"port":8801,"timings":{"connect":0.000864,"firstByte":0.001341,"nameLookup":3e-05,"total":0.001473}}}','{"addressFamily":"any","connectTimeout":30,"headers":[],"isInsecure":false,"method":"GET","stallTimeout":30,"url":"http://url.invalid/"}','{"isOneOff":true,"maxRetryWait":3600,"onConflict":"fail","resume":"safe","retries":5,"retryWait":1}',NULL,NULL,NULL,NULL,NULL,NULL,0,NULL);
  INSERT INTO "attempts" VALUES(1,1,1795526032.5,1795526032.5,'complete',NULL,0,3000000);
  INSERT INTO "attempts" VALUES(2,5,1795526032.5,1795526032.5,'failed','http://127.0.0.1:8801/missing: the server does not have the file (404 Not Found)',0,0);
  INSERT INTO "grdb_migrations" VALUES('v1');
  INSERT INTO "grdb_migrations" VALUES('v2');
  INSERT INTO "grdb_migrations" VALUES('v3');
  INSERT INTO "grdb_migrations" VALUES('v4');
  INSERT INTO "grdb_migrations" VALUES('v5');
  INSERT INTO "grdb_migrations" VALUES('v6');
  INSERT INTO "grdb_migrations" VALUES('v7');
  INSERT INTO "grdb_migrations" VALUES('v8');
  INSERT INTO "grdb_migrations" VALUES('v9');
  INSERT INTO "grdb_migrations" VALUES('v10');
  INSERT INTO "prerequisites" VALUES(3,2);
  CREATE INDEX jobs_state ON jobs (state);
  CREATE INDEX jobs_url ON jobs (url);
  CREATE INDEX jobs_target ON jobs (directory, file_name)
    WHERE file_name IS NOT NULL AND state IN ('queued', 'active', 'interrupted', 'paused');
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
  CREATE INDEX jobs_group ON jobs (group_id) WHERE group_id IS NOT NULL;
  CREATE TRIGGER groups_empty AFTER DELETE ON jobs WHEN OLD.group_id IS NOT NULL
  BEGIN
    DELETE FROM groups
    WHERE id = OLD.group_id AND NOT EXISTS (SELECT 1 FROM jobs WHERE group_id = OLD.group_id);
  END;
  CREATE INDEX attempts_job ON attempts (job);
  DELETE FROM "sqlite_sequence";
  INSERT INTO "sqlite_sequence" VALUES('jobs',5);
  INSERT INTO "sqlite_sequence" VALUES('attempts',2);
  COMMIT;
  """#
