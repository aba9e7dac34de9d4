// The names of actions and settings in plain English, for any front end.

extension Advice.Names {
  /// Noun phrases for actions and settings that do not presume a command line.
  package static let plain = Advice.Names(
    action: { action, argument in
      guard let argument else { return action.phrase }
      return action.isOnPath ? "\(action.phrase) in \(argument)" : action.phrase(job: argument)
    },
    setting: { $0.phrase })
}

extension Advice.Action {
  fileprivate var isOnPath: Bool { self == .clean || self == .cleanStore }

  fileprivate func phrase(job id: String) -> String {
    switch self {
    case .wait: "waiting for job \(id)"
    case .show: "the record of job \(id)"
    case .pause: "pausing job \(id)"
    case .resume: "resuming job \(id)"
    case .retry: "a retry of job \(id)"
    case .remove: "removing job \(id)"
    case .setURL: "another URL for job \(id)"
    case .setOutput: "another name for job \(id)"
    default: phrase
    }
  }

  fileprivate var phrase: String {
    switch self {
    case .run: "another run"
    case .get: "a new job"
    case .getToStandardOutput: "a stream"
    case .list: "the list of jobs"
    case .show: "the record of the job"
    case .info: "a probe"
    case .wait: "waiting for the job"
    case .sync: "another sync"
    case .version: "the version of libcurl"
    case .pause: "pausing the job"
    case .resume: "resuming the job"
    case .retry: "a retry"
    case .remove: "removing the job"
    case .setURL: "another URL for the job"
    case .setOutput: "another name for the job"
    case .clean: "cleaning up the part files"
    case .cleanStore: "cleaning up with the job store"
    }
  }
}

extension Advice.Parameter {
  fileprivate var phrase: String {
    switch self {
    case .directory: "the target directory"
    case .partDirectory: "the directory for unfinished files"
    case .output: "the output name"
    case .onConflict: "the conflict policy"
    case .adopt: "adoption"
    case .ifChanged: "the condition on changes"
    case .checksum: "the expected digest"
    case .expectType: "an expected type"
    case .allowPages: "the allowed type text/html"
    case .verifyNone: "verification turned off"
    case .verifyOffered: "verification by offered digests only"
    case .verifyAuto: "verification where there is a digest"
    case .user: "user name and password"
    case .bearer: "a bearer token"
    case .netrc: "a .netrc file"
    case .header: "a header field"
    case .cookie: "the cookies"
    case .referer: "the referer"
    case .userAgent: "the user agent"
    case .proxy: "the proxy"
    case .proxyUser: "the proxy's user name and password"
    case .proxyDigest: "Digest for the proxy"
    case .proxyNegotiate: "Negotiate for the proxy"
    case .proxyNTLM: "NTLM for the proxy"
    case .digest: "Digest"
    case .negotiate: "Negotiate"
    case .ntlm: "NTLM"
    case .cookieFile: "a cookie file"
    case .noCookies: "no stored cookies"
    case .caCertificate: "a CA certificate"
    case .certificate: "the client certificate"
    case .key: "the private key"
    case .keyPassword: "the password of the key"
    case .pinnedKey: "the pinned public key"
    case .hostPublicKey: "the fingerprint of the host key"
    case .insecure: "an insecure request"
    case .ssl: "TLS where the server has it"
    case .sslRequired: "TLS required"
    case .awsProfile: "an AWS profile"
    case .awsRegion: "the AWS region"
    case .endpoint: "another S3 server"
    case .storageClass: "the storage class"
    case .encryption: "the encryption of objects"
    case .cannedACL: "the access to objects"
    case .uploadMemory: "the memory for uploads"
    case .browserCookies: "the cookies of a browser"
    case .after: "the wait for other jobs"
    case .resumeAlways: "a resume in any case"
    case .resumeNever: "no resume"
    case .hookShell: "a shell for hooks"
    case .maxConcurrent: "the number of concurrent jobs"
    case .oneConnection: "one connection"
    case .stallTimeout: "the stall timeout"
    case .interface: "another interface"
    case .maxRetryWait: "the longest wait before a retry"
    case .maxTime: "the longest time of an attempt"
    case .maxSize: "the largest size of a file"
    case .stateDirectory: "the state directory"
    case .ownService: "a request to one's own service"
    case .platform: "the platform of an image"
    }
  }
}
