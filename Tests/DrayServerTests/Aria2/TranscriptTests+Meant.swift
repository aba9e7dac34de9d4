// Where dray answers differently from aria2, each with its reason. All other fields are equal.

extension TranscriptTests {
  static let calls =
    [
      "a name twice", "text after it", "two objects", "a leading zero", "a comma at the end", "a control character",
      "an unknown escape", "bytes that are not UTF-8",
    ].map { MeantDifference("protocol/\($0)", "", "dray reads JSON by its grammar (RFC 8259)") } + [
      MeantDifference("protocol/a number", "", "a number is JSON, though no call: aria2 misses the end of one"),
      MeantDifference("protocol/a long id", "", "an id is repeated as it is, however long a number is"),
      MeantDifference("protocol/the id 1.5", "id: 1", "an id is repeated as it is"),
      MeantDifference("protocol/the id 1e3", "id: 1", "an id is repeated as it is"),
      MeantDifference("protocol/a mark of byte order", "", "a reader may ignore the mark (RFC 8259 §8.1)"),
      MeantDifference("protocol/64 deep", "", "both have a limit; dray's is a little higher"),
      MeantDifference("protocol/*", "enabledFeatures", "other features"),
      MeantDifference("protocol/*", "dray: surplus", "the version of dray is told, too"),
    ]

  static let queries = [
    MeantDifference("get/an id with quotes", "id: a%22b", "a query is decoded (RFC 3986 §2.1)"),
    MeantDifference("get/an odd callback", "", "a callback is the name of a function, or the answer is any script"),
  ]

  static let system = [
    MeantDifference("system/version", "enabledFeatures", "other features"),
    MeantDifference("system/version", "dray: surplus", "the version of dray is told, too"),
    MeantDifference("system/methods", "36 elements, not 34", "without the methods of BitTorrent"),
    MeantDifference("system/listMethods within", "36 elements, not 34", "without the methods of BitTorrent"),
    MeantDifference("system/notifications", "6 elements, not 5", "without the notification of BitTorrent"),
    MeantDifference(
      "system/saving where no file was named", "", "everything is durable when it is answered: there is no file"),
  ]

  static let secret = [
    MeantDifference("secret/methods without", "36 elements, not 34", "without the methods of BitTorrent"),
    MeantDifference("secret/multicall, listMethods within", "36 elements, not 34", "without the methods of BitTorrent"),
    MeantDifference("secret/notifications without", "6 elements, not 5", "without the notification of BitTorrent"),
  ]

  static let webSocket = [
    MeantDifference("websocket/a number", "", "a number is JSON, though no call: aria2 misses the end of one")
  ]

  static let xml = [
    MeantDifference("xml/a metalink that is none", "", "the message says why"),
    MeantDifference("xml/another document", "", "what is no call has no answer, as what is no XML"),
    MeantDifference("xml/no name", "", "what is no call has no answer, as what is no XML"),
  ]

  static let queue = adding + jobs + options

  private static let adding = [
    MeantDifference("queue/a torrent*", "No such method: aria2.addTorrent", "dray does not speak BitTorrent"),
    MeantDifference("queue/peers*", "", "dray does not speak BitTorrent"),
    MeantDifference("queue/its peers", "", "dray does not speak BitTorrent"),
    MeantDifference("queue/another scheme", "", "what can never be fetched is refused at once"),
    MeantDifference("queue/an empty address", "error.message", "the message says why"),
    MeantDifference("queue/an address without scheme", "error.message", "the message says why"),
    MeantDifference("queue/a metalink that is none", "error.message", "the message says why"),
    MeantDifference("queue/a short gid", "Invalid GID 12", "the message says why"),
    MeantDifference("queue/a gid of*", "Invalid GID", "the message says why"),
    MeantDifference(
      "queue/the same gid again", "", "a client that repeats a call gets the same job: it may not have heard the answer"
    ),
    MeantDifference("queue/an offset with a point", "", "an offset is a whole number: aria2 cuts the rest off"),
    MeantDifference("queue/add a metalink", "result[]", "chosen by chance"),
    MeantDifference("queue/add it in front", "result[]", "chosen by chance"),
  ]

  private static let jobs = [
    MeantDifference("queue/*", "uris: ", "aria2 names a URL as often as it may connect to it, dray once"),
    MeantDifference("queue/uris", "4 elements, not 2", "aria2 names a URL as often as it may connect to it, dray once"),
    MeantDifference("queue/*", "files[].completedLength", "aria2 counts whole pieces there, dray bytes"),
    MeantDifference("queue/its files", "[].completedLength", "aria2 counts whole pieces there, dray bytes"),
    MeantDifference("queue/*", "errorMessage", "dray's own words"),
    MeantDifference("queue/*", "numStoppedTotal", "aria2 counts those that were purged, too"),
  ]

  private static let options =
    [
      ("user-agent", "dray's own"), ("timeout", "dray's usual value"), ("connect-timeout", "dray's usual value"),
      ("retry-wait", "dray's usual value"), ("max-tries", "that aria2c was started with 1"),
      ("split", "dray's usual value"),
      ("max-connection-per-server", "dray's usual value: as many as help"),
      ("remote-time", "dray keeps the server's time"),
      ("file-allocation", "that aria2c was started with none"),
    ].map { MeantDifference("queue/*option*", "result.\($0):", $1) } + [
      MeantDifference("queue/options", "http-passwd: missing", "no password is told (P7)"),
      MeantDifference("queue/global options", "help: missing", "a topic of aria2c's own help"),
      MeantDifference("queue/global options", "-path", "dray has no such file"),
      MeantDifference("queue/global options", "ca-certificate", "libcurl knows the file"),
      MeantDifference("queue/global options", "rpc-listen-port", "each has its own"),
      MeantDifference("queue/global options", "disk-cache", "dray has none"),
      MeantDifference(
        "queue/change what cannot be changed", "", "a dry run that fetches the file would be none: it is refused"),
    ]
}
