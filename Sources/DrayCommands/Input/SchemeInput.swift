// Turns the options for ftp, sftp and s3 into options of requests, and finds the options that a scheme does not
// support.

internal import DrayKit

enum SchemeInput {
  /// Returns the keys and the servers that the options give for these schemes.
  /// - Throws: Kind `usage` with the name of the option.
  static func access(_ arguments: SchemeArguments) throws(Failure) -> AccessOptions {
    AccessOptions(s3: try s3(arguments))
  }

  private static func s3(_ arguments: SchemeArguments) throws(Failure) -> S3Options {
    var options = S3Options()
    options.endpoint = try arguments.endpointUrl.map { (text) throws(Failure) in
      try S3Access.endpoint(text, "--endpoint-url")
    }
    options.region = arguments.awsRegion
    options.profile = arguments.awsProfile
    options.isAnonymous = arguments.noSignRequest
    guard !(options.isAnonymous && options.profile != nil) else {
      throw OptionValue.bad("--no-sign-request", "it contradicts --aws-profile: give one of them")
    }
    return options
  }

  /// Refuses a request whose options its scheme does not support.
  /// - Returns: The options that have no effect, one in each line.
  /// - Throws: Kind `usage` with the URL.
  static func check(_ request: TransferRequest) throws(Failure) -> [String] {
    if !(Scheme(request.url)?.abilities.contains(.privateKey) ?? false), let options = request.authentication,
      options.clientKey != nil,
      options.clientCertificate == nil
    {
      throw OptionValue.bad("--key", "without a certificate it applies to sftp only: add --cert")
    }
    let found = SchemePolicy.objections(to: request, bodyIsThere: false)
    if let refusal = found.refusal {
      let takesFiles = !request.isSafe && Scheme(request.url)?.abilities.contains(.upload) ?? false
      throw Failure(
        .usage, request.url.description, refusal, advice: takesFiles ? "send a file with -T" : "omit the option")
    }
    var lines = found.ignored.map { "\($0.option) does not apply to \(request.url.scheme) and is ignored there" }
    if request.httpVersion == .http3 {
      let library = DownloadManager.library
      if !library.hasHTTP3 {
        lines.append("--http3: libcurl \(library.version) does not have HTTP/3; HTTP/2 or HTTP/1.1 is used")
      }
    }
    return lines
  }
}
