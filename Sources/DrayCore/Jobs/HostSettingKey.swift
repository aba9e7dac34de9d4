// The keys of a [host] section of the configuration: all that is known of one in one row.

/// A key of a `[host]` section.
///
/// ``all`` is the one place that names a key. The reader of the configuration goes by its form; the rules, what a new job takes
/// of it, and the manual page go by the rest.
public struct HostSettingKey: Sendable {
  /// How a value is written.
  public enum Form: Sendable, Equatable {
    /// Header fields: `NAME: VALUE`, or an array of them.
    case fields
    /// A user, with or without `:PASSWORD`.
    case user
    /// The password of that user.
    case password
    /// A bearer token (RFC 6750).
    case bearer
    /// A text without control characters, as it is sent in a header field.
    case fieldValue
    /// The URL of a proxy. An empty value disables it.
    case proxy
    /// The path of a file that is there.
    case file
    /// True or false.
    case flag
    /// Bytes a second.
    case rate
    /// A whole number.
    case count(ClosedRange<Int>)
    /// Seconds.
    case seconds(mayBeZero: Bool)
  }

  /// A value that was read.
  public enum Value: Sendable, Equatable {
    /// Of the forms ``Form/fieldValue``, ``Form/proxy`` and ``Form/file``.
    case text(String)
    /// Of the form ``Form/flag``.
    case flag(Bool)
    /// Of the forms ``Form/rate`` and ``Form/count(_:)``.
    case number(Int64)
    /// Of the form ``Form/seconds(mayBeZero:)``.
    case seconds(Double)
  }

  /// The name, which is that of the option that does the same for one command.
  public let name: String
  /// How its value is written.
  public let form: Form
  /// Whether it goes to the hosts of its pattern only, and over `http` only where the pattern says so.
  let isSecret: Bool
  /// What the request of a hop takes of it, where it does not say so itself.
  let hop: @Sendable (inout TransferRequest, Value) -> Void
  /// What a request takes of it when its job is added, unless the option was given.
  let request: @Sendable (inout TransferRequest, Value) -> Void
  /// What a job takes of it when it is added, unless the option was given.
  let job: @Sendable (inout JobOptions, Value) -> Void

  private init(
    _ name: String, _ form: Form, isSecret: Bool = false,
    hop: @escaping @Sendable (inout TransferRequest, Value) -> Void = { _, _ in },
    request: @escaping @Sendable (inout TransferRequest, Value) -> Void = { _, _ in },
    job: @escaping @Sendable (inout JobOptions, Value) -> Void = { _, _ in }
  ) {
    (self.name, self.form, self.isSecret) = (name, form, isSecret)
    (self.hop, self.request, self.job) = (hop, request, job)
  }

  /// A text that is looked up at each hop. What the configuration says of all hosts is taken out when a job is added; of what
  /// is secret it says nothing.
  private init(
    _ name: String, _ form: Form, isSecret: Bool = false,
    atEachHop property: any WritableKeyPath<TransferRequest, String?> & Sendable
  ) {
    self.init(
      name, form, isSecret: isSecret,
      hop: { request, value in
        if case .text(let text) = value, request[keyPath: property] == nil { request[keyPath: property] = text }
      },
      request: { request, _ in if !isSecret { request[keyPath: property] = nil } })
  }

  /// Seconds that are fixed when a job is added.
  private init(
    _ name: String, mayBeZero: Bool, request property: any WritableKeyPath<TransferRequest, Double> & Sendable
  ) {
    self.init(
      name, .seconds(mayBeZero: mayBeZero),
      request: { request, value in if case .seconds(let seconds) = value { request[keyPath: property] = seconds } })
  }
}

extension HostSettingKey {
  /// All keys, in the order of the manual page.
  public static let all: [HostSettingKey] = [
    // What HostSettings keeps apart, as two hosts' fields add up, and two ways to authenticate do not mix.
    HostSettingKey("header", .fields, isSecret: true),
    HostSettingKey("user", .user, isSecret: true),
    HostSettingKey("password", .password, isSecret: true),
    HostSettingKey("oauth2-bearer", .bearer, isSecret: true),
    HostSettingKey("cookie", .fieldValue, isSecret: true, atEachHop: \.cookie),
    HostSettingKey("user-agent", .fieldValue, atEachHop: \.userAgent),
    HostSettingKey("referer", .fieldValue, atEachHop: \.referer),
    HostSettingKey("proxy", .proxy, atEachHop: \.proxy),
    HostSettingKey("cacert", .file, atEachHop: \.caFile),
    HostSettingKey(
      "insecure", .flag,
      hop: { request, value in if value == .flag(true) { request.isInsecure = true } },
      request: { request, value in request.isInsecure = value == .flag(true) }),
    HostSettingKey("limit-rate", .rate, job: { if case .number(let rate) = $1 { $0.rateLimit = rate } }),
    HostSettingKey(
      "max-connections", .count(JobOptions.connectionRange),
      job: { if case .number(let count) = $1 { $0.maxConnections = Int(count) } }),
    HostSettingKey(
      "retries", .count(JobOptions.retryRange), job: { if case .number(let count) = $1 { $0.retries = Int(count) } }),
    HostSettingKey(
      "retry-wait", .seconds(mayBeZero: true), job: { if case .seconds(let wait) = $1 { $0.retryWait = wait } }),
    HostSettingKey("connect-timeout", mayBeZero: false, request: \.connectTimeout),
    HostSettingKey("stall-timeout", mayBeZero: false, request: \.stallTimeout),
  ]
}
