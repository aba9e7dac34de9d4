/// The meaning of a status other than a usable 200 or 206: the kind of failure, the recovery and the message.
package enum StatusRule {
  /// Returns the failure for a final answer.
  /// - Parameters:
  ///   - head: The head of the answer.
  ///   - subject: The URL, without secrets.
  ///   - now: Seconds since 1970, for the wait that the server asks for (``ServerWait``).
  ///   - retried: The statuses that the user counts as temporary.
  package static func failure(
    _ head: ResponseHead, subject: String, now: Int64, retried: [StatusPattern] = []
  ) -> Failure {
    let status = head.status
    let name = name(of: status)
    let isTemporary = retried.contains { $0.matches(status) }
    let wait = ServerWait(head, now: now, isTemporary: isTemporary)
    func failure(
      _ kind: Failure.Kind, _ reason: String, _ advice: Advice?, _ usual: Failure.Recovery = .keep
    ) -> Failure {
      let recovery = isTemporary ? .retry : usual
      return Failure(
        kind, subject, reason, advice: advice, httpStatus: status, recovery: recovery,
        retryAfter: recovery == .retry ? wait.delay : nil)
    }

    if let refusal = HubRefusal(head), !isTemporary { return refusal.failure(head, subject: subject) }
    switch status {
    case 401:
      let offered = AuthenticationChallenge.schemes(head.all("www-authenticate"))
      var needed = failure(
        .authentication, AuthenticationChallenge.need(offered), AuthenticationChallenge.advice(offered))
      needed.offeredSchemes = offered.isEmpty ? nil : offered
      return needed
    case 403 where wait.isLimit:
      return failure(
        .status, "the server answered \(name): its rate limit is used up", "\(.resume) tries again", .retry)
    case 403:
      return failure(.authentication, name, "get a new link if this one has expired; \(.setURL) takes it")
    case 407:
      let offered = AuthenticationChallenge.schemes(head.all("proxy-authenticate"))
      var needed = failure(
        .authentication, AuthenticationChallenge.proxyNeed(offered), AuthenticationChallenge.proxyAdvice(offered))
      needed.offeredSchemes = offered.isEmpty ? nil : offered
      return needed
    case 404, 410:
      return failure(.status, name, "check the URL")
    case ..<600 where mayPass(status):
      return failure(.status, "the server answered \(name)", "\(.resume) tries again", .retry)
    case 400...499:
      return failure(.status, "the server answered \(name)", "check the URL and the options")
    default:
      return failure(
        .protocolViolation, "the server answered \(name) instead of the file", "\(.info) shows the answer")
    }
  }

  /// Whether the same request may succeed later: the server lacked time (408), is not ready (425), got too many
  /// requests (429), or failed (5xx).
  static func mayPass(_ status: Int) -> Bool { [408, 425, 429].contains(status) || status >= 500 }

  /// Whether the status may be a refusal of `Range` or `If-Range` alone, so that the whole file should be requested
  /// once. A temporary status is first retried with the range, so that no bytes on disk are discarded needlessly.
  /// - Parameters:
  ///   - isLastTry: Whether the job will not be retried.
  ///   - retried: The statuses that the user counts as temporary.
  static func mayRefuseRange(_ status: Int, isLastTry: Bool, retried: [StatusPattern] = []) -> Bool {
    switch status {
    case 401, 407: false
    case _ where retried.contains(where: { $0.matches(status) }): isLastTry
    // The statuses 500 and 502 to 504 are not included, because they have other causes than missing support for ranges.
    case 501, 505...599: true
    case _ where mayPass(status): isLastTry
    case 400...499: true
    default: false
    }
  }

  /// Returns the failure for a challenge whose body never ended, so that no credentials could be tried.
  package static func unfinishedChallenge(_ head: ResponseHead, subject: String) -> Failure {
    Failure(
      .network, subject, "the answer that requires credentials (\(name(of: head.status))) did not end",
      advice: "\(.run) tries again", httpStatus: head.status, recovery: .retry)
  }

  /// Returns the failure of a tunnel that a proxy refuses. The status is the proxy's answer to CONNECT, not the
  /// server's answer (H19).
  /// - Parameters:
  ///   - status: The status of the answer; 0 if there was none.
  ///   - proxy: The proxy's name, without secrets; `nil` if unknown.
  ///   - wait: The answer's `Retry-After`.
  ///   - date: The answer's `Date`.
  ///   - now: Seconds since 1970.
  /// - Returns: `nil` if the proxy does not refuse, and for 407, which concerns credentials.
  package static func tunnelRefusal(
    _ status: Int, proxy: String?, subject: String, wait: String? = nil, date: String? = nil, now: Int64 = 0
  ) -> Failure? {
    guard status >= 300, status != 407 else { return nil }
    let mayPass = mayPass(status)
    let reason =
      "the proxy \(proxy.map { "\(TextSafety.escaped($0)) " } ?? "")refuses a connection (\(name(of: status)))"
    var failure = Failure(
      .status, subject, reason,
      advice: mayPass ? "\(.resume) tries again" : "check the proxy, or choose another with \(.proxy)",
      httpStatus: status, recovery: mayPass ? .retry : .keep)
    let fields = [wait.map { HeaderField("retry-after", $0) }, date.map { HeaderField("date", $0) }].compactMap(\.self)
    failure.retryAfter = mayPass ? ServerWait(ResponseHead(status: status, fields: fields), now: now).delay : nil
    if failure.retryAfter != nil { failure.waitAskedBy = proxy }
    return failure
  }

  /// Returns a status with its reason phrase: `404 Not Found`.
  package static func name(of status: Int) -> String { "\(status)" + (reasons[status].map { " \($0)" } ?? "") }

  /// The standard reason phrases (RFC 9110 §15), because servers send arbitrary ones, and HTTP/2 has none.
  static let reasons: [Int: String] = [
    101: "Switching Protocols", 200: "OK", 201: "Created", 202: "Accepted", 203: "Non-Authoritative Information",
    204: "No Content",
    205: "Reset Content", 206: "Partial Content", 300: "Multiple Choices", 301: "Moved Permanently",
    302: "Found", 303: "See Other", 307: "Temporary Redirect", 308: "Permanent Redirect", 304: "Not Modified",
    400: "Bad Request", 401: "Unauthorized", 402: "Payment Required", 403: "Forbidden", 404: "Not Found",
    405: "Method Not Allowed", 406: "Not Acceptable", 407: "Proxy Authentication Required",
    408: "Request Timeout", 409: "Conflict", 410: "Gone", 412: "Precondition Failed",
    416: "Range Not Satisfiable", 421: "Misdirected Request", 425: "Too Early", 429: "Too Many Requests",
    451: "Unavailable For Legal Reasons", 500: "Internal Server Error", 501: "Not Implemented",
    502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
  ]
}

// MARK: Hubs of Hugging Face

/// Why a hub refuses a request. It says in `X-Error-Code` what its status does not: it answers 401 for a repository that
/// does not exist, so that nobody learns which private ones there are.
package enum HubRefusal: String, Sendable, CaseIterable {
  /// There is no such repository, or it is private and the token may not read it.
  case repository = "RepoNotFound"
  /// The authors of the repository want to know who downloads it.
  case gated = "GatedRepo"
  case revision = "RevisionNotFound"
  case entry = "EntryNotFound"
  case disabled = "DisabledRepo"
  /// The hub does not accept the token.
  case token = "InvalidToken"

  /// Reads the refusal from the head of an answer; `nil` if it has none.
  package init?(_ head: ResponseHead) {
    guard (400...499).contains(head.status) else { return nil }
    if let code = head.first("x-error-code").flatMap(HubRefusal.init(rawValue:)) {
      self = code
      return
    }
    switch head.first("x-error-message") {
    case "Access to this resource is disabled.": self = .disabled
    case "Invalid credentials in Authorization header": self = .token
    default: return nil
    }
  }

  /// Whether no file of the repository can be fetched.
  package var concernsAll: Bool { self != .entry }

  /// The circumstances of a refused request.
  package struct Context: Sendable, Equatable {
    /// The page of the repository; `nil` if it is not known.
    package var page: String?
    /// Whether a token was sent.
    package var hasToken: Bool

    /// Creates a context.
    package init(page: String? = nil, hasToken: Bool = false) { (self.page, self.hasToken) = (page, hasToken) }
  }

  private func reason(_ context: Context) -> String {
    switch self {
    case .repository where context.hasToken: "no such repository, or the token has no access to it"
    case .repository: "no such repository, or a private one"
    case .gated where context.hasToken: "the token has no access: the authors grant it on request"
    case .gated: "its authors grant access on request"
    case .revision: "no such branch, tag or commit"
    case .entry: "no such file in this revision"
    case .disabled: "the repository is disabled"
    case .token: "the token was rejected"
    }
  }

  private func advice(_ context: Context) -> Advice {
    let page = context.page ?? "its page"
    return switch self {
    case .repository where context.hasToken: "check the name, and what the token may read"
    case .repository: "check the name; a private one needs a token: set HF_TOKEN, or run `hf auth login`"
    case .gated where context.hasToken: "accept the terms on \(page) with the account of the token"
    case .gated: "accept the terms on \(page), then set HF_TOKEN, or run `hf auth login`"
    case .revision: "check what follows @"
    case .entry: "check the path"
    case .disabled: "\(page) may say why"
    case .token: "correct HF_TOKEN, or run `hf auth login` again"
    }
  }

  /// Returns a hub's refusal with a reason and advice that fit the context.
  /// - Parameter failure: The refusal; its code may be missing, because a proxy has answered.
  package static func explained(_ failure: Failure, in context: Context) -> Failure {
    guard let status = failure.httpStatus else { return failure }
    var explained = failure
    if let refusal = failure.code.flatMap(HubRefusal.init(rawValue:)) {
      (explained.reason, explained.advice) = ("\(status): \(refusal.reason(context))", refusal.advice(context))
    } else if failure.kind == .authentication {
      let page = context.page.map { "; see \($0)" } ?? ""
      let problem = status == 401 ? "was rejected" : "has no access"
      if context.hasToken { explained.reason = "\(status): the token \(problem)" }
      explained.advice =
        context.hasToken
        ? "check HF_TOKEN, or run `hf auth login` again\(page)" : "set HF_TOKEN, or run `hf auth login`\(page)"
    }
    return explained
  }

  /// Returns the failure of a request that was refused.
  /// - Parameter subject: The name, or the URL without secrets.
  package func failure(_ head: ResponseHead, subject: String) -> Failure {
    let context = Context()
    let kind: Failure.Kind =
      switch self {
      case .repository where head.status == 401: .authentication
      case .gated, .token: .authentication
      case .repository, .revision, .entry, .disabled: .status
      }
    var failure = Failure(
      kind, subject, "\(head.status): \(reason(context))", advice: advice(context), httpStatus: head.status,
      recovery: .keep)
    failure.code = rawValue
    return failure
  }
}
