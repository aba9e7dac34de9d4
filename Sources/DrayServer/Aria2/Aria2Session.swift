// The methods about the service itself.

package import DrayCore

package enum Aria2Session {
  /// The version of aria2 with which the tests compare the answers (Tests/Aria2). Clients decide by this version which
  /// features they use.
  package static let aria2Version = "1.36.0"

  /// Returns the options in which a job differs from a new job of `aria2c`, sorted by name. Options for the job's place
  /// and connections are left out, and also those that may be secret: header fields, user names, proxies.
  package static func changes(of job: JobSpecification) -> [(name: String, value: String)] {
    var plain = JobSpecification(request: TransferRequest(url: job.request.url), directory: job.directory)
    (plain.options.onConflict, plain.options.keepsArrivalTime) = (.rename, true)
    let usual = OptionMeaning.values(of: plain)
    let left: Set<String> = ["dir", "out", "header", "user-agent", "referer", "checksum", "split"]
    return OptionMeaning.values(of: job).filter { name, value in
      usual[name] != value && !left.contains(name) && !name.hasPrefix("max-connection")
        && !["-user", "-passwd", "-proxy"].contains(where: name.hasSuffix)
    }.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
  }

  /// `aria2.getVersion()`: aria2's version, and the version of dray as an additional member.
  static func version(_ parameters: RPCParameters, _ context: Aria2Context) -> RPCValue {
    .of([
      "dray": .string(DrayVersion.text),
      "enabledFeatures": .list(["GZip", "HTTPS", "Message Digest", "Metalink", "SFTP"].map(RPCValue.string)),
      "version": .string(aria2Version),
    ])
  }

  /// `aria2.getSessionInfo()`
  static func session(_ parameters: RPCParameters, _ context: Aria2Context) -> RPCValue {
    .of(["sessionId": .string(context.queue.session)])
  }

  /// `aria2.saveSession()`: does nothing, because every change is on the disk when its call is answered.
  static func save(_ parameters: RPCParameters, _ context: Aria2Context) -> RPCValue { .ok }

  /// `aria2.shutdown()` and `aria2.forceShutdown()`, which do the same here, because there are no trackers to notify.
  static func stop(_ parameters: RPCParameters, _ context: Aria2Context) async -> RPCValue {
    await context.queue.stop()
    return .ok
  }

  /// `system.listMethods()`
  static func methods(_ parameters: RPCParameters, _ context: Aria2Context) -> RPCValue {
    .list(Aria2Method.names.map(RPCValue.string))
  }

  /// `system.listNotifications()`
  static func notifications(_ parameters: RPCParameters, _ context: Aria2Context) -> RPCValue {
    .list(Aria2Notification.Kind.allCases.map { .string($0.rawValue) })
  }
}
