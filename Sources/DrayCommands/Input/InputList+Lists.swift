// Adds the files of other programs' lists: lock files, requirements, bags and others.

internal import DrayDocuments
internal import DrayKit
internal import Posix

extension InputList {
  /// Adds the files of a list that another program wrote.
  /// - Parameters:
  ///   - path: The path of the list, beside which files may be that belong to it; `nil` for standard input.
  ///   - keepsName: Whether files are stored under the names that the list gives them.
  /// - Returns: Whether the bytes are such a list.
  /// - Throws: Kind `usage` with the number of the line.
  mutating func read(
    list bytes: [UInt8], at path: String?, name: String, keepsName: Bool, _ surroundings: Surroundings
  ) throws(Failure) -> Bool {
    guard let kind = ListKind.of(bytes) else { return false }
    var companions: [String: [UInt8]] = [:]
    for companion in path == nil ? [] : kind.companions {
      let beside = PathText.join(PathText.directory(of: surroundings.absolute(path ?? "")), companion)
      guard surroundings.kind(beside) == .file else { continue }
      companions[companion] = try surroundings.contents(beside, companion)
    }
    let place = path.map { surroundings.realPath(surroundings.absolute($0)) ?? surroundings.absolute($0) }
    let list: FileList
    do throws(DocumentError) {
      list = try kind.read(bytes, companions: companions, place: place)
    } catch {
      throw error.failure(name)
    }
    for line in Remarks.shortened(list.remarks(in: name), name) { remark(line) }
    for item in list.items {
      switch item {
      case .file(let file): try append(file, home: nil, keepsName: keepsName, place: name)
      case .name(let text, let line): try append(text, place: "\(name):\(line)", line: line)
      }
    }
    return true
  }
}
