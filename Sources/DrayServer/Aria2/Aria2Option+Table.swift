// The options of aria2 1.36 that clients can set or see, with their defaults. OptionMeaning says what an option means
// for dray; an option without an entry there is accepted and returned, and has no effect. Aria2Option+Line.swift lists
// the options of a command line.

extension Aria2Option {
  private static let kilo: Int64 = 1 << 10
  private static let mega: Int64 = 1 << 20
  private static let anyCount = OptionForm.integer(0...Int64(Int32.max))
  private static let rate = OptionForm.size(0...Int64.max)
  private static let seconds = OptionForm.integer(1...600)

  /// All options. Within each place they are sorted by name.
  static let all = ofJobs + ofOneJob + ofService + shown + ofLine

  private static let ofJobs: [Aria2Option] = [
    Aria2Option("all-proxy", .proxy), Aria2Option("all-proxy-passwd", .text), Aria2Option("all-proxy-user", .text),
    Aria2Option("allow-overwrite", .boolean, "false"), Aria2Option("allow-piece-length-change", .boolean, "false"),
    Aria2Option("always-resume", .boolean, "true"), Aria2Option("async-dns", .boolean, "true"),
    Aria2Option("auto-file-renaming", .boolean, "true"),
    Aria2Option("bt-enable-hook-after-hash-check", .boolean, "true"), Aria2Option("bt-enable-lpd", .boolean, "false"),
    Aria2Option("bt-exclude-tracker", .text), Aria2Option("bt-external-ip", .text),
    Aria2Option("bt-force-encryption", .boolean, "false"), Aria2Option("bt-hash-check-seed", .boolean, "true"),
    Aria2Option("bt-load-saved-metadata", .boolean, "false"), Aria2Option("bt-max-peers", anyCount, "55"),
    Aria2Option("bt-metadata-only", .boolean, "false"),
    Aria2Option("bt-min-crypto-level", .choice(["plain", "arc4"]), "plain"), Aria2Option("bt-prioritize-piece", .text),
    Aria2Option("bt-remove-unselected-file", .boolean, "false"),
    Aria2Option("bt-request-peer-speed-limit", rate, "51200"), Aria2Option("bt-require-crypto", .boolean, "false"),
    Aria2Option("bt-save-metadata", .boolean, "false"), Aria2Option("bt-seed-unverified", .boolean, "false"),
    Aria2Option("bt-stop-timeout", anyCount, "0"), Aria2Option("bt-tracker", .text),
    Aria2Option("bt-tracker-connect-timeout", seconds, "60"), Aria2Option("bt-tracker-interval", anyCount, "0"),
    Aria2Option("bt-tracker-timeout", seconds, "60"), Aria2Option("check-integrity", .boolean, "false"),
    Aria2Option("conditional-get", .boolean, "false"), Aria2Option("connect-timeout", seconds, "60"),
    Aria2Option("content-disposition-default-utf8", .boolean, "false"), Aria2Option("continue", .boolean, "false"),
    Aria2Option("dir", .text), Aria2Option("dry-run", .only(false), "false"),
    Aria2Option("enable-http-keep-alive", .boolean, "true"), Aria2Option("enable-http-pipelining", .boolean, "false"),
    Aria2Option("enable-mmap", .boolean, "false"), Aria2Option("enable-peer-exchange", .boolean, "true"),
    Aria2Option("file-allocation", .choice(["none", "prealloc", "trunc", "falloc"]), "falloc"),
    Aria2Option("follow-metalink", .choice(["true", "mem", "false"]), "true"),
    Aria2Option("follow-torrent", .choice(["true", "mem", "false"]), "true"),
    Aria2Option("force-save", .boolean, "false"),
    Aria2Option("ftp-passwd", .text), Aria2Option("ftp-pasv", .boolean, "true"), Aria2Option("ftp-proxy", .proxy),
    Aria2Option("ftp-proxy-passwd", .text), Aria2Option("ftp-proxy-user", .text),
    Aria2Option("ftp-reuse-connection", .boolean, "true"),
    Aria2Option("ftp-type", .choice(["binary", "ascii"]), "binary"), Aria2Option("ftp-user", .text),
    Aria2Option("hash-check-only", .only(false), "false"), Aria2Option("header", .lines),
    Aria2Option("http-accept-gzip", .boolean, "false"), Aria2Option("http-auth-challenge", .boolean, "false"),
    Aria2Option("http-no-cache", .boolean, "false"), Aria2Option("http-passwd", .text),
    Aria2Option("http-proxy", .proxy),
    Aria2Option("http-proxy-passwd", .text), Aria2Option("http-proxy-user", .text), Aria2Option("http-user", .text),
    Aria2Option("https-proxy", .proxy), Aria2Option("https-proxy-passwd", .text),
    Aria2Option("https-proxy-user", .text), Aria2Option("lowest-speed-limit", rate, "0"),
    Aria2Option("max-connection-per-server", .integer(1...16), "1"), Aria2Option("max-download-limit", rate, "0"),
    Aria2Option("max-file-not-found", anyCount, "0"), Aria2Option("max-mmap-limit", rate, "9223372036854775807"),
    Aria2Option("max-resume-failure-tries", anyCount, "0"), Aria2Option("max-tries", anyCount, "5"),
    Aria2Option("max-upload-limit", rate, "0"), Aria2Option("metalink-base-uri", .text),
    Aria2Option("metalink-enable-unique-protocol", .boolean, "true"), Aria2Option("metalink-language", .text),
    Aria2Option("metalink-location", .text), Aria2Option("metalink-os", .text),
    Aria2Option("metalink-preferred-protocol", .choice(["http", "https", "ftp", "none"]), "none"),
    Aria2Option("metalink-version", .text), Aria2Option("min-split-size", .size(mega...1024 * mega), "20971520"),
    Aria2Option("no-file-allocation-limit", rate, "5242880"), Aria2Option("no-netrc", .boolean, "false"),
    Aria2Option("no-proxy", .text), Aria2Option("parameterized-uri", .only(false), "false"),
    Aria2Option("pause-metadata", .boolean, "false"), Aria2Option("piece-length", .size(mega...1024 * mega), "1048576"),
    Aria2Option("proxy-method", .choice(["get", "tunnel"]), "get"),
    Aria2Option("realtime-chunk-checksum", .boolean, "true"), Aria2Option("referer", .text),
    Aria2Option("remote-time", .boolean, "false"), Aria2Option("remove-control-file", .boolean, "false"),
    Aria2Option("retry-wait", .integer(0...600), "0"), Aria2Option("reuse-uri", .boolean, "true"),
    Aria2Option("rpc-save-upload-metadata", .boolean, "true"), Aria2Option("save-not-found", .boolean, "true"),
    Aria2Option("seed-ratio", .decimal, "1.0"), Aria2Option("seed-time", .decimal),
    Aria2Option("split", .integer(1...Int64(Int32.max)), "5"), Aria2Option("ssh-host-key-md", .text),
    Aria2Option("stream-piece-selector", .choice(["default", "inorder", "random", "geom"]), "default"),
    Aria2Option("timeout", seconds, "60"),
    Aria2Option("uri-selector", .choice(["inorder", "feedback", "adaptive"]), "feedback"),
    Aria2Option("use-head", .boolean, "false"), Aria2Option("user-agent", .text),
  ]

  private static let ofOneJob: [Aria2Option] = [
    Aria2Option("checksum", .digest, nil, .jobOnly), Aria2Option("gid", .text, nil, .jobOnly),
    Aria2Option("index-out", .lines, nil, .jobOnly), Aria2Option("out", .text, nil, .jobOnly),
    Aria2Option("pause", .boolean, nil, .jobOnly), Aria2Option("select-file", .text, nil, .jobOnly),
  ]

  private static let ofService: [Aria2Option] = [
    Aria2Option("bt-max-open-files", anyCount, "100", .service),
    Aria2Option("download-result", .choice(["default", "full", "hide"]), "default", .service),
    Aria2Option("keep-unfinished-download-result", .boolean, "true", .service),
    Aria2Option("log-level", .choice(["debug", "info", "notice", "warn", "error"]), "debug", .service),
    Aria2Option("max-concurrent-downloads", .integer(1...Int64(Int32.max)), "5", .service),
    Aria2Option("max-download-result", anyCount, "1000", .service),
    Aria2Option("max-overall-download-limit", rate, "0", .service),
    Aria2Option("max-overall-upload-limit", rate, "0", .service),
    Aria2Option("optimize-concurrent-downloads", .text, "false", .service),
  ]

  private static let shown: [Aria2Option] = [
    Aria2Option("check-certificate", .boolean, "true", .nowhere),
    Aria2Option("disable-ipv6", .boolean, "false", .nowhere),
    Aria2Option("disk-cache", rate, "0", .nowhere), Aria2Option("enable-dht", .boolean, "false", .nowhere),
    Aria2Option("enable-dht6", .boolean, "false", .nowhere), Aria2Option("enable-rpc", .boolean, "true", .nowhere),
    Aria2Option("rpc-max-request-size", rate, "2097152", .nowhere),
    Aria2Option("save-session-interval", anyCount, "0", .nowhere),
  ]
}
