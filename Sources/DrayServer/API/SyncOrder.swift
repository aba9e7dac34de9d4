// The manifest that a client sends, and the lock that the client has kept.

internal import DrayCore
internal import DrayDocuments

struct SyncOrder: Sendable, Equatable {
  var manifest: String
  /// The lock from the answer to an earlier call.
  var lock: String?
  /// Whether all files must match the lock.
  var isLocked = false
  /// Whether the client wants to see only what would be done.
  var isTrial = false
  /// An absolute path, or a path below the default directory.
  var directory: String?

  private static let longest = 16 << 20

  static let schema = APISchema.object([
    APIField("manifest", .text(most: longest, isNeeded: true), "What `dray sync` reads, as text.", isNeeded: true),
    APIField("lock", .nullable(.text(most: longest)), "The lock that the last sync was answered with."),
    APIField("locked", .flag, "Whether everything must be as the lock has it."),
    APIField("dryRun", .flag, "Whether it is only said what would be done."),
    APIField("directory", .nullable(.text(most: 4096)), "Where the files are; relative to the default."),
  ])

  /// Reads a JSON value that matches ``schema``.
  init(_ node: JSONNode) {
    manifest = node["manifest"]?.string ?? ""
    lock = node["lock"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    (isLocked, isTrial) = (node["locked"]?.isTrue ?? false, node["dryRun"]?.isTrue ?? false)
    directory = node["directory"]?.string
  }

  /// Parses the texts of the manifest and the lock.
  /// - Throws: ``APIFailure`` with 400 if one of the texts is invalid.
  func documents() throws(APIFailure) -> (Manifest, SyncLock?) {
    guard !isLocked || lock != nil else {
      throw .bad("locked needs a lock", advice: "send the lock from the answer to a sync")
    }
    do throws(DocumentError) {
      let document = try Manifest.parse(manifest)
      return (document, try lock.map { (text) throws(DocumentError) in try SyncLock.parse(text) })
    } catch {
      throw .bad(error.failure("the manifest or its lock").description)
    }
  }
}
