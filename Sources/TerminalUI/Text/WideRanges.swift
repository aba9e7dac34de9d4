// The wide scalars that are no emoji (UAX #11, East_Asian_Width W and F, Unicode 16).

/// Sorted, disjoint ranges of wide scalars. Emoji are omitted, because the standard library knows them.
enum WideRanges {
  private static let table: [ClosedRange<UInt32>] = [
    0x1100...0x115F,  // Hangul initials
    0x2329...0x232A,  // angle brackets
    0x2630...0x2637,  // trigrams
    0x268A...0x268F,  // monograms and digrams
    0x2E80...0x303E,  // CJK radicals, punctuation
    0x3041...0x3247,  // kana, Bopomofo, Hangul compatibility, enclosed CJK
    0x3250...0xA4CF,  // squared CJK, ideographs, Yi
    0xA960...0xA97C,  // Hangul initials, extended
    0xAC00...0xD7A3,  // Hangul syllables
    0xF900...0xFAFF,  // compatibility ideographs
    0xFE10...0xFE19,  // vertical forms
    0xFE30...0xFE6B,  // compatibility and small forms
    0xFF01...0xFF60,  // fullwidth ASCII
    0xFFE0...0xFFE6,  // fullwidth signs
    0x16FE0...0x16FF6,  // ideographic marks
    0x17000...0x18DFF,  // Tangut, Khitan
    0x1AFF0...0x1B2FF,  // kana supplements, Nushu
    0x1D300...0x1D376,  // Tai Xuan Jing, counting rods
    0x1F200...0x1F265,  // enclosed ideographs
    0x20000...0x2FFFD,  // ideographs, plane 2
    0x30000...0x3FFFD,  // ideographs, plane 3
  ]

  static func contain(_ scalar: UInt32) -> Bool {
    var low = 0
    var high = table.count
    while low < high {
      let middle = (low + high) / 2
      if scalar > table[middle].upperBound {
        low = middle + 1
      } else if scalar < table[middle].lowerBound {
        high = middle
      } else {
        return true
      }
    }
    return false
  }
}
