// Methods that add jobs.

internal import DrayCore
internal import DrayDocuments
internal import DrayKit
internal import FoundationEssentials

enum Aria2Adding {
  static let addURIName = "aria2.addUri"

  /// `aria2.addUri(uris[, options[, position]])`: several URIs belong to one file.
  static func addURI(_ parameters: RPCParameters, _ context: Aria2Context) async throws -> RPCValue {
    let usual = try await context.queue.keptOptions(of: nil)
    let (addition, position) = try order(parameters, usual: usual, context)
    if let gid = addition.gid, let known = try await repeated(gid, addition, context) { return known }
    guard let gid = try await context.queue.add([addition], at: position).first else {
      throw RPCFailure.refused("No URI to download.")
    }
    return .string(gid.text)
  }

  /// Reads a call.
  /// - Parameters:
  ///   - usual: The defaults that clients set for all jobs.
  ///   - other: The URL of another job that is added with this one, if any.
  static func order(
    _ parameters: RPCParameters, usual: OptionMeaning.Values, near other: RequestURL? = nil, _ context: Aria2Context
  ) throws(RPCFailure) -> (addition: Aria2Addition, position: Int?) {
    let texts = try parameters.strings(0)
    let members = try parameters.optionalMembers(1) ?? []
    guard !texts.isEmpty else { throw RPCFailure.refused("URI is not provided.") }
    let values = try Aria2OptionMethods.values(members, usual: usual, context)
    let position = try parameters.optionalPosition(2)
    let urls: JobURLs
    do throws(JobURLs.Refusal) {
      urls = try JobURLs(texts, near: other)
    } catch {
      throw RPCFailure.refused("No URI to download. The first cannot be: \(error.reason)")
    }
    return (try addition(urls, values, context), position)
  }

  /// `aria2.addMetalink(metalink[, options[, position]])`: adds the files of a document in order.
  static func addMetalink(_ parameters: RPCParameters, _ context: Aria2Context) async throws -> RPCValue {
    let text = try parameters.string(0)
    let members = try parameters.optionalMembers(1) ?? []
    let usual = try await context.queue.keptOptions(of: nil)
    var values = try Aria2OptionMethods.values(members, usual: usual, context)
    let position = try parameters.optionalPosition(2)
    // These options apply to one file, and the document may describe several.
    for name in ["gid", "out", "checksum"] { values[name] = nil }
    let additions = try files(text).map { (file) throws in try addition(file, values, context) }
    return .list(try await context.queue.add(additions, at: position).map { .string($0.text) })
  }

  private static func files(_ text: String) throws(RPCFailure) -> [OfferedFile] {
    guard let bytes = Data(base64Encoded: text), !bytes.isEmpty else { throw unreadable(nil) }
    do throws(DocumentError) {
      return try Metalink.parse(Array(bytes), base: nil).files
    } catch {
      throw unreadable(error.reason)
    }
  }

  private static func unreadable(_ reason: String?) -> RPCFailure {
    .refused("Could not parse Metalink XML document." + (reason.map { " \($0)" } ?? ""))
  }

  private static func addition(
    _ urls: JobURLs, _ values: OptionMeaning.Values, _ context: Aria2Context
  ) throws(RPCFailure) -> Aria2Addition {
    guard let first = urls.all.first else { throw .refused("URI is not provided.") }
    var specification = JobSpecification(request: TransferRequest(url: first), directory: context.queue.directory)
    // This is the default of aria2; the client's options may change it.
    specification.options.onConflict = .rename
    urls.apply(to: &specification)
    // An empty form field does not remove a user name that is part of a URL.
    let said = values.filter { !$0.value.isEmpty || !$0.key.hasSuffix("-user") && !$0.key.hasSuffix("-passwd") }
    try OptionMeaning.apply(Set(said.keys), of: said, to: &specification, context.grants)
    let kept = Aria2Option.withoutSecrets(values).filter { $0.key != "gid" && $0.key != "pause" }
    return Aria2Addition(
      specification: specification, isPaused: values["pause"] == "true",
      gid: try values["gid"].map { (text) throws(RPCFailure) in try GID(chosen: text) }, kept: kept)
  }

  private static func addition(
    _ file: OfferedFile, _ values: OptionMeaning.Values, _ context: Aria2Context
  ) throws -> Aria2Addition {
    var (values, file) = (values, file)
    // Clients look for the file's name among the options.
    (values["out"], file.name) = (file.name, nil)
    var addition = try addition(try JobURLs(file.urls.map(\.string)), values, context)
    file.apply(to: &addition.specification)
    return addition
  }

  /// Returns the answer to a client that uses a GID a second time: the existing job with that GID, if it is for the
  /// same download. aria2 refuses such a call, so a client whose connection broke cannot find out whether its first
  /// call arrived.
  private static func repeated(_ gid: GID, _ addition: Aria2Addition, _ context: Aria2Context) async throws -> RPCValue?
  {
    guard let id = try await context.queue.ids(gid).first, let known = try await context.queue.specification(of: id)
    else {
      return nil
    }
    guard known.request.url == addition.specification.request.url else {
      throw RPCFailure.refused("GID \(gid.text) is already used.")
    }
    // With `nil`, a removed job is added again and continues from its bytes.
    guard try await context.queue.jobs([id], isWhole: false).first?.status != .removed else { return nil }
    return .string(gid.text)
  }
}
