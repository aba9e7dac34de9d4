// Where the file of a job goes by `--dir` and `--out`. Which directories are allowed is said elsewhere; here a path is one that stays where
// it says.

internal import DrayCore
internal import DrayDocuments

/// A directory, and a path below it.
struct OptionPlace: Sendable, Equatable {
  private let directory: String
  private let below: [String]

  /// Reads the options; what is `nil` or empty was not given.
  /// - Parameter base: the directory of jobs that name none, which a relative one is below.
  /// - Throws: aria2's error for a path that leads upwards, or is none.
  init(directory: String?, output: String?, base: String) throws(RPCFailure) {
    func bad(_ option: String) -> RPCFailure {
      .refused("We encountered a problem while processing the option '--\(option)'.")
    }
    if let directory, !directory.isEmpty {
      let parts = directory.split(separator: "/")
      guard !parts.contains(".."), !directory.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
      else {
        throw bad("dir")
      }
      let below = parts.filter { $0 != "." }.joined(separator: "/")
      self.directory = directory.hasPrefix("/") ? "/" + below : below.isEmpty ? base : PathText.join(base, below)
    } else {
      self.directory = base
    }
    if let output, !output.isEmpty {
      guard let path = DocumentPath.safe(output) else { throw bad("out") }
      below = path.split(separator: "/").map(String.init)
    } else {
      below = []
    }
  }

  func apply(to specification: inout JobSpecification) {
    // What a client names below the directory is not trusted to lead through links (P6).
    let place = DirectoryPlace(base: directory, below: below.dropLast().joined(separator: "/"))
    (specification.directory, specification.foreignDepth) = (place.path, place.foreignDepth)
    specification.output = below.last
  }
}
