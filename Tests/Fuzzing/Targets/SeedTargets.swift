// Control files of zsync, and what their checksums find in any bytes.

import Foundation

@testable import DrayCore
@testable import DrayDocuments

extension FuzzTarget {
  private static let zsyncBase = try? RequestURL.parse("https://a.example/dir/doc.zsync").url

  private static let zsyncSeed =
    Array(
      """
      zsync: 0.6.2
      Filename: a.iso
      MTime: Mon, 30 Nov 2026 03:32:07 +0000
      Blocksize: 64
      Length: 130
      Hash-Lengths: 1,2,3
      URL: a.iso
      SHA-1: 69ab63d0288fb5a639d3927f2e820a8cb0d74059


      """.utf8) + [UInt8](repeating: 0, count: 15)

  static let zsyncControl = FuzzTarget(
    "control files of zsync",
    words: [
      "zsync: ", "Blocksize: 64\n", "Length: ", "Hash-Lengths: 2,2,4\n", "URL: http://m.example/x\n", "Z-URL: a.gz\n",
      "Z-Map2: 3\n", "Safe: MTime New:\n", "Min-Version: 9\n", "SHA-1: ", "\n\n", "9223372036854775807",
    ],
    seeds: [zsyncSeed], rounds: 400
  ) { (bytes: [UInt8]) throws(Violation) in
    let control: ZsyncControl
    do throws(DocumentError) { control = try ZsyncControl.parse(bytes, base: zsyncBase) } catch {
      return try holdError(error)
    }
    let table = control.table
    try hold(table.size > 0 && table.count * table.form.stride <= bytes.count, "every block has its checksums")
    if let file = try? control.offer(from: "/c") { try holdOffer(file) }
    guard table.form.blockSize <= 4096, table.size <= 1 << 20 else { return }
    let matcher = BlockMatcher(table)
    let seed = bytes + [UInt8](repeating: 0, count: 2 * matcher.context)
    let (matches, done) = seed.withUnsafeBytes { matcher.scan($0) }
    try hold(done >= 0 && done <= seed.count, "a window is not left")
    for match in matches {
      try hold(match.offset >= 0 && match.offset + match.segment.count <= seed.count, "a match is in the window")
      try hold(match.segment.lowerBound >= 0 && match.segment.upperBound <= table.size, "and in the file")
    }
    var end: Int64 = -1
    for segment in matcher.segments {
      try hold(segment.lowerBound > end, "segments ascend")
      end = segment.upperBound
    }
    try hold(matcher.missing >= 0 && matcher.missing <= table.count, "blocks are counted once")
  }
}
