// A part of a list (manual, `aria2.tellWaiting`): from an offset on, or back from one that is counted from the end.

/// Which jobs of a list are asked for.
struct Aria2Window: Sendable, Equatable {
  /// The first; -1 is the last of the list, and then they are counted backwards.
  var offset: Int64
  /// How many at most.
  var count: Int64

  /// The part of a list, in the order in which it is answered.
  func part<Element>(of list: [Element]) -> [Element] {
    guard offset < 0 else {
      return Array(list.dropFirst(Int(clamping: offset)).prefix(Int(clamping: count)))
    }
    let (end, overflows) = offset.addingReportingOverflow(Int64(list.count))
    guard !overflows, end >= 0 else { return [] }
    return Array(list.prefix(Int(end) + 1).suffix(Int(clamping: count)).reversed())
  }
}
