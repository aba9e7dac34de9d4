// The open parts of objects in this process, so that a part can be stopped when it is discarded by its name.

#if ObjectStores

internal import Synchronization

final class OpenParts: Sendable {
  private struct Entry: Sendable {
    weak var part: ObjectPart?
  }

  private let entries = Mutex<[String: [Entry]]>([:])

  func added(_ part: ObjectPart) -> ObjectPart {
    entries.withLock { entries in
      // Remove ended parts now and then, because they do not report that they have ended.
      if entries.count >= OpenParts.most { entries = entries.filter { $0.value.contains { $0.part != nil } } }
      let others = (entries[part.name] ?? []).filter { $0.part != nil }
      entries[part.name] = others + [Entry(part: part)]
    }
    return part
  }

  func taken(_ name: String) -> [ObjectPart] {
    entries.withLock { $0.removeValue(forKey: name) ?? [] }.compactMap(\.part)
  }

  /// The number of names after which ended parts are removed.
  private static let most = 1000
}

#endif
