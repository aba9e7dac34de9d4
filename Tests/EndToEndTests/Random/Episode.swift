// One episode against a server that misbehaves at random: the served files, the commands, the stops. One seed
// determines all of them.

import FaultServer
import Foundation

/// The program's task.
enum Client: String, Sendable, CaseIterable {
  /// `get` of one file.
  case get
  /// The same from a URL that redirects, to a different server each time.
  case redirected
  /// The same with mirrors.
  case mirrored
  /// `get -o -`.
  case stdout
  /// `get` of several files at once.
  case several
  /// `get -j 1` of files; one server sends an unrequested answer between two of them.
  case leftover
  /// `sync` of several files.
  case sync
  /// `get --if-changed` of an existing file.
  case ifChanged
  /// `verify --repair` of a damaged file.
  case repair

  /// Whether there may be several files.
  var isMany: Bool { self == .several || self == .leftover || self == .sync }
}

/// How a run is stopped.
struct StopPlan: Sendable {
  /// The signal.
  var signal: Int32
  /// After this many body bytes were sent since the run began, …
  var bytes: Int64?
  /// … or after this many seconds.
  var seconds: Double
}

/// A file at one of the servers.
struct PlacePlan: Sendable {
  /// The first version.
  var first = 0
  /// The numbers of the requests before which the next version appears.
  var changes: Set<Int> = []
  /// Whether the next version appears between two runs.
  var changesBetween = false
  /// The prefix of its tags, if they differ from the first server's.
  var owner = ""
  var validators: ValidatorPolicy
  /// Bytes a second of one connection; nil for no limit.
  var rate: Int?
  /// Requests from this number on are refused, except samples.
  var refusesFrom: Int?
  /// The numbers of the requests that get a 503.
  var hold = 0..<0
}

/// One file of an episode.
struct FilePlan: Sendable {
  /// A version: the origin of its bytes.
  struct Version: Sendable {
    var seed: UInt64
    var size: Int64
    /// The stretches that differ from the previous version; `nil` for everywhere.
    var patches: [Range<Int64>]?
  }

  var name: String
  var versions: [Version]
  var digests = DigestPolicy.none
  /// The version whose digest the user gives; -1 for a digest of no version.
  var demanded: Int?
  var framing = FaultServer.Framing.length
  /// The share of its answers with a fault.
  var faults = 0.0
  /// The share of its answers to range requests that lie.
  var lies = 0.0
  /// The share of its answers that are cut and padded with garbage, but not to the announced end.
  var pads = 0.0
  var ignoresIfRange = false
  /// The places, by the numbers of the servers.
  var places: [PlacePlan]

  /// The bytes of a version.
  func content(_ number: Int) -> Content {
    let version = versions[number]
    let own = Content.generated(seed: version.seed, size: version.size)
    guard let patches = version.patches, number > 0 else { return own }
    var bytes = content(number - 1).bytes(in: 0..<version.size)
    for patch in patches {
      bytes.replaceSubrange(Int(patch.lowerBound)..<Int(patch.upperBound), with: own.bytes(in: patch))
    }
    return .fixed(bytes)
  }
}

/// The plan of one episode.
struct Episode: Sendable {
  let seed: UInt64
  var client: Client
  var hosts = 1
  /// `-x`.
  var connections = 1
  /// `-j`.
  var jobs = 1
  /// `--resume always`.
  var resumesAlways = false
  var files: [FilePlan] = []
  /// How the successive runs are stopped; the last run is not.
  var stops: [StopPlan?] = []
  /// Whether the part file is damaged between two runs.
  var damagesPart = false
  /// The bucket that the files go into; nil for a directory.
  var bucket: BucketPlan?

  /// A description in one line.
  var summary: String {
    let told = files.map { file in
      let sizes = file.versions.map { "\($0.size)" + ($0.patches == nil ? "" : " patched") }.joined(separator: "/")
      let places = file.places.map { place in
        "\(place.validators)\(place.owner) from \(place.first) at \(place.changes.sorted())"
          + (place.changesBetween ? "+" : "") + (place.rate.map { " \($0 >> 10)k/s" } ?? "")
          + (place.refusesFrom.map { " refuses from \($0)" } ?? "")
          + (place.hold.isEmpty ? "" : " on hold \(place.hold)")
      }
      return "\(file.name): \(sizes) bytes, \(places.joined(separator: ", ")), digests \(file.digests)"
        + (file.demanded.map { ", --checksum of \($0)" } ?? "")
        + String(format: ", faults %.1f, lies %.1f", file.faults, file.lies)
        + (file.pads > 0 ? String(format: ", padded %.1f", file.pads) : "")
        + (file.ignoresIfRange ? ", ignores If-Range" : "")
        + (file.framing.isLength ? "" : ", \(file.framing.isClose ? "no length" : "chunks")")
    }
    let signals = stops.map { stop in
      stop.map { "\($0.signal) at \($0.bytes.map { "\($0)" } ?? "\($0.seconds) s")" } ?? "none"
    }
    let place = bucket.map { " into a bucket, lies \($0.lies), conditions \($0.conditions)" } ?? ""
    return "\(client) -x \(connections) -j \(jobs)\(resumesAlways ? " --resume always" : "")\(place), "
      + "\(hosts) hosts, signals \(signals.joined(separator: ", ")); " + told.joined(separator: "; ")
  }
}
