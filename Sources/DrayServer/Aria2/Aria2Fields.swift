// The members of the struct with which aria2 describes a job (manual, `aria2.tellStatus`).

internal import DrayCore

/// A member of the struct: its key, and its value for a job.
struct Aria2Field: Sendable {
  let name: String
  /// Whether the value needs more of a job than a row of a list contains.
  var needsWhole = false
  /// Returns the value for a job; `nil` if the struct of that job lacks the key.
  let value: @Sendable (Aria2Job) -> RPCValue?

  /// All members, in aria2's order. The members for BitTorrent and for downloads that depend on others are missing,
  /// because dray has neither.
  static let all: [Aria2Field] = [
    Aria2Field(name: "bitfield", needsWhole: true) { PieceMap($0.segments, size: $0.size).text.map(RPCValue.string) },
    Aria2Field(name: "completedLength") { .number($0.received) },
    Aria2Field(name: "connections") { .number($0.connections) },
    Aria2Field(name: "dir") { .string($0.directory) },
    Aria2Field(name: "downloadSpeed") { .number($0.rate) },
    Aria2Field(name: "errorCode") { $0.stopped(.number(Aria2ErrorCode($0.status, $0.failure).rawValue)) },
    Aria2Field(name: "errorMessage") { $0.stopped(.string($0.errorMessage)) },
    Aria2Field(name: "files", needsWhole: true) { .list([$0.file]) },
    Aria2Field(name: "gid") { .string($0.gid.text) },
    Aria2Field(name: "numPieces") { .number(PieceMap.pieces(of: $0.size).count) },
    Aria2Field(name: "pieceLength") { .number(PieceMap.pieces(of: $0.size).length) },
    Aria2Field(name: "status") { .string($0.status.rawValue) },
    Aria2Field(name: "totalLength") { .number($0.size ?? 0) },
    Aria2Field(name: "uploadLength") { _ in .number(0) },
    Aria2Field(name: "uploadSpeed") { _ in .number(0) },
  ]

  /// Returns the members with the requested keys; all members if no key is requested.
  static func asked(_ names: Set<String>) -> [Aria2Field] {
    names.isEmpty ? all : all.filter { names.contains($0.name) }
  }
}

extension [Aria2Field] {
  var needWhole: Bool { contains(where: \.needsWhole) }

  /// Returns the struct that describes a job, with these members.
  func of(_ job: Aria2Job) -> RPCValue {
    var members: [RPCValue.Member] = []
    members.reserveCapacity(count)
    for field in self {
      if let value = field.value(job) { members.append(RPCValue.Member(name: field.name, value: value)) }
    }
    return .members(members)
  }
}

extension Aria2Job {
  fileprivate func stopped(_ value: RPCValue) -> RPCValue? { status.list == .stopped ? value : nil }

  fileprivate var errorMessage: String { status == .error ? failure?.message(.plain) ?? "" : "" }

  /// The file of the job, as in `aria2.getFiles`. A job of dray has one file.
  var file: RPCValue {
    .of([
      "completedLength": .number(received), "index": .number(1), "length": .number(size ?? 0),
      "path": .string(path ?? ""), "selected": .string("true"), "uris": uris,
    ])
  }

  /// The URLs, as in `aria2.getUris`.
  var uris: RPCValue {
    .list(
      urls.enumerated().map { index, url in
        .of(["status": .string(index == 0 && wasTried ? "used" : "waiting"), "uri": .string(url)])
      })
  }

  /// The servers, as in `aria2.getServers`.
  var servers: RPCValue {
    let server = RPCValue.of([
      "currentUri": .string(currentURL ?? urls.first ?? ""), "downloadSpeed": .number(rate),
      "uri": .string(urls.first ?? ""),
    ])
    return .list([.of(["index": .number(1), "servers": .list(connections > 0 ? [server] : [])])])
  }
}
