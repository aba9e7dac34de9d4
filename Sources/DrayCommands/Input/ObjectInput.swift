// Targets in object stores: the access to them, and the options that they do not have.

internal import DrayKit
internal import Synchronization

/// The access to object stores that options and the environment give. Looked up once, when a target needs it, so that
/// an invalid AWS file does not matter to those who write files.
final class ObjectAccessFinder: Sendable {
  private let arguments: SchemeArguments
  private let profile: String?
  private let trust: ServerTrust?
  private let environment: [String: String]
  private let found = Mutex<Result<ObjectAccess, Failure>?>(nil)

  /// - Parameter trust: The trust of the options. It applies to targets, unless the environment or the profile names a
  ///   file.
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

  /// Returns the access.
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
      // Public objects are read without a signature, but written without one only if there are no keys.
      options.s3.isAnonymous = false
      return try ObjectAccess.find(options, environment: environment)
    }
    options.s3.profile = profile
    return try ObjectAccess.find(
      options, environment: environment.filter { !ObjectAccessFinder.general.contains($0.key) })
  }

  /// The environment variables for all access to S3. `--target-profile` replaces them.
  private static let general: Set<String> = [
    "AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3", "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_CA_BUNDLE",
  ]
}

extension JobArguments {
  /// Returns the directory for a file with a given name. An object that is named by its whole URL ignores the directory
  /// of the configuration.
  func dir(for output: String?) -> String? {
    let namesObject = output.map { ObjectPlace.isMeant(by: $0) } ?? false
    return namesObject && CommandContext.current.configured.contains("dir") ? nil : dir
  }
}

enum ObjectInput {
  /// Refuses options that objects cannot have.
  /// - Parameter configured: The names of the settings that the configuration gives, and the command line does not.
  /// - Returns: The typed options that have no effect, one line each.
  /// - Throws: Kind `usage`, naming the option.
  static func check(_ job: JobSpecification, configured: Set<String>) throws(Failure) -> [String] {
    if let refusal = ObjectRule.refusal(of: job) { throw refusal }
    let (kind, names) =
      job.place.object == nil ? ("files", ObjectRule.ofObjects(job)) : ("objects", ObjectRule.ofFiles(job))
    return names.filter { !configured.contains($0) }.map { "--\($0) does not apply to \(kind) and is ignored" }
  }
}
