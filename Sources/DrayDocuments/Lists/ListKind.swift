// The table of lists of other programs: how each is recognised, and how it is read.

internal import DrayCore

/// A kind of list that another program writes.
package struct ListKind: Sendable {
  /// With its article, for messages: `a uv.lock file`.
  package let title: String
  /// The names of files in the directory of the list that belong to it.
  package let companions: [String]
  private let isMeant: @Sendable (ListHead) -> Bool
  private let parse: @Sendable (Input) throws(DocumentError) -> FileList

  struct Input {
    var bytes: [UInt8]
    var companions: [String: [UInt8]]
    var machine: WheelMachine
    var place: String?
  }

  private init(
    _ title: String, companions: [String] = [], isMeant: @escaping @Sendable (ListHead) -> Bool,
    parse: @escaping @Sendable (Input) throws(DocumentError) -> FileList
  ) {
    (self.title, self.companions) = (title, companions)
    (self.isMeant, self.parse) = (isMeant, parse)
  }

  /// Every kind. A text that none of them claims may be a list of URLs.
  package static let all: [ListKind] = [
    ListKind(ZsyncControl.kind) {
      ZsyncControl.isMeant($0.bytes)
    } parse: { (input) throws(DocumentError) in
      var list = FileList()
      list.append(try ZsyncControl.parse(input.bytes, base: nil).offer(from: input.place))
      return list
    },
    ListKind(PythonLock.pylock) {
      $0.lines.first.map(ListKind.isAssignment) ?? false && $0.keys.contains("lock-version")
    } parse: { (input) throws(DocumentError) in
      try PythonLock.pylock(input.bytes, input.machine)
    },
    ListKind(PythonLock.uvLock) {
      PythonLock.isUV($0)
    } parse: { (input) throws(DocumentError) in
      try PythonLock.uvLock(input.bytes, input.machine)
    },
    ListKind(CondaList.kind) {
      $0.lines.first == CondaList.mark
    } parse: { (input) throws(DocumentError) in
      try CondaList.parse(input.bytes)
    },
    ListKind(BagList.kind, companions: BagList.manifests.map(\.name)) {
      $0.lines.first.map(BagList.isEntry) ?? false
    } parse: { (input) throws(DocumentError) in
      try BagList.parse(input.bytes, input.companions)
    },
    ListKind(Croissant.kind) {
      Croissant.isMeant($0)
    } parse: { (input) throws(DocumentError) in
      try Croissant.parse(input.bytes)
    },
    ListKind(AptList.kind) {
      AptList.isMeant($0)
    } parse: { (input) throws(DocumentError) in
      try AptList.parse(input.bytes)
    },
    ListKind(RequirementsList.kind) {
      RequirementsList.isMeant($0)
    } parse: { (input) throws(DocumentError) in
      try RequirementsList.parse(input.bytes)
    },
  ]

  /// Returns the kind of a list by its beginning; `nil` for all other texts, such as lists of URLs.
  package static func of(_ bytes: [UInt8]) -> ListKind? {
    let head = ListHead(bytes)
    return all.first { $0.isMeant(head) }
  }

  /// Reads a list.
  /// - Parameters:
  ///   - companions: The content of those ``companions`` that exist, by their names.
  ///   - machine: The machine for which wheels are chosen.
  ///   - place: The absolute path of the list; `nil` if it is not a file that can be read again.
  /// - Throws: ``DocumentError`` if it is broken, or names no file.
  package func read(
    _ bytes: [UInt8], companions: [String: [UInt8]] = [:], machine: WheelMachine = .current, place: String? = nil
  ) throws(DocumentError) -> FileList {
    let list = try parse(Input(bytes: bytes, companions: companions, machine: machine, place: place))
    guard !list.items.isEmpty else {
      throw DocumentError(
        title, list.remarks.first.map { "nothing in it can be fetched (\($0))" } ?? "it names no file")
    }
    return list
  }

  /// Whether a line is `key = value` with a bare key.
  static func isAssignment(_ line: String) -> Bool {
    guard let mark = line.firstIndex(of: "=") else { return false }
    let key = line[..<mark].trimmingSpaces().utf8
    return !key.isEmpty && key.allSatisfy { ListText.isDigit($0) || ListText.isLetter($0) || $0 == 0x2D || $0 == 0x5F }
  }
}
