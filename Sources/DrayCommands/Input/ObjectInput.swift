// Targets in object stores: the access to them, and the options that cannot be used with them.

internal import DrayKit
internal import Synchronization

/// The access to object stores that follows from options and the environment. It is looked up once, when a target needs
/// it, so that an invalid AWS file does not matter if files are written.
final class ObjectAccessFinder: Sendable {
  private let arguments: SchemeArguments
  private let profile: String?
  private let trust: ServerTrust?
  private let environment: [String: String]
  private let found = Mutex<Result<ObjectAccess, Failure>?>(nil)

  /// - Parameter trust: The trust that the options give. It applies to targets, unless the environment or the profile
  ///   names a file of certificates.
  init(
    _ objects: ObjectArguments, _ schemes: SchemeArguments, trust: ServerTrust?, environment: [String: String]
  ) {
    (arguments, profile, self.trust, self.environment) = (schemes, objects.targetProfile, trust, environment)
  }

  var isOwn: Bool { profile != nil }

  /// Whether an option gives any part of the access.
  var isNamed: Bool {
    isOwn || arguments.endpointUrl != nil || arguments.awsProfile != nil || arguments.awsRegion != nil
  }

  /// Returns the access to object stores.
  /// - Throws: Kind `usage` for a profile or a file that cannot be used.
  func access() throws(Failure) -> ObjectAccess {
    try found.withLock { found in
      if let found { return found }
      let result = Result { () throws(Failure) in
        var access = try look()
        access.signature.trust = trust
        return access
      }
      found = result
      return result
    }.get()
  }

  private func look() throws(Failure) -> ObjectAccess {
    var options = AccessOptions()
    guard let profile else {
      options = try SchemeInput.access(arguments)
      // Public objects can be read without a signature; they are written without one only if there are no keys.
      options.s3.isAnonymous = false
      return try ObjectAccess.find(options, environment: environment)
    }
    options.s3.profile = profile
    return try ObjectAccess.find(
      options, environment: environment.filter { !ObjectAccessFinder.general.contains($0.key) })
  }

  /// The environment variables that concern all access to S3. If `--target-profile` is given, these variables do not
  /// count.
  private static let general: Set<String> = [
    "AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3", "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_CA_BUNDLE",
  ]
}

extension JobArguments {
  /// Returns the directory for a file with a given name. For an object whose name is a whole URL, the directory in the
  /// configuration does not count.
  func dir(for output: String?) -> String? {
    let namesObject = output.map { ObjectPlace.isMeant(by: $0) } ?? false
    return namesObject && CommandContext.current.configured.contains("dir") ? nil : dir
  }
}

enum ObjectInput {
  /// Refuses the options that cannot be used with objects.
  /// - Parameter configured: The names of the settings that come from the configuration and not from the command line.
  /// - Returns: The typed options that have no effect, one in each line.
  /// - Throws: Kind `usage` with the name of the option.
  static func check(_ job: JobSpecification, configured: Set<String>) throws(Failure) -> [String] {
    if let refusal = ObjectRule.refusal(of: job) { throw refusal }
    let (kind, names) =
      job.place.object == nil ? ("files", ObjectRule.ofObjects(job)) : ("objects", ObjectRule.ofFiles(job))
    return names.filter { !configured.contains($0) }.map { "--\($0) does not apply to \(kind) and is ignored" }
  }
}
