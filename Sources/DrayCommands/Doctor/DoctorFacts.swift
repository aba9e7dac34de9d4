// What `dray doctor` judges.

internal import DrayKit

/// What was found on this machine.
struct DoctorFacts: Sendable {
  /// What is at a path.
  enum Place: Equatable, Sendable {
    case missing
    case unreadable(String)
    /// A file of certificates with so many in it.
    case certificates(Int)
    case directory
  }

  /// The state directory.
  enum Store: Equatable, Sendable {
    case missing
    case refused(String)
    /// It has so many jobs, and so many runners work on it.
    case open(jobs: Int, runners: Int)
  }

  /// systemd's services of the user.
  enum Service: Equatable, Sendable {
    /// This system has none.
    case impossible
    case missing
    /// The unit's file.
    case installed(String)
  }

  var library: LibraryFacts
  var certificates: (path: String, place: Place)?
  var environment: [String: String]
  /// Seconds since 1970, and the newest time that a job was added at.
  var now: Double
  var newest: Double?
  var directory: String
  var abilities: Result<DirectoryAbilities, Failure>
  /// The state directory, the permissions of its database, and what is in it.
  var state: (path: String, mode: UInt32?, isRemote: Bool, store: Store)
  /// What is wrong with the configuration.
  var configuration: Failure?
  /// The shell, and the file of its completions that was found.
  var shell: String?
  var completions: String?
  var service: Service
  /// Holds on origins.
  var holds: [OriginHold] = []
  /// The most files that may be open; `nil` if that is not known.
  var descriptors: UInt64?
}
