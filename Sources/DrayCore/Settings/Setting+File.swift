// The settings of a job's file, and the settings that only `dray export` writes.

extension Setting {
  /// All settings, in the order in which they are shown.
  package static let all: [Setting] = file + request + authentication + schemes + objects + exports

  /// The valid priorities of a job.
  package static let priorities = -1_000_000...1_000_000

  static let file: [Setting] = [
    Setting(
      reading: "dir", copy: { from, to in (to.directory, to.foreignDepth) = (from.directory, from.foreignDepth) },
      values: { [$0.output == nil ? $0.directory : $0.place.base] }
    ).help(
      "Put files into this directory, which is created if needed, or below s3://BUCKET/PREFIX/.", value: "dir",
      short: "d", offers: .directories
    )
    .about(.files).known(curl: "--output-dir", typed: "-P --directory-prefix --output-dir"),
    Setting(
      reading: "out", copy: { from, to in to.output = from.output },
      values: { job in job.output.map { [(job.place.foreign + [$0]).joined(separator: "/")] } ?? [] }),
    Setting(
      reading: "temp-dir", copy: { from, to in to.options.partDirectory = from.options.partDirectory },
      values: { $0.options.partDirectory.map { [$0] } ?? [] }
    ).help(
      "Keep unfinished files in this directory; it is created if needed.",
      """
      A complete file is renamed into its own directory. On another file system it is copied there, synced and compared first, so \
      the target still appears all at once.
      """, value: "dir", offers: .directories
    ).own.forClients.about(.files),
    Setting("priority", .count(priorities), at: \.priority).help("Higher runs first.", value: "number").client(
      "priority", "Higher runs first; 0 otherwise.", mayChange: true
    ).forClients.about(.queue),
    Setting(list: "after", .id, at: \.after, shape: .integers, separator: ",").help(
      "Start when these jobs are complete; may be repeated, or a comma-separated list.",
      "If one of them fails or is removed, this job fails too; `dray retry` of the failed one queues both.",
      value: "id", offers: .jobs
    ).notForAll("it names jobs: use it on the command line").client(
      "after", "The jobs that must be complete before it starts."
    ).about(.queue),
    Setting("start-at", .start, optional: \.startAt).help(
      "Do not start before this time.",
      "23:00 (the next time), 2026-11-22T01:00, or +2h. `dray resume` starts it at once.", value: "time"
    ).about(.queue),
    Setting("queue", .queue, optional: \.queue).help(
      "Put the job into this named queue, whose limits then apply to it.",
      """
      `dray queue set` gives a queue its limits and a directory, which jobs without --dir use. A new name is a queue \
      without limits, unless it is nearly that of another: then dray asks which is meant.
      """, value: "name", offers: .queues
    ).client("queue", "The named queue whose limits apply to it; null for none.", mayChange: true).forClients
      .about(.queue),
    Setting(list: "label", .label, at: \.labels, shape: .string, separator: ",").joined.help(
      "Give the job this label, a word or NAME=VALUE; may be repeated, or a comma-separated list.",
      "`dray run --only LABEL` transfers just the jobs that have it, and `dray list --label LABEL` shows them.",
      value: "label"
    ).forClients.about(.queue),
    Setting("between", .window, at: \.window).help(
      "Transfer only at these times: 01:00-07:00, `Mon-Fri 22:00-06:00`, or off.",
      """
      Outside of them the job is stopped with its bytes kept, and goes on by itself while a runner is there. Days without \
      times are whole days: `Mon-Fri 22:00-06:00 Sat,Sun`. A time that ends at or before its start ends on the next day. \
      `dray limit --window` is for all jobs.
      """, value: "times"
    ).client(
      "between", "The times at which it is transferred, such as 01:00-07:00 or Mon-Fri 22:00-06:00.", mayChange: true
    ).forClients.about(.queue),
    Setting("on-conflict", .word, at: \.options.onConflict).help("What to do when the target exists.").about(.files),
    Setting("resume", .word, at: \.options.resume).help("How to resume if nothing identifies the version of the file.")
      .forClients.about(.verify),
    Setting("checksum", .digest, optional: \.givenDigest).help(
      "Check the whole file: md5, sha-1, sha-256, sha-384, sha-512, git-sha1, crc32, crc32c or crc64nvme, in hex or base64.",
      "The length of a hash in hex tells its algorithm: 64 digits are SHA-256.", value: "alg=digest"
    ).notForAll("it applies to one file: use it on the command line, or checksum= in a list").client(
      "checksum", "The digest that it must have, as ALGORITHM=HEX."
    ).about(.verify),
    Setting("size", .bytes, optional: \.options.expectedSize).notForAll(
      "it applies to one file: use it on the command line"),
    Setting("expect-type", .type, optional: \.options.expectedType).help(
      "Fail unless the file is of this type, such as application/zip or image/*.",
      """
      Both the server's Content-Type and the first bytes must agree. Nothing is kept of another file.
      """, value: "type"
    ).about(.verify),
    Setting(list: "allow-type", .type, at: \.allowedTypes, shape: .string, separator: ",").joined.help(
      "Accept a file of this type, whatever its name promises; may be repeated, or a comma-separated list.",
      """
      If the name in the URL or for --output promises an archive, an image or the like, and a web page comes, the job fails \
      and the page is kept as NAME.html-instead. With text/html here it is the file. Other types that do not fit \
      their names are only reported; with this they are not.
      """, value: "type"
    ).forClients.about(.verify),
    Setting(
      reading: "verify", copy: { from, to in to.options.verify = from.options.verify },
      values: { job in [job.options.verify ?? .offered].filter { $0 != .offered }.map(\.rawValue) }
    ).help("Where to find digests of the file, in addition to --checksum.").with("verify-key").forClients
      .about(.verify),
    Setting(
      reading: "verify-key", copy: { from, to in to.options.verifyKey = from.options.verifyKey },
      values: { $0.options.verifyKey.map { [$0] } ?? [] }
    ).help(
      "The minisign public key for signatures of digest lists, or a file with it.",
      "For --verify auto and require. gpg signatures are checked with your own keyring.", value: "key|file"
    ).refusedToClients("keys are files of this machine", .files, "a key file for signatures") {
      $0.options.verifyKey?.contains("/") ?? false
    }.with("verify").forClients.about(.verify),
    Setting(
      reading: "seed", .strings, copy: { from, to in to.seeds = from.seeds }, values: { $0.seeds }
    ).help(
      "Take what is in this file already, and fetch only the rest; may be repeated.",
      """
      For a new version of a file that is here. Its blocks are listed in a control file of zsync, which is looked for at the URL \
      with .zsync appended, unless --zsync names it; a URL that ends in .zsync may also be given in place of the file's own. \
      Each seed is read once and not changed. The SHA-1 in the control file proves the result.
      """, value: "file", offers: .files
    ).own.notForAll("it names files for one download: use it on the command line").refusedToClients(
      "it would read a file of this machine", .files, "a file of this machine to take parts from"
    ) { !$0.seeds.isEmpty }.with("zsync").about(.input),
    Setting(
      reading: "zsync", copy: { from, to in to.seedControl = from.seedControl },
      values: { $0.seedControl.map { [$0] } ?? [] }
    ).help(
      "The control file of zsync for --seed: a URL, or a file of this machine.",
      "`dray verify --repair` uses it, too: of a damaged file it then fetches only the damaged blocks.",
      value: "url|file", offers: .files
    ).own.notForAll("it describes one file: use it on the command line").refusedToClients(
      "it would read a file of this machine", .files, "a control file of this machine"
    ) { $0.seedControl?.hasPrefix("/") ?? false }.with("seed").with { $0.isSecret = isSecretURL }.about(.input),
    Setting(list: "mirror", .mirror, at: \.mirrors).help(
      "Another URL of the same file; may be repeated.",
      "For one URL only. Credentials, header fields and cookies are not sent there.", value: "url"
    ).notForAll("it applies to one file: use it on the command line, or after the URL in a list").with {
      $0.isSecret = isSecretURL
    }.about(.input),
    Setting("max-connections", .countOrAuto(JobOptions.connectionRange), at: \.options.maxConnections).help(
      "At most this many connections for one file (default: {default}).",
      """
      auto allows \(JobOptions.defaultConnections), and one into a bucket. Connections are added as long as they \
      increase the rate. Many servers \
      refuse more than \(JobOptions.politeConnections).
      """, value: "number", short: "x"
    )
    .client("connections", "At most this many connections for its file.", mayChange: true)
    .forClients.host(.whenAdded)
    .about(.speed).known(typed: "--split --max-connection-per-server"),
    Setting(flag: "in-order", true, at: \.options.inOrder).help(
      "Fetch the file from its start to its end, to be read while it arrives.",
      """
      Several connections work near the first missing byte, at most \(SegmentPlan.window >> 20) MiB ahead of it. A player or \
      an unpacker reads the part file, whose name is NAME.UUID.part and is printed at the start; bytes that are \
      missing in it read as zeros. With `-o -`, bytes are written as they arrive, in order and each once.
      """
    ).client("inOrder", "Whether it is fetched from its start to its end, to be read while it arrives.").about(.files),
    Setting("limit-rate", .limit, at: \.options.rateLimit).help(
      "Limit each job to this many bytes per second, such as 500k or 2M; off for no limit.", value: "rate"
    ).client("limitRate", "Bytes a second at most, such as 500k or 2M; null for no limit.", mayChange: true).forClients
      .host(.whenAdded)
      .about(.speed).known(curl: "--limit-rate", zeroIsDefault: true),
    Setting("max-time", .seconds(mayBeZero: false), optional: \.options.maxTime).help(
      "Interrupt a transfer that takes longer than this (default: no limit).",
      "What came is kept, and `dray run` continues. Each retry has this time to itself. The exit status is 4.",
      value: "time"
    ).forClients
      .about(.retries).known(curl: "-m --max-time", zeroIsDefault: true),
    Setting("max-filesize", .size, optional: \.options.maxSize).help(
      "Refuse a file that is larger than this, such as 500M (default: no limit).",
      """
      By the length that the server states, before a byte is written; where it states none, as soon as more came. Nothing is \
      kept. The exit status is 3, as for everything that may not come to the disk.
      """, value: "size"
    ).forClients
      .about(.verify).known(curl: "--max-filesize", zeroIsDefault: true),
    Setting("retries", .count(JobOptions.retryRange), at: \.options.retries).help(
      "Retry this often without progress (default: {default}; 0 means never).", value: "number"
    ).forClients.host(.whenAdded)
      .about(.retries).known(curl: "--retry", typed: "--retry"),
    Setting("retry-wait", .seconds(), at: \.options.retryWait).help(
      "Wait this long before the first retry, doubled for each further one (default: {default}).", value: "time"
    ).forClients.host(.whenAdded)
      .about(.retries).known(curl: "--retry-delay", zeroIsDefault: true, typed: "--retry-delay --waitretry"),
    Setting("max-retry-wait", .seconds(), at: \.options.maxRetryWait).help(
      "The longest delay that a server may ask for (default: {default}).",
      "Shorter ones are observed, and use up no retry; `dray resume ID` or `dray limit --no-hold HOST` ends one.",
      value: "time"
    ).forClients.about(.retries),
    Setting(flag: "retry-all-errors", true, at: \.options.retriesAll).help(
      "Also retry what rarely passes: a 404, a refused login.",
      """
      Otherwise such a failure ends the job at once, and a port that is closed ends `get` after three tries. A wrong \
      digest or a full disk is not retried in any case.
      """
    ).forClients
      .about(.retries).known(curl: "--retry-all-errors"),
    Setting(list: "retry-status", .status, at: \.retryStatuses, shape: .string, separator: ",").joined.help(
      "Also retry these statuses: 403, or 5xx for all of a class; may be repeated, or a comma-separated list.",
      """
      408, 425, 429 and 5xx are retried in any case. --retries and --retry-wait say how often, and a Retry-After is observed. For a server \
      that answers 403 or 404 while it is busy, or before the file is there.
      """, value: "status"
    ).forClients.host(.whenAdded).about(.retries),
    Setting(flag: "no-mtime", true, at: \.options.keepsArrivalTime).help(
      "Do not set the files' times to those that the server reports."
    ).forClients
      .about(.files).known(typed: "--no-use-server-timestamps"),
    Setting(flag: "xattr", true, at: \.options.recordsOrigin).help(
      "Record the URL in the extended attribute user.xdg.origin.url of the file.",
      "It is the job's URL, without user name, password and secret parameters."
    ).forClients
      .about(.files).known(curl: "--xattr"),
    hook("on-complete", \.hooks.onComplete).help(
      "Run this when a job is complete.",
      """
      The command is split into words as by a shell, but no shell runs. It gets the job as JSON on standard input and in \
      DRAY_JOB_… variables. Its result never affects the job or the exit status.
      """, value: "command"
    ).about(.hooks),
    hook("on-error", \.hooks.onError).help(
      "Run this when a job fails or is interrupted by an error.", value: "command"
    ).about(.hooks),
  ]

  private static func hook(
    _ name: String, _ path: any WritableKeyPath<JobSpecification, [String]?> & Sendable
  ) -> Setting {
    Setting(
      reading: name, copy: { from, to in to[keyPath: path] = from[keyPath: path] },
      values: { job in job[keyPath: path].map { [CommandWords.joined($0)] } ?? [] }
    ).own.forClients.refusedToClients("a command would run on this machine", .hooks, "a command") {
      $0.options.hooks != nil
    }
  }

  /// Makes this a list whose values are joined by commas. Apply this before other modifiers, because it resets the
  /// properties that they set.
  private var joined: Setting {
    Setting(
      name, shape, values: { job in values(job).isEmpty ? [] : [values(job).joined(separator: ",")] }, put: put,
      copy: copy)
  }

  /// Settings that only documents and dray itself set. `dray export` writes them.
  static let exports: [Setting] = [
    Setting("checksum-source", .source, optional: \.options.digestSource).exported,
    Setting(
      "pieces", .strings,
      values: { job in
        job.options.pieces.map { [$0.algorithm.rawValue, "\($0.length)"] + $0.hashes } ?? []
      },
      put: { (job: inout JobSpecification, texts: [String], _: SettingContext) throws(SettingProblem) in
        guard !texts.isEmpty else { return job.options.pieces = nil }
        guard texts.count > 2, let algorithm = DigestAlgorithm(rawValue: texts[0]), let length = Int64(texts[1]),
          length > 0
        else { throw SettingProblem("pieces are an algorithm, a length, and hashes") }
        job.options.pieces = PieceHashes(algorithm: algorithm, length: length, hashes: Array(texts.dropFirst(2)))
      }, copy: { from, to in to.options.pieces = from.options.pieces }
    ).exported,
    Setting("part-stem", .text, optional: \.options.partStem).exported,
    Setting(list: "cookies-taken", .text, at: \.takenCookies).secret.exported,
    Setting("aws-session-token", .text, optional: \.sessionToken).secret.exported,
    Setting(
      "if-changed", .boolean, values: { $0.request.cache?.ifChanged == nil ? [] : ["yes"] },
      put: { (job: inout JobSpecification, texts: [String], _: SettingContext) throws(SettingProblem) in
        let isOn = try texts.last.map { (text) throws(SettingProblem) in try isYes(text) } ?? false
        if isOn { job.cachePolicy.ifChanged = TargetBaseline() }
      }, copy: { from, to in to.cachePolicy.ifChanged = from.cachePolicy.ifChanged }
    ).help(
      "Fetch only if the file changed on the server, and then replace the target.",
      """
      Compares the validators recorded when the target was fetched, or the time of a file \
      that dray did not fetch. A target that somebody has changed since dray fetched it is not \
      replaced, unless `--on-conflict overwrite` is given.
      """
    ).exported
      .about(.files).known(typed: "-N --timestamping"),
  ]

  /// Whether a URL contains a secret.
  @Sendable package static func isSecretURL(_ text: String) -> Bool { URLRedaction.redacted(text) != text }
}

extension SettingForm where Value == DigestSource {
  fileprivate static var source: SettingForm {
    SettingForm(text: { $0.rawValue }) { (text, _) throws(SettingProblem) in DigestSource(rawValue: text) }
  }
}

extension SettingForm where Value == JobLabel {
  /// A label.
  package static var label: SettingForm {
    SettingForm(text: { $0.text }) { (text, _) throws(SettingProblem) in
      do throws(LabelProblem) { return try JobLabel.parse(text) } catch {
        throw SettingProblem("\(SettingProblem.quote(text)) is not a label: \(error.reason)")
      }
    }
  }
}

extension JobSpecification {
  /// The digest that the user gave; setting it removes the source of the earlier digest.
  fileprivate var givenDigest: DigestValue? {
    get { options.digest }
    set { (options.digest, options.digestSource) = (newValue, nil) }
  }

  fileprivate var allowedTypes: [ExpectedType] {
    get { options.allowedTypes ?? [] }
    set { options.allowedTypes = newValue.isEmpty ? nil : newValue }
  }

  fileprivate var labels: [JobLabel] {
    get { options.labels ?? [] }
    set { options.labels = newValue.isEmpty ? nil : newValue }
  }

  fileprivate var retryStatuses: [StatusPattern] {
    get { options.retryStatuses ?? [] }
    set { options.retryStatuses = newValue.isEmpty ? nil : newValue }
  }

  /// The mirrors, except the job's own URL.
  fileprivate var mirrors: [RequestURL] {
    get { options.mirrors ?? [] }
    set {
      let others = newValue.filter { $0 != request.url }
      options.mirrors = others.isEmpty ? nil : others
    }
  }

  /// The files from which to take bytes. The results for them are kept until the list changes.
  fileprivate var seeds: [String] {
    get { options.seeding?.files ?? [] }
    set { setSeeding(newValue, seedControl) }
  }

  /// The URL or the absolute path of the control file of zsync.
  fileprivate var seedControl: String? {
    get { options.seeding?.control }
    set { setSeeding(seeds, newValue) }
  }

  private mutating func setSeeding(_ files: [String], _ control: String?) {
    options.seeding = Seeding.renewed(options.seeding, by: Seeding(files: files, control: control).again)
  }

  fileprivate var hooks: Hooks {
    get { options.hooks ?? Hooks() }
    set { options.hooks = newValue == Hooks() ? nil : newValue }
  }

  fileprivate var takenCookies: [String] {
    get { cookieOptions.taken ?? [] }
    set { cookieOptions.taken = newValue.isEmpty ? nil : newValue }
  }

  fileprivate var sessionToken: String? {
    get { request.signature?.sessionToken }
    set { request.signature?.sessionToken = newValue }
  }
}
