// Finds keys, region, server and certificates for `s3` URLs. Options, the environment and profile files are read in the
// same order as by Amazon's tools.

internal import DrayDocuments
internal import DrayStore
internal import FoundationEssentials

/// The options for S3 besides the URL.
package struct S3Options: Sendable, Equatable {
  /// The server to use in place of Amazon's.
  package var endpoint: RequestURL?
  /// The region.
  package var region: String?
  /// The profile with the keys and the region.
  package var profile: String?
  /// Whether requests are not signed.
  package var isAnonymous = false

  /// Creates options that leave everything to the environment.
  package init() {}
}

package enum S3Access {
  static let access = RequestAccess(
    complete: { (request, options, environment) throws(Failure) in
      try complete(request, options.s3, environment: environment)
    },
    credentialed: { (request) throws(Failure) in try credentialed(request) })

  /// Completes a request for an `s3` URL: adds the signature, and the credentials if they come from the environment.
  /// The call reads the profile files.
  ///
  /// The first of these sources that has keys is used: the request's own credentials; a named profile;
  /// `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY` with `AWS_SESSION_TOKEN`; the profile in `AWS_PROFILE`, or
  /// `default`. If no source has keys, requests are not signed.
  ///
  /// The certificates come from `AWS_CA_BUNDLE`, or else from the profile's `ca_bundle`.
  /// - Throws: Kind `usage` for a profile that is missing or has no keys, and for an invalid region.
  private static func complete(
    _ request: TransferRequest, _ options: S3Options, environment: [String: String]
  ) throws(Failure) -> TransferRequest {
    guard request.signature == nil else { return request }
    var request = request
    var signature = AWSSignature()
    func variable(_ names: String...) -> String? {
      names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    }
    let files = profileFiles(environment)
    let named = options.profile ?? variable("AWS_PROFILE", "AWS_DEFAULT_PROFILE")
    let profile = try lookUp(named ?? "default", files, mustBeThere: named != nil)

    if options.isAnonymous {
      request.credentials = nil
    } else if request.credentials == nil {
      if options.profile == nil, let key = variable("AWS_ACCESS_KEY_ID"),
        let secret = variable("AWS_SECRET_ACCESS_KEY")
      {
        request.credentials = Credentials(user: key, password: secret)
        signature.sessionToken = variable("AWS_SESSION_TOKEN")
      } else if let profile, try keys(profile, named ?? "default", mustBeThere: named != nil) != nil {
        signature.profile = named ?? "default"
        signature.profileFiles = files
      }
    }
    signature.region =
      options.region ?? variable("AWS_REGION", "AWS_DEFAULT_REGION") ?? profile?["region"]
      ?? AWSSignature.defaultRegion
    guard S3Address.isRegion(signature.region) else {
      throw Failure(
        .usage, "the region", "\(TextSafety.escaped(signature.region)) is not a region",
        advice: "use one such as eu-central-1 with \(.awsRegion)")
    }
    signature.endpoint = options.endpoint
    if signature.endpoint == nil { signature.endpoint = try endpoint(variable, profile) }
    signature.caBundle = (variable("AWS_CA_BUNDLE") ?? profile?["ca_bundle"]).flatMap {
      $0.isEmpty ? nil : absolute($0)
    }
    request.signature = signature
    return request
  }

  /// Adds the current keys of the request's profile. The call reads files.
  private static func credentialed(_ request: TransferRequest) throws(Failure) -> TransferRequest {
    guard let signature = request.signature, let name = signature.profile else { return request }
    guard let profile = try lookUp(name, signature.profileFiles ?? [], mustBeThere: true),
      let (credentials, token) = try keys(profile, name, mustBeThere: true)
    else { return request }
    var request = request
    request.credentials = credentials
    request.signature?.sessionToken = token
    return request
  }

  /// Adds the current keys: those of the profile, those of the environment, or the stored ones. Keys from the
  /// environment replace stored keys that have expired. The call reads files.
  static func current(
    _ access: ObjectAccess?, isExpired: Bool, environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(Failure) -> ObjectAccess {
    guard var access else { return try ObjectAccess.find(AccessOptions(), environment: environment) }
    if let name = access.signature.profile {
      guard let profile = try lookUp(name, access.signature.profileFiles ?? [], mustBeThere: true),
        let (credentials, token) = try keys(profile, name, mustBeThere: true)
      else { return access }
      (access.credentials, access.signature.sessionToken) = (credentials, token)
    } else if isExpired, access.credentials != nil,
      let key = environment["AWS_ACCESS_KEY_ID"], !key.isEmpty, let secret = environment["AWS_SECRET_ACCESS_KEY"]
    {
      access.credentials = Credentials(user: key, password: secret)
      access.signature.sessionToken = environment["AWS_SESSION_TOKEN"].flatMap { $0.isEmpty ? nil : $0 }
    }
    return access
  }

  private static func profileFiles(_ environment: [String: String]) -> [String] {
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? StateDirectory.passwordDatabaseHome()
    func path(_ variable: String, _ name: String) -> String? {
      let given = environment[variable].flatMap { $0.isEmpty ? nil : $0 }
      guard let given else { return home.map { PathText.join($0, ".aws/\(name)") } }
      return absolute(given)
    }
    return [path("AWS_SHARED_CREDENTIALS_FILE", "credentials"), path("AWS_CONFIG_FILE", "config")].compactMap(\.self)
  }

  /// Returns an absolute path, so that a run in another working directory finds the same file.
  private static func absolute(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }

  private static func lookUp(
    _ name: String, _ files: [String], mustBeThere: Bool
  ) throws(Failure) -> AWSProfiles.Profile? {
    var all: AWSProfiles?
    for path in files {
      guard let data = FileManager.default.contents(atPath: path) else { continue }
      do throws(DocumentError) {
        let found = try AWSProfiles(String(decoding: data, as: UTF8.self))
        if all == nil { all = found } else { all?.add(found) }
      } catch {
        throw error.failure(path)
      }
    }
    if let profile = all?[name] { return profile }
    guard mustBeThere else { return nil }
    let places = files.map { TextSafety.escaped($0) }.joined(separator: " or ")
    throw Failure(
      .usage, "the AWS profile \(TextSafety.escaped(name))", "it is not in \(places)",
      advice: "`aws configure list-profiles` lists the profiles", recovery: .keep)
  }

  private static func keys(
    _ profile: AWSProfiles.Profile, _ name: String, mustBeThere: Bool
  ) throws(Failure) -> (Credentials, String?)? {
    if let key = profile["aws_access_key_id"], let secret = profile["aws_secret_access_key"] {
      return (Credentials(user: key, password: secret), profile["aws_session_token"])
    }
    guard mustBeThere else { return nil }
    throw Failure(
      .usage, "the AWS profile \(TextSafety.escaped(name))",
      "it has no keys",
      advice: "`aws configure export-credentials --format env` turns them into variables", recovery: .keep)
  }

  private static func endpoint(
    _ variable: (String...) -> String?, _ profile: AWSProfiles.Profile?
  ) throws(Failure) -> RequestURL? {
    let text =
      variable("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL") ?? profile?["s3.endpoint_url"] ?? profile?["endpoint_url"]
    return try text.map { (text) throws(Failure) in try endpoint(text, "the AWS endpoint") }
  }

  package static func endpoint(_ text: String, _ subject: String) throws(Failure) -> RequestURL {
    let advice: Advice = "write http://HOST:PORT or https://HOST"
    let url: RequestURL
    do throws(URLParseError) {
      url = try RequestURL.parse(text).url
    } catch {
      throw Failure(.usage, subject, error.message, advice: advice)
    }
    guard Scheme(url) == .http || Scheme(url) == .https, url.query == nil else {
      throw Failure(.usage, subject, "it is not a server of S3", advice: advice)
    }
    return url
  }
}

extension ObjectAccess {
  /// Returns the access to object stores according to options, the environment and profile files, as for an `s3` URL
  /// without keys. The call reads files.
  /// - Throws: Kind `usage` if one of these is invalid.
  package static func find(_ options: AccessOptions, environment: [String: String]) throws(Failure) -> ObjectAccess {
    guard let sample = try? RequestURL.parse("s3://bucket/object").url else { preconditionFailure("not a URL") }
    let request = try TransferRequest(url: sample).completed(options, environment: environment)
    return ObjectAccess(signature: request.signature ?? AWSSignature(), credentials: request.credentials)
  }
}
