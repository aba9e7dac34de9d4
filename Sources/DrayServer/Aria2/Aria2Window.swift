// A part of a list (manual, `aria2.tellWaiting`): from an offset forward, or, for an offset counted from the end,
// backward.

struct Aria2Window: Sendable, Equatable {
  /// The offset of the first job in the part. -1 is the last job of the list; from a negative offset, the part
  /// continues backward.
  var offset: Int64
  var count: Int64

  /// Returns this part of a list, in the order in which it is answered.
  func part<Element>(of list: [Element]) -> [Element] {
    guard offset < 0 else {
      return Array(list.dropFirst(Int(clamping: offset)).prefix(Int(clamping: count)))
    }
    let (end, overflows) = offset.addingReportingOverflow(Int64(list.count))
    guard !overflows, end >= 0 else { return [] }
    return Array(list.prefix(Int(end) + 1).suffix(Int(clamping: count)).reversed())
  }
}
